// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/secret_listing.h"

#include <gtest/gtest.h>

namespace sbx::cli {
namespace {

TEST(SecretListing, ShowsWhatIsThere) {
  EXPECT_EQ(secret_table({{{"a", "", "2026", "2026"},
                           {"github", "github", "2026", "2027"},
                           {"claude", "anthropic", "2026", "2027", "2028", ""},
                           {"codex", "openai", "2026", "2027", "2028", "HTTP 503"}}}),
            "NAME     SERVICE     UPDATED   TOKEN\n"
            "a        -           2026      -\n"
            "github   github      2027      -\n"
            "claude   anthropic   2027      until 2028\n"
            "codex    openai      2027      until 2028, not refreshed: HTTP 503\n");
}

TEST(SecretListing, SaysThatALeaseWasRevoked) {
  wire::LeaseInfo lease{"id", "a", "sandbox:box", "2026", "2027", "1", true};
  EXPECT_NE(lease_table({{lease}}).find("revoked"), std::string::npos);
}

TEST(SecretListing, SaysWhereABindingGoes) {
  wire::Binding binding;
  binding.service = "github";
  EXPECT_EQ(binding_text(binding), "service github");
  binding.service.clear();
  binding.header = "X-Key";
  binding.hosts = {"a.test", "b.test"};
  EXPECT_EQ(binding_text(binding), "X-Key at a.test, b.test");
}

TEST(SecretListing, EscapesWhatAClientCallsItself) {
  wire::AuditEntry entry;
  entry.client_id = "\x1b[31mred";
  EXPECT_EQ(audit_table({{entry}}).find('\x1b'), std::string::npos);
}

TEST(SecretListing, SaysWhyTheStoreCannotBeUsed) {
  wire::SecretsStatus status;
  status.directory = "/home/secrets";
  EXPECT_NE(secrets_status_text(status).find("none yet"), std::string::npos);
  status.error = "permissions";
  EXPECT_NE(secrets_status_text(status).find("permissions"), std::string::npos);
}

}  // namespace
}  // namespace sbx::cli
