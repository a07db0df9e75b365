// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/seal.h"

#include <sodium.h>

namespace sbx::secrets {
namespace {

// In front of the nonce; authenticated with the rest, so that no later form can be taken for this one.
constexpr std::string_view kForm = "sandboxd secrets 1\n";
constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string seal(const Secret& plain, const Secret& key) {
  std::string sealed(kForm);
  sealed.resize(kForm.size() + kNonce + plain.size() + kTag);
  auto* nonce = reinterpret_cast<unsigned char*>(sealed.data()) + kForm.size();
  ::randombytes_buf(nonce, kNonce);
  ::crypto_aead_xchacha20poly1305_ietf_encrypt(nonce + kNonce, nullptr, plain.data(), plain.size(), bytes(kForm),
                                               kForm.size(), nullptr, nonce, key.data());
  return sealed;
}

Result<Secret> unseal(std::string_view sealed, const Secret& key) {
  if (!sealed.starts_with(kForm) || sealed.size() < kForm.size() + kNonce + kTag)
    return fail(Code::kInternal, "the secret store is damaged, or of a newer sandboxd");
  sealed.remove_prefix(kForm.size());
  const auto* nonce = bytes(sealed);
  sealed.remove_prefix(kNonce);
  Secret plain(sealed.size() - kTag);
  if (::crypto_aead_xchacha20poly1305_ietf_decrypt(plain.data(), nullptr, nullptr, bytes(sealed), sealed.size(),
                                                   bytes(kForm), kForm.size(), nonce, key.data()) != 0)
    return fail(Code::kInternal, "the secret store was changed, or its key is another one");
  return plain;
}

}  // namespace sbx::secrets
