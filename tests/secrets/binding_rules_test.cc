// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/binding_rules.h"

#include <gtest/gtest.h>

namespace sbx::secrets {
namespace {

wire::Binding example() {
  wire::Binding binding;
  binding.secret = "a";
  binding.hosts = {"api.example.com"};
  binding.header = "X-Key";
  binding.format = "{}";
  return binding;
}

TEST(BindingRules, TakeHostsAndAField) {
  wire::Binding binding = example();
  EXPECT_TRUE(check_binding(binding));
  binding.format = "Token {}";
  binding.variable = "EXAMPLE_KEY";
  EXPECT_TRUE(check_binding(binding));
  EXPECT_EQ(prefix_of(binding), "Token ");
}

TEST(BindingRules, WantExactHosts) {
  for (const char* host :
       {"", "*.example.com", "Example.com", "example.com:443", "https://a", ".a", "a.", "a..b", "a b"}) {
    wire::Binding binding = example();
    binding.hosts = {host};
    EXPECT_FALSE(check_binding(binding)) << host;
  }
}

TEST(BindingRules, RefuseFieldsThatSteerTheConnection) {
  for (const char* header : {"", "X Key", "X:Key", "Host", "content-length", "Transfer-Encoding", "x\r\ny"}) {
    wire::Binding binding = example();
    binding.header = header;
    EXPECT_FALSE(check_binding(binding)) << header;
  }
}

TEST(BindingRules, WantTheSecretAtTheEndOfTheFieldOnce) {
  for (const char* format : {"", "x", "{} x", "{}{}", "a\n{}"}) {
    wire::Binding binding = example();
    binding.format = format;
    EXPECT_FALSE(check_binding(binding)) << format;
  }
}

TEST(BindingRules, KnowTheServices) {
  wire::Binding binding;
  binding.secret = "a";
  binding.service = "github";
  EXPECT_TRUE(check_binding(binding));
  binding.hosts = {"github.com"};
  EXPECT_FALSE(check_binding(binding));
  binding.hosts.clear();
  binding.service = "gitbub";
  EXPECT_FALSE(check_binding(binding));
}

TEST(BindingRules, LetNoTwoHaveOneFieldOfAHost) {
  const wire::Binding first = example();
  wire::Binding second = example();
  second.header = "x-key";
  EXPECT_FALSE(check_apart(second, {first}));
  second.sandbox_id = "box";
  EXPECT_TRUE(check_apart(second, {first}));
  second = example();
  second.hosts = {"other.example.com"};
  EXPECT_TRUE(check_apart(second, {first}));
}

}  // namespace
}  // namespace sbx::secrets
