// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/secret_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "support/small_disk.h"
#include "support/temporary_directory.h"

namespace sbx::secrets {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class SecretStoreTest : public ::testing::Test {
 protected:
  SecretStoreTest() { ::unsetenv("DBUS_SESSION_BUS_ADDRESS"); }
  SecretStore again() {
    return SecretStore(path, [this] { return time; });
  }
  wire::Binding custom(const std::string& secret, const std::string& host) {
    wire::Binding binding;
    binding.secret = secret;
    binding.hosts = {host};
    binding.header = "X-Key";
    binding.format = "{}";
    return binding;
  }
  std::string value_of(const std::string& name) {
    const auto leased = store.lease(name, {});
    return leased ? leased->value : "error: " + leased.error().what();
  }

  const testing::TemporaryDirectory directory;
  const std::string path = directory / "secrets";
  WallTime time = now();
  SecretStore store{path, [this] { return time; }};
};

TEST_F(SecretStoreTest, MakesNothingUntilSomethingIsAdded) {
  EXPECT_TRUE(store.list()->secrets.empty());
  EXPECT_TRUE(store.verify()->intact);
  EXPECT_FALSE(store.lease("x", {}));
  EXPECT_FALSE(exists(path));
}

TEST_F(SecretStoreTest, KeepsValuesWholeAndEncrypted) {
  const std::string value = "{\n  \"a\": \"multi-line value\"\n}\n";
  ASSERT_TRUE(store.add({"codex_auth_json", value}, ""));
  EXPECT_EQ(value_of("codex_auth_json"), value);
  SecretStore next = again();
  EXPECT_EQ(next.lease("codex_auth_json", {})->value, value);
  for (const std::string name : {"store", "audit.log", "key"})
    EXPECT_EQ(read_file(path + "/" + name)->find("multi-line"), std::string::npos) << name;
}

TEST_F(SecretStoreTest, OverwritesOnlyWhenAskedTo) {
  ASSERT_TRUE(store.add({"a", "1"}, "key-1"));
  EXPECT_EQ(store.add({"a", "2"}, "key-2").error().code(), Code::kConflict);
  EXPECT_EQ(value_of("a"), "1");
  ASSERT_TRUE(store.add({"a", "2", true}, "key-3"));
  EXPECT_EQ(value_of("a"), "2");
  // The same request made again, because the answer was lost, is no conflict, and does nothing.
  ASSERT_TRUE(store.add({"a", "3"}, "key-3"));
  EXPECT_EQ(value_of("a"), "2");
}

TEST_F(SecretStoreTest, RefusesNamesAndValuesThatCannotBeMeant) {
  for (const char* name : {"", "a b", "../a", "-a", ".a", "a/b", "ä"}) EXPECT_FALSE(store.add({name, "v"}, "")) << name;
  EXPECT_FALSE(store.add({std::string(129, 'a'), "v"}, ""));
  EXPECT_FALSE(store.add({"a", ""}, ""));
  EXPECT_FALSE(store.add({"a", std::string("a\0b", 3)}, ""));
  EXPECT_EQ(store.add({"a", std::string((64u << 10) + 1, 'x')}, "").error().code(), Code::kTooLarge);
  EXPECT_FALSE(exists(path));
}

TEST_F(SecretStoreTest, AnErrorDoesNotSayTheValue) {
  ASSERT_TRUE(store.add({"a", "sk-first"}, ""));
  const auto refused = store.add({"a", "sk-second"}, "");
  EXPECT_EQ(refused.error().what().find("sk-"), std::string::npos);
}

TEST_F(SecretStoreTest, LeasesForAnHourAndAtMostADay) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  const auto leased = store.lease("a", {0, "make"});
  ASSERT_TRUE(leased);
  EXPECT_EQ(leased->ttl, 3600);
  EXPECT_EQ(leased->client_id, "make");
  EXPECT_TRUE(store.lease("a", {24 * 3600, ""}));
  EXPECT_FALSE(store.lease("a", {24 * 3600 + 1, ""}));
  EXPECT_FALSE(store.lease("a", {-1, ""}));
  const auto tail = store.audit(1);
  EXPECT_FALSE(tail->entries[0].success);
}

