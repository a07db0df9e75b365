// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

// Basic authorization (RFC 7617): the value of a field that is "Basic " and base64 of user:password.
namespace sbx::vault {

std::string basic(std::string_view text);  // "Basic " and its base64
// user:password, of a value that is Basic. A client may write the scheme in capitals and leave the padding off.
std::optional<std::string> text_in_basic(std::string_view value);

}  // namespace sbx::vault
