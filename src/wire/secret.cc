// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/secret.h"

namespace sbx::wire {

void describe(Members& members, SecretAdd& add) {
  members.required("name", add.name);
  members.required("value", add.value);
  members.optional("update", add.update);
}

void describe(Members& members, SecretInfo& info) {
  members.required("name", info.name);
  members.sparse("service", info.service);
  members.required("created_at", info.created_at);
  members.required("updated_at", info.updated_at);
  members.sparse("token_expires_at", info.token_expires_at);
  members.sparse("refresh_problem", info.refresh_problem);
}

void describe(Members& members, SecretList& list) { members.required("secrets", list.secrets); }

void describe(Members& members, LeaseRequest& request) {
  members.optional("ttl_s", request.ttl_s);
  members.optional("client_id", request.client_id);
}

void describe(Members& members, LeaseInfo& lease) {
  members.required("lease_id", lease.lease_id);
  members.required("secret_name", lease.secret_name);
  members.required("client_id", lease.client_id);
  members.required("created_at", lease.created_at);
  members.required("expires_at", lease.expires_at);
  members.sparse("sandbox_id", lease.sandbox_id);
  members.sparse("revoked", lease.revoked);
}

void describe(Members& members, LeaseList& list) { members.required("leases", list.leases); }

void describe(Members& members, LeasedSecret& leased) {
  members.required("lease_id", leased.lease_id);
  members.required("secret_name", leased.secret_name);
  members.required("value", leased.value);
  members.required("client_id", leased.client_id);
  members.required("expires_at", leased.expires_at);
  members.required("ttl", leased.ttl);
}

void describe(Members& members, RevokedLeases& revoked) { members.required("revoked", revoked.revoked); }

void describe(Members& members, Binding& binding) {
  members.required("id", binding.id);
  members.required("secret", binding.secret);
  members.sparse("service", binding.service);
  members.sparse("hosts", binding.hosts);
  members.sparse("header", binding.header);
  members.sparse("format", binding.format);
  members.sparse("variable", binding.variable);
  members.sparse("sandbox", binding.sandbox);
  members.sparse("sandbox_id", binding.sandbox_id);
  members.sparse("expires_at", binding.expires_at);
}

void describe(Members& members, BindRequest& request) {
  members.required("secret", request.secret);
  members.optional("service", request.service);
  members.optional("hosts", request.hosts);
  members.optional("header", request.header);
  members.optional("format", request.format);
  members.optional("variable", request.variable);
  members.optional("sandbox", request.sandbox);
  members.optional("ttl_s", request.ttl_s);
}

void describe(Members& members, BindingList& list) { members.required("bindings", list.bindings); }

void describe(Members& members, AuditEntry& entry) {
  members.required("line", entry.line);
  members.required("timestamp", entry.timestamp);
  members.required("action", entry.action);
  members.sparse("secret_name", entry.secret_name);
  members.sparse("client_id", entry.client_id);
  members.sparse("lease_id", entry.lease_id);
  members.sparse("details", entry.details);
  members.required("success", entry.success);
}

void describe(Members& members, AuditTail& tail) { members.required("entries", tail.entries); }

void describe(Members& members, AuditReport& report) {
  members.required("intact", report.intact);
  members.required("lines", report.lines);
  members.sparse("problem", report.problem);
  members.sparse("reason", report.reason);
}

void describe(Members& members, SecretsStatus& status) {
  members.required("directory", status.directory);
  members.sparse("key", status.key);
  members.sparse("error", status.error);
  members.required("secrets", status.secrets);
  members.required("leases", status.leases);
  members.required("bindings", status.bindings);
  members.sparse("problems", status.problems);
}

void describe(Members& members, SandboxCredential& credential) {
  members.required("service", credential.service);
  members.required("source", credential.source);
  members.required("hosts", credential.hosts);
  members.required("header", credential.header);
  members.sparse("variables", credential.variables);
  members.sparse("lease_id", credential.lease_id);
  members.sparse("expires_at", credential.expires_at);
  members.required("state", credential.state);
}

void describe(Members& members, SandboxCredentials& credentials) {
  members.required("credentials", credentials.credentials);
}

}  // namespace sbx::wire
