// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What a Policy says after at_connect: of the addresses that a host resolves to, of TLS, of requests, of other
// protocols.
#include <gtest/gtest.h>

#include <optional>

#include "policy/names.h"
#include "policy/policy.h"
#include "policy/words.h"

namespace sbx::policy {
namespace {

using namespace std::string_literals;

struct Resolved {
  const char* edits;
  const char* target;
  const char* address;
  const char* words;
};

const Resolved kResolved[] = {
    {"", "example.com:443", "93.184.216.34", "inspect by <default policy>"},
    {"", "example.com:443", "2606:2800:220:1::1", "inspect by <default policy>"},
    // DNS rebinding.
    {"", "rebind.test:80", "127.0.0.1", "deny by 127.0.0.0/8"},
    {"", "rebind.test:80", "169.254.169.254", "deny by 169.254.0.0/16"},
    {"", "rebind.test:80", "10.0.0.1", "deny by 10.0.0.0/8"},
    {"", "rebind.test:80", "0.0.0.0", "deny by 0.0.0.0/8"},
    {"", "rebind.test:80", "::", "deny by 0.0.0.0/8"},
    {"", "rebind.test:80", "::1", "deny by ::1/128"},
    {"", "rebind.test:80", "::ffff:10.0.0.1", "deny by 10.0.0.0/8"},
    {"", "rebind.test:80", "64:ff9b::a00:1", "deny by 10.0.0.0/8"},
    {"", "rebind.test:80", "2002:a00:1::", "deny by 10.0.0.0/8"},
    {"", "rebind.test:80", "fd00::1", "deny by fc00::/7"},
    {"", "a.localhost:80", "127.0.0.1", "deny by 127.0.0.0/8"},
    // A wildcard and the default trust no name that somebody else may own.
    {"--allow-host *.example.com", "a.example.com:80", "10.0.0.1", "deny by 10.0.0.0/8"},
    {"--allow-host *.example.com:80", "a.example.com:80", "127.0.0.1", "deny by 127.0.0.0/8"},
    {"--allow-host *", "a.example.com:80", "10.0.0.1", "deny by 10.0.0.0/8"},
    // A host allowed by its own name may be anywhere.
    {"--allow-host nas.example.com", "nas.example.com:80", "192.168.1.5", "inspect by nas.example.com"},
    {"--allow-host nas.example.com:80", "nas.example.com:80", "fd00::5", "inspect by nas.example.com:80"},
    {"--allow-host nas.example.com:80", "nas.example.com:81", "192.168.1.5", "deny by 192.168.0.0/16"},
    {"--allow-host localhost:80", "host.docker.internal:80", "127.0.0.1", "inspect by localhost:80"},
    {"--allow-cidr 192.168.0.0/16", "nas.example.com:80", "192.168.1.5", "inspect by <default policy>"},
    {"--allow-cidr 192.168.1.0/24", "nas.example.com:80", "192.168.2.5", "deny by 192.168.0.0/16"},
    // An address that is blocked as a host is blocked under any name, but for a host allowed by name.
    {"--block-host 93.184.216.34", "example.com:443", "93.184.216.34", "deny by 93.184.216.34"},
    {"--block-host 93.184.216.34", "example.com:443", "64:ff9b::5db8:d822", "deny by 93.184.216.34"},
    {"--block-host 93.184.216.34:80", "example.com:443", "93.184.216.34", "inspect by <default policy>"},
    {"--block-host 93.184.216.34 --allow-host example.com", "example.com:443", "93.184.216.34",
     "inspect by example.com"},
    // An address allowed as a host is allowed when it is asked for, not for whoever resolves to it.
    {"--allow-host 10.0.0.5", "rebind.test:80", "10.0.0.5", "deny by 10.0.0.0/8"},
    {"--bypass-cidr 203.0.113.0/24", "pinned.test:443", "203.0.113.5", "tunnel by <default policy>"},
    {"--bypass-cidr 203.0.113.0/24", "pinned.test:443", "203.0.114.5", "inspect by <default policy>"},
    {"--bypass-cidr 10.0.0.0/8", "pinned.test:443", "10.0.0.5", "deny by 10.0.0.0/8"},
    {"--bypass-cidr 10.0.0.0/8 --allow-host pinned.test", "pinned.test:443", "10.0.0.5", "tunnel by pinned.test"},
    {"--bypass-host pinned.test", "pinned.test:443", "10.0.0.5", "deny by 10.0.0.0/8"},
    // What is refused stays refused.
    {"--policy deny", "example.com:443", "93.184.216.34", "deny by <default policy>"},
    {"--block-host example.com --bypass-cidr 0.0.0.0/0", "example.com:443", "93.184.216.34", "deny by example.com"},
};

TEST(AtAddress, HoldsRangesAgainstWhatIsNotAllowedByName) {
  for (const auto& [edits, text, address, words] : kResolved) {
    const Policy policy(rules_after(edits));
    const Target target = target_of(text);
    const Verdict verdict = policy.at_address(target, policy.at_connect(target), address_of(address));
    EXPECT_EQ(words_of(verdict), words) << edits << " / " << text << " / " << address;
  }
}

TEST(AtAddress, SaysWhichAddressItWas) {
  const Policy policy(default_rules());
  const Target target = target_of("rebind.test:80");
  const auto detail = [&](const char* address) {
    return policy.at_address(target, policy.at_connect(target), address_of(address)).detail;
  };
  EXPECT_EQ(detail("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(detail("64:ff9b::a00:1"), "10.0.0.1 in 64:ff9b::a00:1");
}

struct Other {
  const char* edits;
  const char* target;
  const char* words;
};

const Other kOthers[] = {
    {"", "github.com:22", "deny by <only http>"},
    {"--allow-host github.com", "github.com:22", "deny by <only http>"},
    {"--allow-host *:22", "github.com:22", "deny by <only http>"},
    {"--allow-host *.com:22", "github.com:22", "deny by <only http>"},
    {"--allow-host *", "github.com:22", "deny by <only http>"},
    {"--bypass-host github.com:22", "github.com:22", "deny by <only http>"},
    {"--allow-host github.com:22", "github.com:22", "tunnel by github.com:22"},
    {"--allow-host github.com:22", "GitHub.com.:22", "tunnel by github.com:22"},
    {"--allow-host github.com:22", "github.com:443", "deny by <only http>"},
    {"--allow-host github.com:22", "gitlab.com:22", "deny by <only http>"},
    {"--policy deny --allow-host github.com:22", "github.com:22", "tunnel by github.com:22"},
    {"--policy deny --allow-host github.com:22", "gitlab.com:22", "deny by <default policy>"},
    {"--allow-host github.com:22 --block-host github.com:22", "github.com:22", "deny by github.com:22"},
    {"--allow-host localhost:5432", "host.docker.internal:5432", "tunnel by localhost:5432"},
    {"--allow-host localhost:5432", "host.docker.internal:5433", "deny by <host ports>"},
    {"--allow-host 10.0.0.5:5432", "10.0.0.5:5432", "tunnel by 10.0.0.5:5432"},
    {"--allow-host 10.0.0.5", "10.0.0.5:5432", "deny by <only http>"},
    {"--allow-cidr 10.0.0.0/8", "10.0.0.5:5432", "deny by <only http>"},
    // On the ports of HTTP only a rule that says so.
    {"--allow-host example.com:443", "example.com:443", "deny by <only http>"},
    {"--allow-host example.com:80", "example.com:80", "deny by <only http>"},
    {"--allow-host localhost:443", "host.docker.internal:443", "deny by <only http>"},
    {"--allow-host 10.0.0.5:80", "10.0.0.5:80", "deny by <only http>"},
    {"--allow-host example.com:443 --bypass-host example.com:443", "example.com:443", "deny by <only http>"},
    {"--allow-raw example.com:443", "example.com:443", "tunnel by example.com:443"},
    {"--allow-raw example.com:443", "example.com:80", "deny by <only http>"},
    {"--allow-raw github.com:22", "github.com:22", "tunnel by github.com:22"},
    {"--allow-raw example.com:443 --allow-host example.com:443", "example.com:443", "deny by <only http>"},
    {"--allow-raw example.com:443 --remove-host example.com:443", "example.com:443", "deny by <only http>"},
    {"--allow-raw example.com:443 --block-host example.com:443", "example.com:443", "deny by example.com:443"},
};

TEST(AtOther, OtherProtocolsNeedTheHostAndThePort) {
  for (const auto& [edits, target, words] : kOthers)
    EXPECT_EQ(words_of(Policy(rules_after(edits)).at_other(target_of(target))), words) << edits << " / " << target;
}

TEST(AtOtherInside, TlsThatIsInspectedIsForHttpOnly) {
  const Other cases[] = {
      {"", "example.com:993", "deny by <only http>"},
      {"--allow-host example.com:993", "example.com:993", "deny by <only http>"},
      {"--allow-raw example.com:993", "example.com:993", "deny by <only http>"},  // too late: it has been inspected
      {"--policy deny", "example.com:993", "deny by <default policy>"},
  };
  for (const auto& [edits, target, words] : cases)
    EXPECT_EQ(words_of(Policy(rules_after(edits)).at_other_inside(target_of(target))), words) << edits;
}

TEST(Passes, IsMoreTheMoreARuleSays) {
  const Other cases[] = {
      {"", "example.com:22", "http"},
      {"--allow-host *", "example.com:22", "http"},
      {"--allow-host *.com:22", "example.com:22", "http"},
      {"--allow-host example.com", "example.com:22", "http"},
      {"--allow-host example.com:22", "example.com:22", "other"},
      {"--allow-host example.com:443", "example.com:443", "http"},
      {"--allow-host example.com:80", "example.com:80", "http"},
      {"--bypass-host example.com:443", "example.com:443", "http"},
      {"--allow-raw example.com:443", "example.com:443", "raw"},
      {"--allow-raw example.com:22", "example.com:22", "raw"},
  };
  for (const auto& [edits, target, words] : cases)
    EXPECT_EQ(word_of(Policy(rules_after(edits)).at_connect(target_of(target)).passes), words) << edits;
}

struct Hello {
  const char* target;
  std::optional<std::string> server_name;
  const char* words;
};

const Hello kHellos[] = {
    {"example.com:443", "example.com", "inspect by <default policy>"},
    {"example.com:443", "EXAMPLE.com", "inspect by <default policy>"},
    {"example.com.:443", "example.com", "inspect by <default policy>"},
    {"example.com:443", "example.com.", "inspect by <default policy>"},
    {"example.com:443", std::nullopt, "deny by <names agree>"},
    {"example.com:443", "", "deny by <names agree>"},
    {"example.com:443", "www.example.com", "deny by <names agree>"},
    {"example.com:443", "example.org", "deny by <names agree>"},
    {"example.com:443", "example.com..", "deny by <names agree>"},
    {"example.com:443", "example.com\0.evil.test"s, "deny by <names agree>"},
    {"example.com:443", "example.com:443", "deny by <names agree>"},
    {"example.com:443", "93.184.216.34", "deny by <names agree>"},
    {"example.com:443", "ex\xc3\xa4mple.com", "deny by <names agree>"},
    {"example.com:443", " example.com", "deny by <names agree>"},
    {"93.184.216.34:443", std::nullopt, "inspect by <default policy>"},
    {"93.184.216.34:443", "93.184.216.34", "inspect by <default policy>"},
    {"93.184.216.34:443", "example.com", "deny by <names agree>"},
    {"[2001:db8::1]:443", std::nullopt, "inspect by <default policy>"},
    {"10.0.0.1:443", std::nullopt, "deny by 10.0.0.0/8"},
    {"host.docker.internal:443", "localhost", "deny by <names agree>"},
    {"blocked.test:443", "blocked.test", "deny by blocked.test"},
    {"blocked.test:443", "example.com", "deny by <names agree>"},
    {"example.com:443", "blocked.test", "deny by <names agree>"},
};

TEST(AtHello, ServerNameIsTheHostThatWasAskedFor) {
  const Policy policy(rules_after("--block-host blocked.test"));
  for (const auto& [target, name, words] : kHellos)
    EXPECT_EQ(words_of(policy.at_hello(target_of(target), name)), words) << target << " / " << name.value_or("(none)");
}

struct Asked {
  const char* target;
  bool encrypted;
  std::string authority;
  const char* words;
};

const Asked kAsked[] = {
    {"example.com:443", true, "example.com", "inspect by <default policy>"},
    {"example.com:443", true, "example.com:443", "inspect by <default policy>"},
    {"example.com:443", true, "EXAMPLE.COM", "inspect by <default policy>"},
    {"example.com:443", true, "example.com.", "inspect by <default policy>"},
    {"example.com:443", true, "example.com:80", "deny by <names agree>"},
    {"example.com:443", true, "www.example.com", "deny by <names agree>"},
    {"example.com:443", true, "example.org", "deny by <names agree>"},
    {"example.com:443", true, "", "deny by <names agree>"},
    {"example.com:443", true, ":443", "deny by <names agree>"},
    {"example.com:443", true, "example.com:", "deny by <names agree>"},
    {"example.com:443", true, "example.com:0443", "deny by <names agree>"},
    {"example.com:443", true, "example.com:+443", "deny by <names agree>"},
    {"example.com:443", true, "example.com:443:443", "deny by <names agree>"},
    {"example.com:443", true, "example.com:65979", "deny by <names agree>"},
    {"example.com:443", true, "user@example.com", "deny by <names agree>"},
    {"example.com:443", true, "example.com@evil.test", "deny by <names agree>"},
    {"example.com:443", true, "example.com,evil.test", "deny by <names agree>"},
    {"example.com:443", true, "example.com evil.test", "deny by <names agree>"},
    {"example.com:443", true, "example.com\t", "deny by <names agree>"},
    {"example.com:443", true, "example.com\r\nX: y", "deny by <names agree>"},
    {"example.com:443", true, "example.com\0"s, "deny by <names agree>"},
    {"example.com:443", true, "example.com/", "deny by <names agree>"},
    {"example.com:443", true, "https://example.com", "deny by <names agree>"},
    {"example.com:443", true, "%65xample.com", "deny by <names agree>"},
    {"example.com:443", true, "93.184.216.34", "deny by <names agree>"},
    {"example.com:8443", true, "example.com:8443", "inspect by <default policy>"},
    {"example.com:8443", true, "example.com", "deny by <names agree>"},
    {"example.com:80", false, "example.com", "inspect by <default policy>"},
    {"example.com:80", false, "example.com:80", "inspect by <default policy>"},
    {"example.com:80", false, "example.com:443", "deny by <names agree>"},
    {"example.com:8080", false, "example.com:8080", "inspect by <default policy>"},
    {"example.com:8080", false, "example.com", "deny by <names agree>"},
    {"93.184.216.34:80", false, "93.184.216.34", "inspect by <default policy>"},
    {"93.184.216.34:80", false, "[::ffff:93.184.216.34]", "inspect by <default policy>"},
    {"93.184.216.34:80", false, "example.com", "deny by <names agree>"},
    {"93.184.216.34:80", false, "1572395042", "deny by <names agree>"},
    {"[2001:db8::1]:80", false, "[2001:DB8:0::1]", "inspect by <default policy>"},
    {"[2001:db8::1]:80", false, "2001:db8::1", "deny by <names agree>"},
    {"host.docker.internal:3000", false, "host.docker.internal:3000", "inspect by localhost:3000"},
    {"host.docker.internal:3000", false, "localhost:3000", "deny by <names agree>"},
    {"host.docker.internal:3001", false, "host.docker.internal:3001", "deny by <host ports>"},
    {"blocked.test:80", false, "blocked.test", "deny by blocked.test"},
    {"blocked.test:80", false, "example.com", "deny by <names agree>"},
    {"example.com:80", false, "blocked.test", "deny by <names agree>"},
};

// As the proxy asks about a request: its own words first, then those of its connection.
struct Said {
  bool encrypted;
  std::optional<std::string_view> server_name;
  std::string_view authority;
};
Verdict asked(const Policy& policy, const Target& target, const Said& said) {
  if (auto refused = refused_authority(target, said.encrypted, said.authority)) return *refused;
  return said.encrypted ? policy.at_hello(target, said.server_name) : policy.at_connect(target);
}

TEST(AtRequest, HostIsTheOneThatWasAskedFor) {
  const Policy policy(rules_after("--block-host blocked.test --allow-host localhost:3000"));
  for (const auto& [text, encrypted, authority, words] : kAsked) {
    const Target target = target_of(text);
    EXPECT_EQ(words_of(asked(policy, target, {encrypted, target.host.text(), authority})), words)
        << text << " / " << authority;
  }
}

TEST(AtRequest, ServerNameHasToAgreeToo) {
  const Policy policy(default_rules());
  const Target target = target_of("example.com:443");
  EXPECT_TRUE(asked(policy, target, {true, "example.com", "example.com"}).allowed());
  EXPECT_EQ(asked(policy, target, {true, "example.org", "example.com"}).reason, Reason::kNamesDisagree);
  EXPECT_EQ(asked(policy, target, {true, std::nullopt, "example.com"}).reason, Reason::kNoServerName);
  EXPECT_TRUE(asked(policy, target_of("example.com:80"), {false, std::nullopt, "example.com"}).allowed());
}

}  // namespace
}  // namespace sbx::policy
