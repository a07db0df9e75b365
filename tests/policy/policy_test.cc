// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include <gtest/gtest.h>

#include "policy/words.h"

namespace sbx::policy {
namespace {

struct Answer {
  const char* target;
  const char* words;
};

struct Group {
  const char* edits;
  std::vector<Answer> answers;
};

// What the same rules say of many targets, at_connect.
const std::vector<Group> kGroups{
    // Nothing changed: everything but the blocked and the reserved ranges.
    {"",
     {
         {"example.com:443", "inspect by <default policy>"},
         {"example.com:80", "inspect by <default policy>"},
         {"example.com:22", "inspect by <default policy>"},
         {"EXAMPLE.com.:443", "inspect by <default policy>"},
         {"xn--bcher-kva.example:443", "inspect by <default policy>"},
         {"_dmarc.example.com:443", "inspect by <default policy>"},
         {"nas:80", "inspect by <default policy>"},
         {"1.1.1.1:443", "inspect by <default policy>"},
         {"[2606:4700::1111]:443", "inspect by <default policy>"},
         {"10.0.0.1:80", "deny by 10.0.0.0/8"},
         {"10.255.255.255:80", "deny by 10.0.0.0/8"},
         {"11.0.0.0:80", "inspect by <default policy>"},
         {"9.255.255.255:80", "inspect by <default policy>"},
         {"127.0.0.1:80", "deny by 127.0.0.0/8"},
         {"127.255.255.254:80", "deny by 127.0.0.0/8"},
         {"128.0.0.1:80", "inspect by <default policy>"},
         {"169.254.169.254:80", "deny by 169.254.0.0/16"},
         {"169.253.255.255:80", "inspect by <default policy>"},
         {"172.15.255.255:80", "inspect by <default policy>"},
         {"172.16.0.0:80", "deny by 172.16.0.0/12"},
         {"172.31.255.255:80", "deny by 172.16.0.0/12"},
         {"172.32.0.0:80", "inspect by <default policy>"},
         {"192.168.0.1:80", "deny by 192.168.0.0/16"},
         {"192.169.0.1:80", "inspect by <default policy>"},
         {"0.0.0.0:80", "deny by 0.0.0.0/8"},
         {"0.1.2.3:80", "deny by 0.0.0.0/8"},
         {"1.0.0.0:80", "inspect by <default policy>"},
         {"100.63.255.255:80", "inspect by <default policy>"},
         {"100.64.0.1:80", "deny by 100.64.0.0/10"},
         {"100.100.100.200:80", "deny by 100.64.0.0/10"},
         {"100.128.0.0:80", "inspect by <default policy>"},
         {"168.63.129.16:80", "deny by 168.63.129.16/32"},
         {"168.63.129.17:80", "inspect by <default policy>"},
         {"192.0.0.192:80", "deny by 192.0.0.0/24"},
         {"192.0.1.1:80", "inspect by <default policy>"},
         {"198.18.0.1:80", "deny by 198.18.0.0/15"},
         {"198.19.255.255:80", "deny by 198.18.0.0/15"},
         {"198.20.0.0:80", "inspect by <default policy>"},
         {"224.0.0.1:80", "deny by 224.0.0.0/4"},
         {"240.0.0.1:80", "deny by 240.0.0.0/4"},
         {"255.255.255.255:80", "deny by 240.0.0.0/4"},
         {"[::1]:80", "deny by ::1/128"},
         {"[::]:80", "deny by 0.0.0.0/8"},
         {"[fc00::1]:80", "deny by fc00::/7"},
         {"[fd00:ec2::254]:80", "deny by fc00::/7"},
         {"[fe80::1]:80", "deny by fe80::/10"},
         {"[febf::1]:80", "deny by fe80::/10"},
         {"[fec0::1]:80", "deny by fec0::/10"},
         {"[ff02::1]:80", "deny by ff00::/8"},
         {"[2001:db8::1]:80", "inspect by <default policy>"},
         // An IPv4 address in IPv6 clothes.
         {"[::ffff:127.0.0.1]:80", "deny by 127.0.0.0/8"},
         {"[::ffff:7f00:1]:80", "deny by 127.0.0.0/8"},
         {"[0:0:0:0:0:ffff:a00:1]:80", "deny by 10.0.0.0/8"},
         {"[::127.0.0.1]:80", "deny by 127.0.0.0/8"},
         {"[::ffff:0:192.168.0.1]:80", "deny by 192.168.0.0/16"},
         {"[64:ff9b::7f00:1]:80", "deny by 127.0.0.0/8"},
         {"[64:ff9b::169.254.169.254]:80", "deny by 169.254.0.0/16"},
         {"[64:ff9b::101:101]:80", "inspect by <default policy>"},
         {"[64:ff9b:1::101:101]:80", "deny by 64:ff9b:1::/48"},
         {"[2002:7f00:1::]:80", "deny by 127.0.0.0/8"},
         {"[2002:a9fe:a9fe::1]:80", "deny by 169.254.0.0/16"},
         {"[2002:101:101::1]:80", "inspect by <default policy>"},
         {"[2001:0:101:101::f5ff:fffe]:80", "deny by 10.0.0.0/8"},
         {"[2001:0:a00:1::fefe:fefe]:80", "deny by 10.0.0.0/8"},
         {"[2001:0:101:101::fefe:fefe]:80", "inspect by <default policy>"},
         {"[2001:db8::5efe:10.0.0.1]:80", "deny by 10.0.0.0/8"},
         {"[2001:db8::200:5efe:7f00:1]:80", "deny by 127.0.0.0/8"},
         // The host itself.
         {"localhost:80", "deny by <host ports>"},
         {"LocalHost.:80", "deny by <host ports>"},
         {"host.docker.internal:80", "deny by <host ports>"},
         {"Host.Docker.Internal:3000", "deny by <host ports>"},
         {"gateway.docker.internal:80", "inspect by <default policy>"},
     }},
    // Nothing allowed is silence.
    {"--policy deny",
     {
         {"example.com:443", "deny by <default policy>"},
         {"nas:80", "deny by <default policy>"},
         {"1.1.1.1:443", "deny by <default policy>"},
         {"10.0.0.1:80", "deny by <default policy>"},
         {"[2606:4700::1111]:443", "deny by <default policy>"},
         {"localhost:80", "deny by <host ports>"},
         {"host.docker.internal:80", "deny by <host ports>"},
     }},
    // A host is not its subdomains, nor its port's neighbours.
    {"--policy deny --allow-host example.com --allow-host api.example.org:443",
     {
         {"example.com:443", "inspect by example.com"},
         {"example.com:80", "inspect by example.com"},
         {"example.com:1", "inspect by example.com"},
         {"EXAMPLE.COM:443", "inspect by example.com"},
         {"example.com.:443", "inspect by example.com"},
         {"www.example.com:443", "deny by <default policy>"},
         {"notexample.com:443", "deny by <default policy>"},
         {"example.com.evil.test:443", "deny by <default policy>"},
         {"example.co:443", "deny by <default policy>"},
         {"com:443", "deny by <default policy>"},
         {"xn--exmple-cua.com:443", "deny by <default policy>"},
         {"api.example.org:443", "inspect by api.example.org:443"},
         {"api.example.org:80", "deny by <default policy>"},
         {"example.org:443", "deny by <default policy>"},
     }},
    {"--block-host example.com --block-host api.example.org:443",
     {
         {"example.com:443", "deny by example.com"},
         {"eXample.cOm:443", "deny by example.com"},
         {"example.com.:443", "deny by example.com"},
         {"www.example.com:443", "inspect by <default policy>"},
         {"api.example.org:443", "deny by api.example.org:443"},
         {"api.example.org:80", "inspect by <default policy>"},
     }},
    // A wildcard is the subdomains, however deep, and not the domain.
    {"--policy deny --allow-host *.example.com",
     {
         {"www.example.com:443", "inspect by *.example.com"},
         {"a.b.c.example.com:8443", "inspect by *.example.com"},
         {"WWW.EXAMPLE.COM.:443", "inspect by *.example.com"},
         {"example.com:443", "deny by <default policy>"},
         {"wwwexample.com:443", "deny by <default policy>"},
         {"www.example.com.evil.test:443", "deny by <default policy>"},
     }},
    {"--policy deny --allow-host *.example.com:443",
     {
         {"www.example.com:443", "inspect by *.example.com:443"},
         {"www.example.com:80", "deny by <default policy>"},
         {"example.com:443", "deny by <default policy>"},
     }},
    {"--policy deny --allow-host *",
     {
         {"example.com:443", "inspect by *"},
         {"nas:80", "inspect by *"},
         {"1.1.1.1:443", "inspect by *"},
         {"10.0.0.1:80", "deny by 10.0.0.0/8"},
         {"[64:ff9b::a00:1]:80", "deny by 10.0.0.0/8"},
         {"localhost:80", "deny by <host ports>"},
     }},
    {"--policy deny --allow-host *:443",
     {
         {"example.com:443", "inspect by *:443"},
         {"example.com:80", "deny by <default policy>"},
         {"1.1.1.1:443", "inspect by *:443"},
         {"192.168.1.1:443", "deny by 192.168.0.0/16"},
         {"localhost:443", "deny by <host ports>"},
     }},
    // Everything at once: the most specific decides.
    {"--block-host * --allow-host *:443 --block-host *.com --allow-host *.com:8443 --allow-host *.example.com"
     " --block-host *.example.com:25 --block-host bad.example.com --allow-host bad.example.com:443"
     " --allow-host *.dev.example.com:25 --block-host *.dev.example.com:443",
     {
         {"example.org:80", "deny by *"},
         {"example.org:443", "inspect by *:443"},
         {"org:443", "inspect by *:443"},
         {"example.com:80", "deny by *.com"},
         {"example.com:443", "deny by *.com"},
         {"example.com:8443", "inspect by *.com:8443"},
         {"www.example.com:443", "inspect by *.example.com"},
         {"www.example.com:8443", "inspect by *.example.com"},
         {"www.example.com:25", "deny by *.example.com:25"},
         {"bad.example.com:80", "deny by bad.example.com"},
         {"bad.example.com:25", "deny by bad.example.com"},
         {"bad.example.com:443", "inspect by bad.example.com:443"},
         {"sub.bad.example.com:443", "inspect by *.example.com"},
         {"dev.example.com:443", "inspect by *.example.com"},
         {"x.dev.example.com:25", "inspect by *.dev.example.com:25"},
         {"x.dev.example.com:443", "deny by *.dev.example.com:443"},
         {"x.dev.example.com:80", "inspect by *.example.com"},
         {"1.1.1.1:80", "deny by *"},
         {"1.1.1.1:443", "inspect by *:443"},
         {"com:80", "deny by *"},
     }},
    {"--allow-host * --block-host *:80 --block-host *.test --allow-host ok.test",
     {
         {"example.com:443", "inspect by *"},
         {"example.com:80", "deny by *:80"},
         {"ok.test:80", "inspect by ok.test"},
         {"bad.test:443", "deny by *.test"},
         {"test:443", "inspect by *"},
     }},
    // The later edit wins.
    {"--allow-host example.com --block-host example.com", {{"example.com:443", "deny by example.com"}}},
    {"--block-host example.com --allow-host example.com", {{"example.com:443", "inspect by example.com"}}},
    {"--block-host *.example.com --allow-host *.example.com", {{"a.example.com:443", "inspect by *.example.com"}}},
    {"--block-host example.com --remove-host example.com", {{"example.com:443", "inspect by <default policy>"}}},
    {"--policy deny --allow-host example.com --reset", {{"example.com:443", "inspect by <default policy>"}}},
    {"--policy deny --policy allow", {{"example.com:443", "inspect by <default policy>"}}},
    {"--block-host example.com --allow-host EXAMPLE.COM.", {{"example.com:443", "inspect by example.com"}}},
    // The host's own ports, one by one and by either name.
    {"--allow-host localhost:3000 --allow-host host.docker.internal:5432",
     {
         {"localhost:3000", "inspect by localhost:3000"},
         {"host.docker.internal:3000", "inspect by localhost:3000"},
         {"host.docker.internal:5432", "inspect by localhost:5432"},
         {"localhost:5432", "inspect by localhost:5432"},
         {"localhost:3001", "deny by <host ports>"},
         {"host.docker.internal:80", "deny by <host ports>"},
         {"127.0.0.1:3000", "deny by 127.0.0.0/8"},
         {"[::1]:3000", "deny by ::1/128"},
         {"0.0.0.0:3000", "deny by 0.0.0.0/8"},
         {"a.localhost:3000", "inspect by <default policy>"},
     }},
    {"--allow-host localhost --allow-host *:80 --allow-host *.docker.internal",
     {
         {"localhost:3000", "deny by <host ports>"},
         {"localhost:80", "deny by <host ports>"},
         {"host.docker.internal:3000", "deny by <host ports>"},
         {"x.docker.internal:3000", "inspect by *.docker.internal"},
     }},
    {"--block-host localhost --allow-host localhost:80",
     {
         {"localhost:80", "inspect by localhost:80"},
         {"localhost:81", "deny by localhost"},
         {"host.docker.internal:81", "deny by localhost"},
     }},
    {"--policy deny --allow-host localhost:80", {{"host.docker.internal:80", "inspect by localhost:80"}}},
    {"--block-host host.docker.internal:80", {{"localhost:80", "deny by localhost:80"}}},
    // Addresses as hosts.
    {"--policy deny --allow-host 192.168.1.10 --allow-host 10.0.0.5:5432 --allow-host [fd00::5]:443",
     {
         {"192.168.1.10:80", "inspect by 192.168.1.10"},
         {"[::ffff:192.168.1.10]:80", "inspect by 192.168.1.10"},
         {"192.168.1.11:80", "deny by <default policy>"},
         {"10.0.0.5:5432", "inspect by 10.0.0.5:5432"},
         {"10.0.0.5:80", "deny by <default policy>"},
         {"[64:ff9b::a00:5]:5432", "deny by <default policy>"},
         {"[fd00::5]:443", "inspect by [fd00::5]:443"},
         {"[FD00:0::5]:443", "inspect by [fd00::5]:443"},
         {"[fd00::5]:80", "deny by <default policy>"},
     }},
    {"--allow-host 10.0.0.5:5432",
     {
         {"10.0.0.5:5432", "inspect by 10.0.0.5:5432"},
         {"10.0.0.5:80", "deny by 10.0.0.0/8"},
         {"[64:ff9b::a00:5]:5432", "deny by 10.0.0.0/8"},
     }},
    {"--block-host 1.1.1.1 --block-host [2606:4700::1111]:443 --block-host 8.8.8.8:53",
     {
         {"1.1.1.1:443", "deny by 1.1.1.1"},
         {"[::ffff:1.1.1.1]:443", "deny by 1.1.1.1"},
         {"[64:ff9b::101:101]:443", "deny by 1.1.1.1"},
         {"[2002:101:101::]:443", "deny by 1.1.1.1"},
         {"1.1.1.2:443", "inspect by <default policy>"},
         {"[2606:4700::1111]:443", "deny by [2606:4700::1111]:443"},
         {"[2606:4700::1111]:80", "inspect by <default policy>"},
         {"8.8.8.8:53", "deny by 8.8.8.8:53"},
         {"8.8.8.8:443", "inspect by <default policy>"},
         {"[64:ff9b::808:808]:53", "deny by 8.8.8.8:53"},
     }},
    // Ranges: the narrowest decides.
    {"--allow-cidr 10.0.0.0/8",
     {
         {"10.0.0.1:80", "inspect by <default policy>"},
         {"[64:ff9b::a00:1]:80", "inspect by <default policy>"},
         {"192.168.0.1:80", "deny by 192.168.0.0/16"},
     }},
    {"--allow-cidr 10.1.0.0/16 --block-cidr 10.1.2.0/24",
     {
         {"10.1.0.1:80", "inspect by <default policy>"},
         {"10.1.2.1:80", "deny by 10.1.2.0/24"},
         {"10.2.0.1:80", "deny by 10.0.0.0/8"},
     }},
    {"--allow-cidr 10.1.0.0/16 --block-cidr 10.0.0.0/8", {{"10.1.0.1:80", "deny by 10.0.0.0/8"}}},
    {"--block-cidr 10.1.0.0/16 --allow-cidr 10.0.0.0/8", {{"10.1.0.1:80", "inspect by <default policy>"}}},
    {"--allow-cidr 100.64.0.0/10",
     {
         {"100.100.100.200:80", "inspect by <default policy>"},
         {"0.0.0.0:80", "deny by 0.0.0.0/8"},
     }},
    {"--allow-cidr 100.64.0.0/10 --block-cidr 100.64.0.0/10", {{"100.64.0.1:80", "deny by 100.64.0.0/10"}}},
    {"--allow-cidr 0.0.0.0/0",
     {
         {"0.0.0.0:80", "inspect by <default policy>"},
         {"127.0.0.1:80", "inspect by <default policy>"},
         {"[::1]:80", "deny by ::1/128"},
         {"localhost:80", "deny by <host ports>"},
     }},
    {"--block-cidr 203.0.113.0/24 --block-cidr ::/0",
     {
         {"203.0.113.9:80", "deny by 203.0.113.0/24"},
         {"203.0.114.9:80", "inspect by <default policy>"},
         {"[::ffff:203.0.113.9]:80", "deny by 203.0.113.0/24"},
         {"[2001:db8::1]:80", "deny by ::/0"},
         {"example.com:80", "inspect by <default policy>"},
     }},
    {"--block-cidr 0.0.0.0/0 --allow-host 1.1.1.1:443",
     {
         {"1.1.1.1:443", "inspect by 1.1.1.1:443"},
         {"1.1.1.1:80", "deny by 0.0.0.0/0"},
         {"[2606:4700::1111]:80", "inspect by <default policy>"},
         {"[64:ff9b::808:808]:80", "deny by 0.0.0.0/0"},
     }},
    // What is not inspected still has to be allowed.
    {"--bypass-host pinned.example.com --bypass-host *.pinned.test:443 --bypass-cidr 203.0.113.0/24",
     {
         {"pinned.example.com:443", "tunnel by <default policy>"},
         {"pinned.example.com:80", "tunnel by <default policy>"},
         {"www.pinned.example.com:443", "inspect by <default policy>"},
         {"a.pinned.test:443", "tunnel by <default policy>"},
         {"a.pinned.test:80", "inspect by <default policy>"},
         {"203.0.113.7:443", "tunnel by <default policy>"},
         {"203.0.112.7:443", "inspect by <default policy>"},
     }},
    {"--policy deny --bypass-host * --allow-host example.com --bypass-cidr 1.1.1.1/32",
     {
         {"example.com:443", "tunnel by example.com"},
         {"example.org:443", "deny by <default policy>"},
         {"1.1.1.1:443", "deny by <default policy>"},
     }},
    {"--bypass-host example.com --block-host example.com", {{"example.com:443", "deny by example.com"}}},
    {"--bypass-host * --bypass-cidr 10.0.0.0/8",
     {
         {"example.com:443", "tunnel by <default policy>"},
         {"10.0.0.1:443", "deny by 10.0.0.0/8"},
         {"localhost:443", "deny by <host ports>"},
     }},
    {"--bypass-host localhost:443 --allow-host localhost:443",
     {{"host.docker.internal:443", "tunnel by localhost:443"}}},
    {"--bypass-host example.com --remove-host example.com", {{"example.com:443", "inspect by <default policy>"}}},
    // Any protocol: that host and that port, and it is allowed.
    {"--policy deny --allow-raw imap.example.com:993 --allow-raw localhost:443 --allow-raw 10.0.0.5:5432",
     {
         {"imap.example.com:993", "tunnel by imap.example.com:993"},
         {"IMAP.example.com.:993", "tunnel by imap.example.com:993"},
         {"imap.example.com:143", "deny by <default policy>"},
         {"imap.example.com:443", "deny by <default policy>"},
         {"a.imap.example.com:993", "deny by <default policy>"},
         {"host.docker.internal:443", "tunnel by localhost:443"},
         {"localhost:444", "deny by <host ports>"},
         {"10.0.0.5:5432", "tunnel by 10.0.0.5:5432"},
         {"10.0.0.5:5433", "deny by <default policy>"},
     }},
    {"--block-host imap.example.com --allow-raw imap.example.com:993",
     {
         {"imap.example.com:993", "tunnel by imap.example.com:993"},
         {"imap.example.com:443", "deny by imap.example.com"},
     }},
    {"--allow-raw a.test:993 --block-host a.test:993", {{"a.test:993", "deny by a.test:993"}}},
    {"--allow-raw a.test:993 --allow-host a.test:993", {{"a.test:993", "inspect by a.test:993"}}},
    // What agents need.
    {"--preset agent",
     {
         {"api.anthropic.com:443", "inspect by api.anthropic.com"},
         {"statsig.com:443", "inspect by statsig.com"},
         {"sentry.io:443", "inspect by sentry.io"},
         {"registry.npmjs.org:443", "inspect by *.npmjs.org"},
         {"registry.yarnpkg.com:443", "inspect by *.yarnpkg.com"},
         {"github.com:443", "inspect by github.com"},
         {"api.github.com:443", "inspect by *.github.com"},
         {"raw.githubusercontent.com:443", "inspect by *.githubusercontent.com"},
         {"deb.debian.org:80", "inspect by deb.debian.org"},
         {"files.pythonhosted.org:443", "inspect by files.pythonhosted.org"},
         {"example.com:443", "deny by <default policy>"},
         {"bucket.s3.amazonaws.com:443", "deny by <default policy>"},
         {"someone.github.io:443", "deny by <default policy>"},
         {"1.1.1.1:443", "deny by <default policy>"},
     }},
    {"--block-host github.com --preset agent", {{"github.com:443", "inspect by github.com"}}},
    {"--preset agent --block-host *.githubusercontent.com",
     {{"gist.githubusercontent.com:443", "deny by *.githubusercontent.com"}}},
};

TEST(Policy, MostSpecificRuleDecides) {
  for (const auto& [edits, answers] : kGroups) {
    const Policy policy(rules_after(edits));
    for (const auto& [target, words] : answers)
      EXPECT_EQ(words_of(policy.at_connect(target_of(target))), words) << edits << " / " << target;
  }
}

TEST(Policy, PathTakenChangesNothing) {
  for (const auto& [edits, answers] : kGroups) {
    const Policy policy(rules_after(edits));
    for (const auto& [text, words] : answers) {
      Target target = target_of(text);
      target.path = Path::kTransparent;
      EXPECT_EQ(words_of(policy.at_connect(target)), words) << edits << " / " << text;
    }
  }
}

TEST(Policy, BlockBeatsAllowAtEqualSpecificity) {
  Rules rules = default_rules();
  rules.allowed = rules.blocked = {*Pattern::parse("example.com"), *Pattern::parse("*.test:80"), *Pattern::parse("*")};
  rules.allowed_ranges = rules.blocked_ranges = {*Cidr::parse("203.0.113.0/24")};
  const Policy policy(rules);
  EXPECT_EQ(words_of(policy.at_connect(target_of("example.com:443"))), "deny by example.com");
  EXPECT_EQ(words_of(policy.at_connect(target_of("a.test:80"))), "deny by *.test:80");
  EXPECT_EQ(words_of(policy.at_connect(target_of("a.test:81"))), "deny by *");
  rules.blocked.clear();
  EXPECT_EQ(words_of(Policy(rules).at_connect(target_of("203.0.113.1:80"))), "deny by 203.0.113.0/24");
}

TEST(Policy, VerdictThatNobodyMadeIsARefusal) { EXPECT_FALSE(Verdict{}.allowed()); }

TEST(Policy, RulesThatNobodyWroteAllowNothing) {
  EXPECT_FALSE(Policy(Rules{}).at_connect(target_of("example.com:443")).allowed());
}

TEST(Policy, LogsWhatItsRulesSay) {
  Rules rules = rules_after("--block-host example.com");
  rules.log_allowed = false;
  const Policy policy(rules);
  EXPECT_TRUE(policy.logs(policy.at_connect(target_of("example.com"))));
  EXPECT_FALSE(policy.logs(policy.at_connect(target_of("example.org"))));
}

}  // namespace
}  // namespace sbx::policy
