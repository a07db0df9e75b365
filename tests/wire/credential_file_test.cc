// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/credential_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sbx::wire {
namespace {

Credential github() {
  return {"github",
          {"github.com", "gist.github.com"},
          "authorization",
          "",
          "x-access-token",
          {"proxy-managed"},
          std::string("ghp_value\0of\nlines", 18),
          1234};
}

std::string content_of(const Fd& file) {
  struct stat info {};
  EXPECT_EQ(::fstat(file.get(), &info), 0);
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  EXPECT_EQ(::pread(file.get(), bytes.data(), bytes.size(), 0), info.st_size);
  return bytes;
}

TEST(CredentialFile, IsReadAsItWasWritten) {
  Credential plain{"key", {"api.example.com"}, "x-api-key", "", "", {}, "secret", 0};
  const auto file = make_credential_file({github(), plain});
  ASSERT_TRUE(file);
  const std::string bytes = content_of(*file);
  const auto read = read_credential_file(bytes);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  const CredentialView& first = read->front();
  EXPECT_EQ(first.name, "github");
  EXPECT_EQ(first.hosts, (std::vector<std::string_view>{"github.com", "gist.github.com"}));
  EXPECT_EQ(first.basic_user, "x-access-token");
  EXPECT_EQ(first.placeholders, (std::vector<std::string_view>{"proxy-managed"}));
  EXPECT_EQ(first.value, github().value);
  EXPECT_EQ(first.expires_ms, 1234);
  EXPECT_EQ(read->back().header, "x-api-key");
}

TEST(CredentialFile, HasItsValuesOnlyInItself) {
  const std::string bytes = content_of(*make_credential_file({github()}));
  const auto read = read_credential_file(bytes);
  const char* value = read->front().value.data();
  EXPECT_TRUE(value >= bytes.data() && value < bytes.data() + bytes.size());
}

TEST(CredentialFile, CannotBeChangedByAnyProcessThatHasIt) {
  const auto file = make_credential_file({github()});
  EXPECT_EQ(::pwrite(file->get(), "x", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(file->get(), 0), -1);
}

TEST(CredentialFile, IsRefusedWhereverItIsCut) {
  const std::string bytes = content_of(*make_credential_file({github()}));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read_credential_file(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(read_credential_file(bytes + "x"));
}

TEST(CredentialFile, OfAnotherVersionIsUnsupported) {
  std::string bytes = content_of(*make_credential_file({github()}));
  bytes[0] = 9;
  EXPECT_EQ(read_credential_file(bytes).error().code(), Code::kUnsupported);
}

TEST(CredentialFile, HasABound) {
  Credential large = github();
  large.value.assign(kLargestCredentialFile, 'x');
  EXPECT_EQ(make_credential_file({large}).error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace sbx::wire
