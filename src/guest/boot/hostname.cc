// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/hostname.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "base/words.h"
#include "guest/boot/own_root.h"

namespace sbx::guest {
namespace {

bool names(std::string_view hosts, std::string_view wanted) {
  for (const auto& line : split(hosts, '\n')) {
    const auto words = words_of(line.substr(0, line.find('#')));
    // The first one is the address.
    if (std::ranges::find(words.begin() + (words.empty() ? 0 : 1), words.end(), wanted) != words.end()) return true;
  }
  return false;
}

Result<> set_kernel_hostname(const std::string& hostname) {
  utsname current{};
  if (::uname(&current) == 0 && hostname == current.nodename) return Ok{};
  if (::sethostname(hostname.data(), hostname.size()) != 0 && errno != EPERM) return fail_errno("set the host name");
  return Ok{};
}

Result<> ensure_content(const OwnRoot& root, const std::string& path, const std::string& wanted) {
  const auto present = root.read(path);
  if (present && *present == wanted) return Ok{};
  return root.write(path, wanted, 0644);
}

Result<> ensure_host_lines(const OwnRoot& root, const std::string& hostname) {
  TRY_ASSIGN(const std::string before, root.read_to_change("/etc/hosts"));
  return ensure_content(root, "/etc/hosts", with_host_lines(before, hostname));
}

}  // namespace

std::string with_host_lines(std::string_view hosts, std::string_view hostname) {
  std::string out(hosts);
  if (!out.empty() && out.back() != '\n') out += '\n';
  if (!names(out, "localhost")) out += "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";
  if (!hostname.empty() && !names(out, hostname)) out += "127.0.1.1\t" + std::string(hostname) + "\n";
  return out;
}

Result<> ensure_hostname(const std::string& hostname) {
  if (!hostname.empty()) TRY(set_kernel_hostname(hostname));
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open());
  TRY(root.make_directories("/etc", 0755));
  const auto hosts = ensure_host_lines(root, hostname);
  if (!hostname.empty()) TRY(ensure_content(root, "/etc/hostname", hostname + "\n"));
  return hosts;
}

}  // namespace sbx::guest
