// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/store_key.h"

#include <sodium.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/uuid.h"
#include "secrets/keyring.h"
#include "secrets/private_path.h"

namespace sbx::secrets {
namespace {

constexpr std::size_t kKeySize = crypto_kdf_KEYBYTES;
constexpr std::size_t kLargestKeyFile = 1024;
constexpr char kContext[] = "sandboxd";
static_assert(sizeof(kContext) == crypto_kdf_CONTEXTBYTES + 1);
constexpr std::string_view kInKeyring = "keyring:";

std::string key_file(const std::string& directory) { return directory + "/key"; }

Secret hex_of(const Secret& bytes) {
  Secret hex(bytes.size() * 2 + 1);
  ::sodium_bin2hex(reinterpret_cast<char*>(hex.data()), hex.size(), bytes.data(), bytes.size());
  return Secret::copy_of(hex.view().substr(0, bytes.size() * 2));
}

}  // namespace

Result<StoreKey> StoreKey::from_hex(std::string_view hex, bool in_keyring) {
  Secret bytes(kKeySize);
  std::size_t size = 0;
  const char* end = nullptr;
  const bool read = ::sodium_hex2bin(bytes.data(), bytes.size(), hex.data(), hex.size(), nullptr, &size, &end) == 0;
  if (!read || size != kKeySize || end != hex.data() + hex.size())
    return fail(Code::kInternal, "the key of the secret store is damaged: put it back, or remove the store");
  return StoreKey(std::move(bytes), in_keyring);
}

Result<StoreKey> StoreKey::load(const std::string& directory) {
  const std::string path = key_file(directory);
  TRY(check_private_file(path));
  TRY_ASSIGN(const std::string text, read_file(path, kLargestKeyFile));
  const std::string_view word = trimmed(text);
  if (!word.starts_with(kInKeyring)) return from_hex(word, false);
  TRY_ASSIGN(const Secret kept, Keyring::look_up(std::string(word.substr(kInKeyring.size()))));
  return from_hex(trimmed(kept.view()), true);
}

Result<StoreKey> StoreKey::create(const std::string& directory) {
  Secret bytes(kKeySize);
  ::crypto_kdf_keygen(bytes.data());
  const Secret hex = hex_of(bytes);
  if (Keyring::is_here()) {
    const std::string label = new_uuid();
    const auto kept = Keyring::keep(label, hex);
    if (kept) {
      TRY(create_file(key_file(directory), std::string(kInKeyring) + label + "\n"));
      return StoreKey(std::move(bytes), true);
    }
    log_warning("{}; it is kept in a file", kept.error().what());
  }
  TRY(create_file(key_file(directory), hex.view()));
  return StoreKey(std::move(bytes), false);
}

Secret StoreKey::derived(Purpose purpose) const {
  Secret key(crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
  ::crypto_kdf_derive_from_key(key.data(), key.size(), static_cast<std::uint64_t>(purpose), kContext, bytes_.data());
  return key;
}

}  // namespace sbx::secrets