TEST_F(SecretStoreTest, ALeaseEndsByItsTimeOrByRevocation) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  const auto first = store.lease("a", {60, ""});
  const auto second = store.lease("a", {3600, ""});
  EXPECT_EQ(store.leases()->leases.size(), 2u);
  time += seconds(60);
  EXPECT_EQ(store.leases()->leases.size(), 1u);
  EXPECT_EQ(store.revoke(first->lease_id).error().code(), Code::kNotFound);
  ASSERT_TRUE(store.revoke(second->lease_id));
  EXPECT_FALSE(store.revoke(second->lease_id));
  EXPECT_TRUE(store.leases()->leases.empty());
  const auto swept = store.sweep({});
  ASSERT_TRUE(swept);
  EXPECT_TRUE(swept->some);
  EXPECT_EQ(store.audit(1)->entries[0].action, wire::AuditAction::kLeaseExpire);
  EXPECT_FALSE(store.sweep({})->some);
}

TEST_F(SecretStoreTest, RevokesAllAtOnce) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_TRUE(store.lease("a", {}));
  ASSERT_TRUE(store.lease_to_sandbox({"id-1", "box", false}, {"a"}));
  EXPECT_EQ(*store.revoke_all(), 2);
  EXPECT_TRUE(store.lease_to_sandbox({"id-1", "box", false}, {"a"})->front().revoked);
  EXPECT_EQ(*store.revoke_all(), 0);
}

TEST_F(SecretStoreTest, ASandboxKeepsItsLeaseUntilItIsRevokedAndGetsAnotherWhenItStarts) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  const auto first = store.lease_to_sandbox({"id-1", "box", true}, {"a"});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->front().client_id, "sandbox:box");
  time += hours(1);
  EXPECT_EQ(store.lease_to_sandbox({"id-1", "box", false}, {"a"})->front().expires_at, first->front().expires_at);
  time += hours(12);
  EXPECT_GT(store.lease_to_sandbox({"id-1", "box", false}, {"a"})->front().expires_at, first->front().expires_at);
  ASSERT_TRUE(store.revoke(first->front().lease_id));
  EXPECT_TRUE(store.lease_to_sandbox({"id-1", "box", false}, {"a"})->front().revoked);
  EXPECT_FALSE(store.lease_to_sandbox({"id-1", "box", true}, {"a"})->front().revoked);
}

TEST_F(SecretStoreTest, ForgetsSandboxesThatAreGoneAndBindingsThatAreOver) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  auto binding = custom("a", "one.test");
  binding.sandbox_id = "gone";
  ASSERT_TRUE(store.bind(binding));
  binding = custom("a", "two.test");
  binding.expires_at = rfc3339(time + seconds(5));
  ASSERT_TRUE(store.bind(binding));
  const auto swept = store.sweep({"here"});
  EXPECT_TRUE(swept->some);
  EXPECT_EQ(store.bindings()->bindings.size(), 1u);
  ASSERT_TRUE(swept->next);
  time += seconds(5);
  EXPECT_TRUE(store.sweep({"here"})->some);
  EXPECT_TRUE(store.bindings()->bindings.empty());
}

TEST_F(SecretStoreTest, BindsWhatIsThere) {
  EXPECT_EQ(store.bind(custom("a", "one.test")).error().code(), Code::kNotFound);
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  const auto bound = store.bind(custom("a", "one.test"));
  ASSERT_TRUE(bound) << bound.error().what();
  EXPECT_EQ(store.bind(custom("a", "one.test")).error().code(), Code::kConflict);
  ASSERT_TRUE(store.unbind(bound->id));
  EXPECT_EQ(store.unbind(bound->id).error().code(), Code::kNotFound);
}

