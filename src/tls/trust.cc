// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "tls/trust.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace sbx::tls {
namespace {

constexpr std::size_t kLargestBundle = 16u << 20;
constexpr const char* kPlaces[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",
};

}  // namespace

Fd Trust::open_bundle() {
  if (const char* named = std::getenv("SSL_CERT_FILE"); named != nullptr && *named != '\0')
    if (auto file = open_path(named, O_RDONLY)) return std::move(*file);
  for (const char* place : kPlaces)
    if (auto file = open_path(place, O_RDONLY)) return std::move(*file);
  return {};
}

Result<SSL_CTX*> Trust::client_context() {
  if (context_) return context_.get();
  if (!bundle_) return fail(Code::kUnavailable, "the host has no trusted certificates", "apt install ca-certificates");
  (void)::lseek(bundle_.get(), 0, SEEK_SET);  // another process may have read from the same open file
  TRY_ASSIGN(const std::string roots, read_all(bundle_, kLargestBundle));
  TRY_ASSIGN(context_, make_client_context(roots));
  bundle_.reset();
  return context_.get();
}

}  // namespace sbx::tls
