// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/store_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/file.h"
#include "support/temporary_directory.h"

namespace sbx::secrets {
namespace {

// A keyring of files, by a program in the place of secret-tool that has its words and its answers.
constexpr const char* kKeyring = R"(#!/bin/sh
[ -z "$KEYRING_LOCKED" ] || { echo "secret-tool: Cannot autolaunch D-Bus" >&2; exit 1; }
for word; do last=$word; done
case $1 in
  store) cat > "$KEYRING_DIRECTORY/$last" ;;
  lookup) cat "$KEYRING_DIRECTORY/$last" 2>/dev/null ;;
esac
)";

class StoreKeyTest : public ::testing::Test {
 protected:
  StoreKeyTest() {
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    EXPECT_TRUE(make_directories(directory / "bin"));
    EXPECT_TRUE(make_directories(directory / "ring"));
    EXPECT_TRUE(make_directories(store));
    EXPECT_TRUE(write_file(directory / "bin/secret-tool", kKeyring, 0700));
  }
  ~StoreKeyTest() override {
    for (const char* name : {"DBUS_SESSION_BUS_ADDRESS", "KEYRING_DIRECTORY", "KEYRING_LOCKED"}) ::unsetenv(name);
    ::setenv("PATH", path.c_str(), 1);
  }
  void have_keyring() {
    ::setenv("PATH", (directory / "bin:" + path).c_str(), 1);
    ::setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1);
    ::setenv("KEYRING_DIRECTORY", (directory / "ring").c_str(), 1);
  }
  static std::string seal_key(const StoreKey& key) { return std::string(key.derived(StoreKey::Purpose::kSeal).view()); }

  const testing::TemporaryDirectory directory;
  const std::string store = directory / "secrets";
  const std::string path = std::getenv("PATH");
};

TEST_F(StoreKeyTest, IsInAFileWithoutAKeyring) {
  const auto made = StoreKey::create(store);
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_FALSE(made->in_keyring());
  struct stat info {};
  ASSERT_EQ(::stat((store + "/key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  const auto loaded = StoreKey::load(store);
  ASSERT_TRUE(loaded) << loaded.error().what();
  EXPECT_EQ(seal_key(*loaded), seal_key(*made));
}

TEST_F(StoreKeyTest, IsInTheKeyringWhereThereIsOne) {
  have_keyring();
  const auto made = StoreKey::create(store);
  ASSERT_TRUE(made) << made.error().what();
  EXPECT_TRUE(made->in_keyring());
  EXPECT_TRUE(read_file(store + "/key")->starts_with("keyring:"));
  const auto loaded = StoreKey::load(store);
  ASSERT_TRUE(loaded) << loaded.error().what();
  EXPECT_EQ(seal_key(*loaded), seal_key(*made));
}

TEST_F(StoreKeyTest, OfAKeyringThatDoesNotAnswerIsAnErrorAndNoNewKey) {
  have_keyring();
  ASSERT_TRUE(StoreKey::create(store));
  ::setenv("KEYRING_LOCKED", "1", 1);
  const auto loaded = StoreKey::load(store);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), Code::kUnavailable);
}

TEST_F(StoreKeyTest, IsAnotherOneForEachPurpose) {
  const auto made = StoreKey::create(store);
  ASSERT_TRUE(made);
  EXPECT_NE(made->derived(StoreKey::Purpose::kAudit).view(), made->derived(StoreKey::Purpose::kSeal).view());
}

TEST_F(StoreKeyTest, ThatIsDamagedIsRefused) {
  ASSERT_TRUE(write_file(store + "/key", "abcd", 0600));
  EXPECT_FALSE(StoreKey::load(store));
  ASSERT_TRUE(write_file(store + "/key", std::string(64, 'x'), 0600));
  EXPECT_FALSE(StoreKey::load(store));
}

}  // namespace
}  // namespace sbx::secrets
