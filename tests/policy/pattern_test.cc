// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "policy/pattern.h"

#include <gtest/gtest.h>

#include "policy/words.h"

namespace sbx::policy {
namespace {

using namespace std::string_literals;

TEST(Pattern, HasOneText) {
  const std::pair<const char*, const char*> forms[] = {
      {"example.com", "example.com"},
      {"Example.COM.:443", "example.com:443"},
      {"*.Example.com", "*.example.com"},
      {"*.example.com:8443", "*.example.com:8443"},
      {"*.com", "*.com"},
      {"*", "*"},
      {"*:443", "*:443"},
      {"192.0.2.1", "192.0.2.1"},
      {"192.0.2.1:80", "192.0.2.1:80"},
      {"[2001:DB8::1]", "[2001:db8::1]"},
      {"[2001:DB8::1]:80", "[2001:db8::1]:80"},
      {"[::ffff:192.0.2.1]:80", "192.0.2.1:80"},
      {"host.docker.internal:3000", "localhost:3000"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example"},
  };
  for (const auto& [text, form] : forms) {
    const auto pattern = Pattern::parse(text);
    ASSERT_TRUE(pattern) << text << ": " << pattern.error().what();
    EXPECT_EQ(pattern->text(), form);
    EXPECT_EQ(*Pattern::parse(pattern->text()), *pattern);
  }
}

TEST(Pattern, AnEndpointIsAHostWithAPort) {
  for (const char* text : {"example.com:993", "192.0.2.1:80", "[2001:db8::1]:80", "localhost:5432"})
    EXPECT_TRUE(Pattern::parse_endpoint(text)) << text;
  for (const char* text : {"example.com", "*.example.com:993", "*:993", "*", "192.0.2.1", "example.com:0", ""})
    EXPECT_FALSE(Pattern::parse_endpoint(text)) << text;
}

TEST(Pattern, RefusesWhatIsNone) {
  for (const std::string& text : {""s,
                                  " "s,
                                  "**"s,
                                  "**.example.com"s,
                                  "*example.com"s,
                                  "*."s,
                                  "*.*"s,
                                  "*.*.com"s,
                                  "ex*mple.com"s,
                                  "example.*"s,
                                  "example.com:*"s,
                                  "*:*"s,
                                  "*:0"s,
                                  "*:"s,
                                  ":443"s,
                                  ".example.com"s,
                                  "*..com"s,
                                  "*.1.2.3.4"s,
                                  "*.0.0.1"s,
                                  "*.[::1]"s,
                                  "[*]"s,
                                  "::1"s,
                                  "10.0.0.0/8"s,
                                  "https://example.com"s,
                                  "example.com/x"s,
                                  "example.com:443/x"s,
                                  "*.b\xc3\xbc"s + "cher.example"s,
                                  "a b"s,
                                  "a,b"s,
                                  "*\0"s,
                                  "2130706433"s,
                                  "*.0x7f"s,
                                  "?.example.com"s,
                                  "[12].example.com"s,
                                  "*:443:443"s})
    EXPECT_FALSE(Pattern::parse(text)) << text;
}

TEST(Pattern, SaysWhatToWrite) {
  const auto why = [](const char* text) { return Pattern::parse(text).error().what(); };
  EXPECT_EQ(why("10.0.0.0/8"),
            "bad host pattern \"10.0.0.0/8\": it is an address range, for --allow-cidr, --block-cidr or --bypass-cidr");
  EXPECT_EQ(why("https://example.com/"),
            "bad host pattern \"https://example.com/\": it is a URL: write its host, with :PORT if need be");
  EXPECT_EQ(why(".example.com"), "bad host pattern \".example.com\": for subdomains write *.example.com");
  EXPECT_EQ(why("**.example.com"), "bad host pattern \"**.example.com\": a * stands only at its beginning");
  EXPECT_EQ(why("*example.com"), "bad host pattern \"*example.com\": a dot follows the *, as in *.example.com");
}

// From the most specific to the least, all of them matching a.b.example.com:443.
const char* const kBySpecificity[] = {
    "a.b.example.com:443",
    "a.b.example.com",
    "*.b.example.com:443",
    "*.b.example.com",
    "*.example.com:443",
    "*.example.com",
    "*.com:443",
    "*.com",
    "*:443",
    "*",
};

TEST(Pattern, SpecificityIsTheOrderOfTheDesign) {
  const Target target = target_of("a.b.example.com:443");
  for (std::size_t i = 0; i < std::size(kBySpecificity); ++i) {
    EXPECT_TRUE(Pattern::parse(kBySpecificity[i])->matches(target.host, target.port)) << kBySpecificity[i];
    if (i == 0) continue;
    EXPECT_GT(Pattern::parse(kBySpecificity[i - 1])->specificity(), Pattern::parse(kBySpecificity[i])->specificity())
        << kBySpecificity[i];
  }
}

TEST(Pattern, EachLevelDecidesOverAllBelow) {
  for (std::size_t i = 0; i < std::size(kBySpecificity); ++i) {
    Rules rules;
    rules.allowed = {*Pattern::parse(kBySpecificity[i])};
    for (std::size_t below = i + 1; below < std::size(kBySpecificity); ++below)
      rules.blocked.push_back(*Pattern::parse(kBySpecificity[below]));
    EXPECT_EQ(words_of(Policy(rules).at_connect(target_of("a.b.example.com:443"))),
              sbx::format("inspect by {}", kBySpecificity[i]));
  }
}

}  // namespace
}  // namespace sbx::policy
