// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "wire/credential.h"

// The credentials of a sandbox on their way from the daemon to the vault: a file in memory, sealed, of which only the
// descriptor is passed on. It is not JSON so that it can be read without a copy: the values stay where they are, in
// pages that the reader can lock, and are gone when those are.
namespace sbx::wire {

inline constexpr std::size_t kLargestCredentialFile = 4u << 20;

// A Credential whose texts are in the file.
struct CredentialView {
  std::string_view name;
  std::vector<std::string_view> hosts;
  std::string_view header;
  std::string_view prefix;
  std::string_view basic_user;
  std::vector<std::string_view> placeholders;
  std::string_view value;
  std::int64_t expires_ms = 0;

  bool operator==(const CredentialView&) const = default;
};

Result<Fd> make_credential_file(const std::vector<Credential>& credentials);

// What is in one. kUnsupported: it was written by another version.
Result<std::vector<CredentialView>> read_credential_file(std::string_view bytes);

}  // namespace sbx::wire
