// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/clock.h"
#include "base/file.h"
#include "guest/etc_file.h"
#include "guest/java_store.h"

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

// Begun on a new line, whatever was there. Written anew rather than added to: an overlay that copies a file up waits
// for the disk, and every first start would wait with it. Where the name is a link, what it leads to is replaced.
Result<> add_to_bundle(const std::string& path, const std::string& certificate) {
  const std::unique_ptr<char, void (*)(void*)> target(::realpath(path.c_str(), nullptr), std::free);
  if (!target) return fail_errno("find " + path);
  TRY_ASSIGN(const std::string bundle, read_etc_file(target.get()));
  return replace_etc_file(target.get(), bundle + "\n" + certificate, 0644);
}

// Where there is none, it must hold all authorities of whichever there is.
Result<> make_bundle(const std::string& root, const std::string& certificate) {
  std::string bundle;
  for (const char* other : kOtherBundles)
    if (bundle.empty()) bundle = read_etc_file(root + other).value_or("");
  return put(root + kBundle, bundle.empty() ? certificate : bundle + "\n" + certificate);
}

// A Java that comes later imports the link in /etc/ssl/certs when it is installed.
Result<> trust_in_java(const std::string& path, const std::string& certificate) {
  if (!exists(path)) return Ok{};
  TRY_ASSIGN(const std::string store, read_etc_file(path));
  auto trusting = with_authority(store, certificate, microseconds_of(now()) / 1000);
  if (!trusting) return fail(std::move(trusting).error().within("add to " + path));
  return replace_etc_file(path, *trusting, 0644);
}

bool is_done(const std::string& root, const std::string& certificate) {
  struct stat info {};
  return ::lstat((root + kAuthorityPem).c_str(), &info) == 0 &&
         read_etc_file(root + kAuthorityFile).value_or("") == certificate;
}

Result<> link_to(const std::string& target, const std::string& link) {
  if (::symlink(target.c_str(), link.c_str()) != 0 && errno != EEXIST) return fail_errno("link " + link);
  return Ok{};
}

}  // namespace

// The link beside the bundles comes last: where it is, all of this is done. It must be one, and absolute, as
// update-ca-certificates makes it: Debian's Java imports nothing else.
Result<> trust(const wire::GuestNetwork& network, const std::string& root) {
  const std::string& certificate = network.ca_certificate;
  if (certificate.empty() || is_done(root, certificate)) return Ok{};
  const auto in_java = trust_in_java(root + kJavaStore, certificate);
  TRY(exists(root + kBundle) ? add_to_bundle(root + kBundle, certificate) : make_bundle(root, certificate));
  for (const char* other : kOtherBundles)
    if (exists(root + other)) TRY(add_to_bundle(root + other, certificate));
  TRY(put(root + kAuthorityFile, certificate));
  if (is_hash(network.ca_hash)) TRY(link_to("proxy-ca.pem", root + "/etc/ssl/certs/" + network.ca_hash + ".0"));
  TRY(link_to(kAuthorityFile, root + kAuthorityPem));
  return in_java;  // whose store may be of its user's own making: that keeps nobody else from trusting
}

}  // namespace sbx::guest