TEST_F(SecretStoreTest, RemovesASecretWithAllThatHangsOnIt) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_TRUE(store.bind(custom("a", "one.test")));
  ASSERT_TRUE(store.lease("a", {}));
  ASSERT_TRUE(store.remove("a"));
  EXPECT_TRUE(store.list()->secrets.empty());
  EXPECT_TRUE(store.bindings()->bindings.empty());
  EXPECT_TRUE(store.leases()->leases.empty());
  EXPECT_EQ(store.remove("a").error().code(), Code::kNotFound);
}

TEST_F(SecretStoreTest, RefusesToWorkWithWrongPermissionsUntilTheyAreMended) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_EQ(::chmod((path + "/key").c_str(), 0644), 0);
  for (const auto& refused : {store.lease("a", {}).error(), store.list().error(), again().list().error()}) {
    EXPECT_EQ(refused.code(), Code::kForbidden);
    EXPECT_EQ(refused.hint(), "chmod 600 " + path + "/key");
  }
  EXPECT_NE(store.status().error.find("chmod 600"), std::string::npos);
  ASSERT_EQ(::chmod((path + "/key").c_str(), 0600), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  EXPECT_EQ(store.list().error().hint(), "chmod 700 " + path);
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  EXPECT_EQ(value_of("a"), "1");
}

TEST_F(SecretStoreTest, AStoreWithoutItsKeyIsNotOverwritten) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_TRUE(remove_file(path + "/key"));
  SecretStore next = again();
  EXPECT_EQ(next.add({"b", "2"}, "").error().code(), Code::kConflict);
}

TEST_F(SecretStoreTest, AFullDiskLosesNothing) {
  ASSERT_TRUE(make_directories(path));
  const testing::SmallDisk disk(path, 256u << 10);
  if (!disk.mounted()) GTEST_SKIP() << "no file system of the test's own: not root, or no mount namespace";
  ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  disk.fill();
  EXPECT_FALSE(store.add({"b", std::string(8192, 'x')}, ""));
  EXPECT_FALSE(store.lease("a", {}));
  for (SecretStore* asked : {&store}) {
    EXPECT_EQ(asked->list()->secrets.size(), 1u);
    EXPECT_TRUE(asked->verify()->intact) << asked->verify()->reason;
  }
  SecretStore next = again();
  EXPECT_EQ(next.list()->secrets.size(), 1u);
  disk.give_back();
  ASSERT_TRUE(store.add({"b", "2"}, ""));
  EXPECT_EQ(value_of("a"), "1");
  EXPECT_TRUE(store.verify()->intact) << store.verify()->reason;
}

TEST_F(SecretStoreTest, AUseOfTheSshAgentIsALineInTheLog) {
  ASSERT_TRUE(store.note_ssh_use("box", "key SHA256:x for git at github.com"));
  const auto tail = again().audit(0);
  ASSERT_TRUE(tail && tail->entries.size() == 1);
  EXPECT_EQ(tail->entries[0].action, wire::AuditAction::kSshSign);
  EXPECT_EQ(tail->entries[0].client_id, "box");
  EXPECT_EQ(tail->entries[0].details, "key SHA256:x for git at github.com");
  EXPECT_TRUE(again().verify()->intact);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  EXPECT_FALSE(again().note_ssh_use("box", "more")) << "what cannot be noted is not signed";
}

// A store that has no values in memory reads them from its file, and says that it cannot.
TEST_F(SecretStoreTest, AUseOfTheSshAgentLeavesNoValueInMemory) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_TRUE(store.note_ssh_use("box", "key SHA256:x for git at github.com"));
  ASSERT_TRUE(write_file(path + "/store", "not what was sealed"));
  EXPECT_FALSE(store.contents());
}

TEST_F(SecretStoreTest, ATruncatedAuditLogIsFoundAfterARestart) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  ASSERT_TRUE(store.lease("a", {}));
  ASSERT_TRUE(write_file(path + "/audit.log", "", 0600));
  const auto report = again().verify();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->intact);
  EXPECT_EQ(report->problem, 1);
}

