// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "base/file.h"
#include "guest/etc_file.h"

namespace sbx::guest {
namespace {

constexpr const char* kAuthorityPem = "/etc/ssl/certs/proxy-ca.pem";

// Where other systems have theirs: Fedora and its kin, and Alpine. Added to where they are.
constexpr const char* kOtherBundles[] = {"/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};

bool is_hash(const std::string& text) {
  return text.size() == 8 && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<> put(const std::string& path, const std::string& content) {
  if (const auto present = read_etc_file(path); present && *present == content) return Ok{};
  TRY(make_directories(directory_of(path), 0755));
  return replace_etc_file(path, content, 0644);
}

// A link is followed, so that it stays one: Fedora's and Alpine's lead to each other.
Result<> add_to_bundle(const std::string& path, const std::string& certificate, const std::string& before) {
  const std::string after = with_certificate(before, certificate);
  return after == before ? Ok{} : put(canonical_path(path).value_or(path), after);
}

// The system's bundle must hold all authorities, whichever file they are in.
std::string bundle_to_begin_with(const std::string& root) {
  if (auto bundle = read_etc_file(root + kBundle)) return std::move(*bundle);
  for (const char* other : kOtherBundles)
    if (auto bundle = read_etc_file(root + other)) return std::move(*bundle);
  return "";
}

Result<> link_by_hash(const std::string& root, const std::string& hash) {
  if (!is_hash(hash)) return Ok{};
  const std::string link = root + "/etc/ssl/certs/" + hash + ".0";
  if (::symlink("proxy-ca.pem", link.c_str()) != 0 && errno != EEXIST) return fail_errno("link " + link);
  return Ok{};
}

}  // namespace

std::string with_certificate(const std::string& bundle, const std::string& certificate) {
  if (bundle.find(certificate) != std::string::npos) return bundle;
  const bool whole_line = bundle.empty() || bundle.back() == '\n';
  return bundle + (whole_line ? "" : "\n") + certificate;
}

Result<> trust(const wire::GuestNetwork& network, const std::string& root) {
  const std::string& certificate = network.ca_certificate;
  if (certificate.empty()) return Ok{};
  TRY(put(root + kAuthorityFile, certificate));
  TRY(put(root + kAuthorityPem, certificate));
  TRY(link_by_hash(root, network.ca_hash));
  for (const char* other : kOtherBundles)
    if (const auto bundle = read_etc_file(root + other)) TRY(add_to_bundle(root + other, certificate, *bundle));
  return add_to_bundle(root + kBundle, certificate, bundle_to_begin_with(root));
}

}  // namespace sbx::guest
