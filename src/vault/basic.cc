// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/basic.h"

#include "base/base64.h"
#include "base/text.h"
#include "http/fields.h"

namespace sbx::vault {
namespace {

constexpr std::string_view kScheme = "Basic ";

}  // namespace

std::string basic(std::string_view text) { return std::string(kScheme) + base64(text); }

std::optional<std::string> text_in_basic(std::string_view value) {
  if (!http::same_name(value.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  return from_base64(trimmed(value.substr(kScheme.size())));
}

}  // namespace sbx::vault
