// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/secret.h"

// Secrets and what is done with them, for people. A value is in none of it.
namespace sbx::cli {

std::string secret_table(const wire::SecretList& list);
std::string lease_table(const wire::LeaseList& list);
std::string binding_table(const wire::BindingList& list);
std::string binding_text(const wire::Binding& binding);  // "X-Key at api.example.com"
std::string audit_table(const wire::AuditTail& tail);
std::string secrets_status_text(const wire::SecretsStatus& status);

}  // namespace sbx::cli
