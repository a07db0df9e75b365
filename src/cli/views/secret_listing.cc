// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/secret_listing.h"

#include <vector>

#include "base/text.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// Of a login: how long its token is good for, and why there may be no other after it.
std::string token_text(const wire::SecretInfo& secret) {
  if (secret.token_expires_at.empty()) return "-";
  const std::string until = "until " + secret.token_expires_at;
  return secret.refresh_problem.empty() ? until : until + ", not refreshed: " + secret.refresh_problem;
}

}  // namespace

std::string secret_table(const wire::SecretList& list) {
  Rows rows{{"NAME", "SERVICE", "UPDATED", "TOKEN"}};
  for (const wire::SecretInfo& secret : list.secrets)
    rows.push_back({secret.name, or_dash(secret.service), secret.updated_at, token_text(secret)});
  return columns(rows);
}

std::string lease_table(const wire::LeaseList& list) {
  Rows rows{{"LEASE", "SECRET", "CLIENT", "EXPIRES"}};
  for (const wire::LeaseInfo& lease : list.leases)
    rows.push_back(
        {lease.lease_id, lease.secret_name, or_dash(lease.client_id), lease.revoked ? "revoked" : lease.expires_at});
  return columns(rows);
}

std::string binding_text(const wire::Binding& binding) {
  if (!binding.service.empty()) return "service " + binding.service;
  return binding.header + " at " + join(binding.hosts, ", ");
}

std::string binding_table(const wire::BindingList& list) {
  Rows rows{{"BINDING", "SECRET", "WHERE", "VARIABLE", "SANDBOX", "EXPIRES"}};
  for (const wire::Binding& binding : list.bindings)
    rows.push_back({binding.id, binding.secret, binding_text(binding), or_dash(binding.variable),
                    binding.sandbox.empty() ? "all" : binding.sandbox, or_dash(binding.expires_at)});
  return columns(rows);
}

std::string audit_table(const wire::AuditTail& tail) {
  Rows rows{{"TIME", "ACTION", "SECRET", "CLIENT", "DETAILS"}};
  for (const wire::AuditEntry& entry : tail.entries)
    rows.push_back({entry.timestamp, std::string(word_of(entry.action)) + (entry.success ? "" : " (refused)"),
                    or_dash(entry.secret_name), or_dash(entry.client_id), or_dash(entry.details)});
  return columns(rows);
}

std::string secrets_status_text(const wire::SecretsStatus& status) {
  Rows rows{{"store", status.directory}};
  if (!status.error.empty()) {
    rows.push_back({"error", status.error});
    return columns(rows);
  }
  rows.push_back({"key", status.key.empty() ? "none yet" : "in a " + status.key});
  rows.push_back({"secrets", std::to_string(status.secrets)});
  rows.push_back({"leases", std::to_string(status.leases)});
  rows.push_back({"bindings", std::to_string(status.bindings)});
  for (const std::string& problem : status.problems) rows.push_back({"not refreshed", problem});
  return columns(rows);
}

}  // namespace sbx::cli
