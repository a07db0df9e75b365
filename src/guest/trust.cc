// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/trust.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "base/fd.h"
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

// At its end, because it is long, and every start of a sandbox waits for this. Begun on a new line, whatever was there.
Result<> add_to_bundle(const std::string& path, const std::string& certificate) {
  TRY_ASSIGN(const Fd file, open_path(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return fail(Code::kConflict, path + " is not a file");
  TRY_WITHIN("write " + path, write_all(file, "\n" + certificate));
  return Ok{};
}

// Where there is none, it must hold all authorities of whichever there is.
Result<> make_bundle(const std::string& root, const std::string& certificate) {
  std::string bundle;
  for (const char* other : kOtherBundles)
    if (bundle.empty()) bundle = read_etc_file(root + other).value_or("");
  return put(root + kBundle, bundle.empty() ? certificate : bundle + "\n" + certificate);
}

Result<> link_by_hash(const std::string& root, const std::string& hash) {
  if (!is_hash(hash)) return Ok{};
  const std::string link = root + "/etc/ssl/certs/" + hash + ".0";
  if (::symlink("proxy-ca.pem", link.c_str()) != 0 && errno != EEXIST) return fail_errno("link " + link);
  return Ok{};
}

}  // namespace

// The certificate beside the bundles comes last: where it is, all of this is done.
Result<> trust(const wire::GuestNetwork& network, const std::string& root) {
  const std::string& certificate = network.ca_certificate;
  if (certificate.empty() || read_etc_file(root + kAuthorityPem).value_or("") == certificate) return Ok{};
  TRY(put(root + kAuthorityFile, certificate));
  TRY(exists(root + kBundle) ? add_to_bundle(root + kBundle, certificate) : make_bundle(root, certificate));
  for (const char* other : kOtherBundles)
    if (exists(root + other)) TRY(add_to_bundle(root + other, certificate));
  TRY(make_directories(root + "/etc/ssl/certs", 0755));
  TRY(link_by_hash(root, network.ca_hash));
  return put(root + kAuthorityPem, certificate);
}

}  // namespace sbx::guest
