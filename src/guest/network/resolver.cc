// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/resolver.h"

#include <string_view>

#include "guest/boot/own_root.h"
#include "wire/network.h"

namespace sbx::guest {
namespace {

constexpr std::string_view kResolver = "nameserver 198.18.0.1\n";
constexpr const char* kHostLine = "198.18.0.1\t";

Result<> ensure_host_line(const OwnRoot& root) {
  std::string line = kHostLine;
  line += wire::kHostAlias;
  line += '\n';
  TRY_ASSIGN(std::string hosts, root.read_to_change("/etc/hosts"));
  if (hosts.find(line) != std::string::npos) return Ok{};
  if (!hosts.empty() && hosts.back() != '\n') hosts += '\n';
  return root.write("/etc/hosts", hosts + line, 0644);
}

}  // namespace

Result<> ensure_resolver(const std::string& directory) {
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  const auto host_line = ensure_host_line(root);
  const auto present = root.read("/etc/resolv.conf");
  if (!present || *present != kResolver) TRY(root.write("/etc/resolv.conf", kResolver, 0644));
  return host_line;
}

}  // namespace sbx::guest
