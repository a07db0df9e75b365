// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust/trust.h"

#include <fcntl.h>

#include <algorithm>
#include <cctype>

#include "base/clock.h"
#include "guest/boot/own_root.h"
#include "guest/trust/java_store.h"

namespace sbx::guest {
namespace {

constexpr const char* kAuthorityPem = "/etc/ssl/certs/proxy-ca.pem";

// Where other systems have theirs: Fedora and its kin, and Alpine. Added to where they are.
constexpr const char* kOtherBundles[] = {"/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};

bool is_hash(const std::string& text) {
  return text.size() == 8 && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<> put(const OwnRoot& root, const std::string& path, const std::string& content) {
  if (const auto present = root.read(path); present && *present == content) return Ok{};
  TRY(root.make_directories(directory_of(path), 0755));
  return root.write(path, content, 0644);
}

// Begun on a new line, whatever was there. Written anew rather than added to: an overlay that copies a file up waits
// for the disk, and every first start would wait with it. Where the name is a link, what it leads to is replaced.
Result<> add_to_bundle(const OwnRoot& root, const std::string& path, const std::string& certificate) {
  TRY_ASSIGN(const std::string target, root.resolved(path));
  TRY_ASSIGN(const std::string bundle, root.read(target));
  if (bundle.find(certificate) != std::string::npos) return Ok{};
  return root.write(target, bundle + "\n" + certificate, 0644);
}

// Where there is none, it must hold all authorities of whichever there is.
Result<> make_bundle(const OwnRoot& root, const std::string& certificate) {
  std::string bundle;
  for (const char* other : kOtherBundles)
    if (bundle.empty()) bundle = root.read(other).value_or("");
  return put(root, kBundle, bundle.empty() ? certificate : bundle + "\n" + certificate);
}

// A Java that comes later imports the link in /etc/ssl/certs when it is installed.
Result<> trust_in_java(const OwnRoot& root, const std::string& certificate) {
  if (!root.exists(kJavaStore)) return Ok{};
  TRY_ASSIGN(const std::string store, root.read(kJavaStore));
  auto trusting = with_authority(store, certificate, microseconds_of(now()) / 1000);
  if (!trusting) return fail(std::move(trusting).error().within(std::string("add to ") + kJavaStore));
  return root.write(kJavaStore, *trusting, 0644);
}

bool is_done(const OwnRoot& root, const std::string& certificate) {
  return root.open_own(kAuthorityPem, O_PATH | O_NOFOLLOW) && root.read(kAuthorityFile).value_or("") == certificate;
}

// Beside bundles of the user's there are none: they are for programs that look by hash.
Result<> link_to(const OwnRoot& root, const std::string& target, const std::string& link) {
  const auto linked = root.link(target, link);
  return linked || linked.error().code() == Code::kForbidden ? Ok{} : linked;
}

// The link beside the bundles comes last: where it is, all of this is done. It must be one, and absolute, as
// update-ca-certificates makes it: Debian's Java imports nothing else.
Result<> trust_on_own_root(const OwnRoot& root, const wire::GuestNetwork& network) {
  const std::string& certificate = network.ca_certificate;
  const auto in_java = trust_in_java(root, certificate);
  const auto in_bundle =
      root.exists(kBundle) ? add_to_bundle(root, kBundle, certificate) : make_bundle(root, certificate);
  const auto by_itself = put(root, kAuthorityFile, certificate);
  for (const char* other : kOtherBundles)
    if (root.exists(other)) TRY(add_to_bundle(root, other, certificate));
  TRY(in_bundle);
  TRY(by_itself);
  if (is_hash(network.ca_hash)) TRY(link_to(root, "proxy-ca.pem", "/etc/ssl/certs/" + network.ca_hash + ".0"));
  TRY(link_to(root, kAuthorityFile, kAuthorityPem));
  return in_java;  // whose store may be of its user's own making: that keeps no other program from trusting
}

// What was mounted over bundles of the user's ended with the last run.
Result<> trust_on_mounts(const OwnRoot& root, const std::string& certificate) {
  for (const char* bundle : {kBundle, kOtherBundles[0], kOtherBundles[1]})
    if (root.exists(bundle) && !root.holds(bundle)) TRY(add_to_bundle(root, bundle, certificate));
  return root.exists(kJavaStore) && !root.holds(kJavaStore) ? trust_in_java(root, certificate) : Ok{};
}

}  // namespace

Result<> trust(const wire::GuestNetwork& network, const std::string& directory) {
  if (network.ca_certificate.empty()) return Ok{};
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  if (is_done(root, network.ca_certificate)) return trust_on_mounts(root, network.ca_certificate);
  return trust_on_own_root(root, network);
}

}  // namespace sbx::guest
