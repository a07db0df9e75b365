// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/vault.h"

#include "wire/credential_file.h"
#include "wire/vault_control.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kVaultLimit{10};

}  // namespace

Result<> VaultSocket::set_credentials(const std::vector<wire::Credential>& credentials) const {
  TRY_ASSIGN(const Fd file, wire::make_credential_file(credentials));
  TRY(socket_.ask(request_of(wire::SetCredentials{}), kVaultLimit, {file.get()}));
  return Ok{};
}

}  // namespace sbx::sandboxes
