// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "cli/words/captured_login.h"

// A file that a guest passes off as a login: what is taken of it is JSON without a control character, and the same when
// it is read once more.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sbx;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  for (const cli::LoginKind& kind : cli::login_kinds()) {
    const auto login = kind.read(file);
    if (!login) continue;
    const auto json = parse_json(*login);
    if (!json || json->size() > 2) std::abort();
    for (const unsigned char c : *login)
      if (c < 0x20 || c >= 0x7f) std::abort();
    const auto again = kind.read(*login);
    if (!again || *again != *login) std::abort();
  }
  return 0;
}
