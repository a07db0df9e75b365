// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "secrets/secret.h"

namespace sbx::secrets {

// The key of one store, from which the keys for each purpose are derived. It is in the user's keyring where there is
// one that lasts, else in a file beside the store (0600): then the encryption protects copies of the store file, and
// the permissions of the directory protect the rest.
class StoreKey {
 public:
  // Of a store that is there: as the file "key" in its directory says. A keyring that does not answer is an error, and
  // never a new key.
  static Result<StoreKey> load(const std::string& directory);
  // For a new store.
  static Result<StoreKey> create(const std::string& directory);

  bool in_keyring() const { return in_keyring_; }

  enum class Purpose { kSeal = 1, kAudit = 2, kPlaceholders = 3 };
  Secret derived(Purpose purpose) const;

 private:
  StoreKey(Secret bytes, bool in_keyring) : bytes_(std::move(bytes)), in_keyring_(in_keyring) {}
  static Result<StoreKey> from_hex(std::string_view hex, bool in_keyring);

  Secret bytes_;
  bool in_keyring_;
};

}  // namespace sbx::secrets
