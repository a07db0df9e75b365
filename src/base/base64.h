// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sbx {

std::string base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text);  // padding may be left off; nullopt: it is no base64

}  // namespace sbx
