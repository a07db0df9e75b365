// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/left_out.h"

#include <algorithm>
#include <array>

#include "base/format.h"
#include "base/text.h"

namespace sbx::archive {
namespace {

// Each with all that is below it.
constexpr std::array<std::string_view, 14> kPlaces{
    // in memory, or the kernel's
    "dev",
    "proc",
    "run",
    "sys",
    "tmp",
    ".sandbox-cover",
    ".sandbox-init",
    // who the sandbox is
    "etc/hostname",
    "etc/hosts",
    "etc/resolv.conf",
    "etc/machine-id",
    "var/lib/dbus/machine-id",
    // its authority
    kAuthorityPath,
    "etc/ssl/certs/proxy-ca.pem",
};

// Those that init adds the authority to (guest/trust), and what their names lead to on other systems than Debian.
constexpr std::array<std::string_view, 4> kBundles{
    "etc/ssl/certs/ca-certificates.crt",
    "etc/ssl/cert.pem",
    "etc/pki/tls/certs/ca-bundle.crt",
    "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
};

constexpr std::string_view kCertificates = "etc/ssl/certs/";
constexpr std::string_view kAuthorityLink = "proxy-ca.pem";
// Of init's own program (guest/boot/ralph.h).
constexpr std::string_view kRalphPath = "usr/local/bin/ralph";
constexpr std::string_view kRalphLink = "/run/sandbox/bin/ralph";

bool is_at_or_below(std::string_view path, std::string_view place) {
  return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '/');
}

}  // namespace

LeftOut LeftOut::of_sandbox(const std::vector<std::string>& mount_points) {
  LeftOut left_out;
  left_out.is_sandbox_ = true;
  for (const std::string& point : mount_points) {
    const auto first = point.find_first_not_of('/');
    if (first != std::string::npos) left_out.mount_points_.push_back(point.substr(first));
  }
  return left_out;
}

bool LeftOut::has(std::string_view path) const {
  const auto holds = [path](std::string_view place) { return is_at_or_below(path, place); };
  return is_sandbox_ && (std::ranges::any_of(kPlaces, holds) || std::ranges::any_of(mount_points_, holds));
}

bool LeftOut::has_link(std::string_view path, std::string_view target) const {
  const bool leads_to_authority = path.starts_with(kCertificates) && target == kAuthorityLink;
  return is_sandbox_ && (leads_to_authority || (path == kRalphPath && target == kRalphLink));
}

bool LeftOut::has_unchanged(std::string_view path, std::string_view mark, std::int64_t size, std::int64_t mtime,
                            std::int64_t mtime_ns) const {
  return is_sandbox_ && mark == init_mark(path, size, mtime, mtime_ns);
}

bool LeftOut::is_bundle(std::string_view path) const {
  return is_sandbox_ && std::ranges::find(kBundles, path) != kBundles.end();
}

std::string init_mark(std::string_view path, std::int64_t size, std::int64_t mtime, std::int64_t mtime_ns) {
  while (path.starts_with('/')) path.remove_prefix(1);
  return sbx::format("{} {}.{:09} {}", size, mtime, mtime_ns, path);
}

std::string without_authority(std::string bundle, std::string_view certificate) {
  certificate = trimmed(certificate);
  if (certificate.empty()) return bundle;
  for (auto at = bundle.find(certificate); at != std::string::npos; at = bundle.find(certificate, at)) {
    std::size_t end = at + certificate.size();
    if (end < bundle.size() && bundle[end] == '\n') ++end;
    // Of the two newlines before it the second is init's.
    if (at >= 2 && bundle[at - 1] == '\n' && bundle[at - 2] == '\n') --at;
    bundle.erase(at, end - at);
  }
  return bundle;
}

}  // namespace sbx::archive
