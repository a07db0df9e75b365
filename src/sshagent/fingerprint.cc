// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sshagent/fingerprint.h"

#include <openssl/sha.h>

#include <array>

#include "base/base64.h"

namespace sbx::sshagent {

std::string fingerprint(std::string_view key) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), digest.data());
  std::string text = "SHA256:" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
  text.erase(text.find('='));  // ssh-add leaves the padding off; this length has some
  return text;
}

}  // namespace sbx::sshagent