// Of an audit log that grows large: all of it, or the older part.
class RotationTest : public SecretStoreTest {
 protected:
  void fill(int leases) {
    for (int i = 0; i < leases; ++i) ASSERT_TRUE(small.lease("a", {}));
  }
  std::string older() const { return path + "/audit.log.1"; }

  SecretStore small{path, [this] { return time; }, 2000};
};

TEST_F(RotationTest, KeepsTwoFilesOfTheAuditLogAndTheChainThroughBoth) {
  ASSERT_TRUE(small.add({"a", "1"}, ""));
  fill(40);
  const auto report = small.verify();
  EXPECT_TRUE(report->intact) << report->reason;
  EXPECT_LT(report->lines, 41);
  EXPECT_LT(read_file(older())->size() + read_file(path + "/audit.log")->size(), 6000u);
  const auto tail = small.audit(0);
  EXPECT_EQ(static_cast<std::int64_t>(tail->entries.size()), report->lines);
  EXPECT_EQ(tail->entries.back().line, 41);
  SecretStore next(
      path, [this] { return time; }, 2000);
  EXPECT_TRUE(next.verify()->intact) << next.verify()->reason;
  ASSERT_TRUE(next.lease("a", {}));
  EXPECT_EQ(next.audit(1)->entries.back().line, 42);
}

TEST_F(RotationTest, TheOlderFileCannotBeTakenAwayCutOrChanged) {
  ASSERT_TRUE(small.add({"a", "1"}, ""));
  fill(20);
  const std::string older_lines = *read_file(older());
  const std::string newer_lines = *read_file(path + "/audit.log");
  const auto first = small.audit(0)->entries.front().line;
  ASSERT_TRUE(remove_file(older()));
  EXPECT_EQ(small.verify()->problem, first);
  // Nor can the newer one be passed off as the older.
  ASSERT_TRUE(write_file(older(), newer_lines, 0600));
  ASSERT_TRUE(write_file(path + "/audit.log", "", 0600));
  EXPECT_EQ(again().verify()->problem, first);
  ASSERT_TRUE(write_file(older(), older_lines.substr(older_lines.find('\n') + 1), 0600));
  ASSERT_TRUE(write_file(path + "/audit.log", newer_lines, 0600));
  EXPECT_EQ(again().verify()->problem, first);
  ASSERT_TRUE(write_file(older(), older_lines, 0600));
  EXPECT_TRUE(again().verify()->intact);
  ASSERT_EQ(::chmod(older().c_str(), 0644), 0);
  EXPECT_FALSE(again().verify());
}

TEST_F(RotationTest, IsFinishedByTheNextDaemonIfOneDiedInIt) {
  ASSERT_TRUE(small.add({"a", "1"}, ""));
  while (!exists(older())) fill(1);
  // As it was before the file was renamed: the store says already that it is the older one.
  ASSERT_EQ(std::rename(older().c_str(), (path + "/audit.log").c_str()), 0);
  SecretStore next(
      path, [this] { return time; }, 2000);
  EXPECT_TRUE(next.verify()->intact) << next.verify()->reason;
  EXPECT_TRUE(exists(older()));
  ASSERT_TRUE(next.lease("a", {}));
  EXPECT_TRUE(next.verify()->intact) << next.verify()->reason;
}

TEST_F(SecretStoreTest, APlaceholderIsOfOneSandboxAndOneSecretAndStays) {
  ASSERT_TRUE(store.add({"a", "1"}, ""));
  const auto first = store.placeholder("id-1", "a");
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->starts_with("sbx-cs-"));
  EXPECT_EQ(*first, *again().placeholder("id-1", "a"));
  EXPECT_NE(*first, *store.placeholder("id-2", "a"));
  EXPECT_NE(*first, *store.placeholder("id-1", "b"));
}

}  // namespace
}  // namespace sbx::secrets
