// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/git_identity.h"

#include <string_view>

#include "guest/boot/own_root.h"

namespace sbx::guest {
namespace {

constexpr const char* kFile = "/etc/gitconfig";
constexpr std::string_view kFirstLine =
    "# Written by sandbox-init at each start, from the host's git; remove this line to keep yours.\n";

// In quotes a backslash and a quote are escaped, and a control character cannot be.
std::string in_quotes(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + "\"";
}

std::string content_of(const wire::GitIdentity& identity) {
  std::string out(kFirstLine);
  out += "[user]\n";
  if (!identity.name.empty()) out += "\tname = " + in_quotes(identity.name) + "\n";
  if (!identity.email.empty()) out += "\temail = " + in_quotes(identity.email) + "\n";
  return out;
}

}  // namespace

Result<> ensure_git_identity(const wire::GitIdentity& identity, const std::string& directory) {
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  const auto present = root.read(kFile);
  const bool is_ours = present && present->starts_with(kFirstLine);
  if (!present && identity.name.empty() && identity.email.empty()) return Ok{};
  if ((!present && root.exists(kFile)) || (present && !is_ours)) return Ok{};
  const std::string wanted = content_of(identity);
  if (present && *present == wanted) return Ok{};
  return root.write(kFile, wanted, 0644);
}

}  // namespace sbx::guest
