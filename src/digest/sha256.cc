// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "digest/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/fd.h"
#include "base/format.h"

namespace sbx::digest {
namespace {

// These calls fail only when memory is out or OpenSSL is broken; a wrong digest must never be believed.
void must(int succeeded) {
  if (succeeded != 1) std::abort();
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { ::EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(::EVP_MD_CTX_new()) {
  must(context_ != nullptr && ::EVP_DigestInit_ex(context_.get(), ::EVP_sha256(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) { must(::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  must(::EVP_DigestFinal_ex(context_.get(), digest.data(), &length));
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += sbx::format("{:02x}", digest.at(i));
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Result<std::string> sha256_of_file(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY));
  Sha256 digest;
  std::string buffer(1u << 20, '\0');
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read " + path);
    if (n == 0) return digest.finish();
    digest.update(std::string_view(buffer).substr(0, static_cast<std::size_t>(n)));
  }
}

}  // namespace sbx::digest
