// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0

// set_credentials: what the daemon tells a sandbox's vault, without the daemon's store of secrets.
//
//   set_credentials STATE_DIRECTORY [TIMES] < credentials.json
//
// The JSON is a wire::CredentialList. With TIMES it is set that often, and every second time without its last
// credential.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/fd.h"
#include "base/value.h"
#include "sandboxes/vault.h"

namespace sbx {
namespace {

Result<> run(int argc, char** argv) {
  if (argc < 2) return fail(Code::kInvalid, "set_credentials STATE_DIRECTORY [TIMES] < credentials.json");
  const Fd input(::dup(STDIN_FILENO));
  TRY_ASSIGN(const std::string text, read_all(input, 4u << 20));
  TRY_ASSIGN(const auto list, value_in<wire::CredentialList>(text, "credentials", Unknown::kRefused));
  const sandboxes::VaultSocket vault(std::string(argv[1]) + "/vault.sock");
  auto fewer = list.credentials;
  if (!fewer.empty()) fewer.pop_back();
  for (int left = argc > 2 ? std::stoi(argv[2]) : 1; left > 0; --left)
    TRY(vault.set_credentials(left % 2 == 0 ? fewer : list.credentials));
  return Ok{};
}

}  // namespace
}  // namespace sbx

int main(int argc, char** argv) {
  if (const auto done = sbx::run(argc, argv); !done) {
    std::fprintf(stderr, "set_credentials: %s\n", done.error().what().c_str());
    return 1;
  }
}
