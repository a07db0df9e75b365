// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "secrets/secret.h"

namespace sbx::secrets {

// XChaCha20-Poly1305 with a random nonce; what was sealed with another key or has been changed does not open.
std::string seal(const Secret& plain, const Secret& key);
Result<Secret> unseal(std::string_view sealed, const Secret& key);

}  // namespace sbx::secrets
