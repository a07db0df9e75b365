// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/resolver.h"

#include "guest/etc_file.h"
#include "wire/network.h"

namespace sbx::guest {
namespace {

constexpr const char* kResolver = "nameserver 198.18.0.1\n";
constexpr const char* kHostLine = "198.18.0.1\t";

Result<> ensure_host_line(const std::string& path) {
  const std::string line = std::string(kHostLine) + wire::kHostAlias + "\n";
  std::string hosts = read_etc_file(path).value_or("");
  if (hosts.find(line) != std::string::npos) return Ok{};
  if (!hosts.empty() && hosts.back() != '\n') hosts += '\n';
  return replace_etc_file(path, hosts + line, 0644);
}

}  // namespace

Result<> ensure_resolver(const std::string& root) {
  const std::string path = root + "/etc/resolv.conf";
  if (read_etc_file(path).value_or("") != kResolver) TRY(replace_etc_file(path, kResolver, 0644));
  return ensure_host_line(root + "/etc/hosts");
}

}  // namespace sbx::guest
