// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::store {
namespace {

const std::string kHex(64, 'e');
const std::string kDigest = "sha256:" + kHex;

Record example(const std::string& name) {
  Record record;
  record.id = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
  record.name = name;
  record.agent = "shell";
  record.created_at = "2026-11-15T19:22:23.041Z";
  record.phase = Phase::kReady;
  record.workspaces = {{"/src/project", "/src/project", false}};
  record.mounts = {{"/data", "/mnt/data", true}};
  record.environment = {{"A", "1"}, {"B", "two words"}};
  record.directory = "/src/project/sub";
  record.limits = {1.5, 1 << 30, 100, INT64_C(20) << 30, wire::DiskBound::kLoopImage};
  record.backend = "container";
  record.isolation = wire::Isolation::kContainer;
  record.base = {"shell", kDigest, {kDigest}};
  record.id_base = 0x70020000;
  record.hostname = name;
  record.ports = {{"127.0.0.1", 8080, 80}};
  record.hosts = {{"db.test", "10.0.0.5"}};
  return record;
}

Json golden(const std::string& version) {
  return *parse_json(*read_file(sbx::testing::source_file("tests/golden/records/" + version + ".json")));
}

class StoreTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(make_directories(store.home().machine(name)));
    ASSERT_TRUE(replace_file(store.home().machine(name) + "/metadata.json", text));
  }
  sbx::testing::TemporaryDirectory directory;
  Store store{Home(directory.path())};
};

TEST_F(StoreTest, ARecordComesBackAsItWasSaved) {
  const Record record = example("box");
  ASSERT_TRUE(store.reserve("box"));
  ASSERT_TRUE(store.save(record));
  auto again = store.load("box");
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(dump(encode(*again)), dump(encode(record)));
}

TEST_F(StoreTest, WhereATemplateIsFollowsFromItsLayersAndNotFromTheFile) {
  for (const char* version : {"1", "2"}) {
    write("box", dump(golden(version)));
    EXPECT_EQ(store.load("box")->base.layers, std::vector<std::string>{kDigest});
  }
  EXPECT_EQ(store.home().layer(kDigest), directory / ("templates/layers/" + kHex + "/root"));
}

// A file for each version, as its programs wrote it. That of the next one stands for all that is to come.
TEST_F(StoreTest, ARecordOfEachVersionIsReadAndWrittenAsOneOfToday) {
  for (std::int64_t version = 1; version <= kRecordVersion; ++version) {
    write("box", dump(golden(std::to_string(version))));
    const auto record = store.load("box");
    ASSERT_TRUE(record) << version << ": " << record.error().what();
    EXPECT_EQ(dump_pretty(encode(*record)), dump_pretty(golden(std::to_string(kRecordVersion)))) << version;
  }
}

TEST_F(StoreTest, ARecordOfTheNextVersionIsReadAndKeepsAllThatItHas) {
  const Json next = golden(std::to_string(kRecordVersion + 1));
  write("box", dump(next));
  auto record = store.load("box");
  ASSERT_TRUE(record) << record.error().what();
  EXPECT_EQ(encode(*record), next);
  record->directory = "/elsewhere";
  ASSERT_TRUE(store.save(*record));
  Json changed = next;
  changed["directory"] = "/elsewhere";
  EXPECT_EQ(*parse_json(*read_file(store.path("box"))), changed);
}

TEST_F(StoreTest, ARecordThatNeedsANewerProgramSaysSoAndIsNotToBeRemoved) {
  Json json = golden("3");
  json["minimum_reader"] = kRecordVersion + 1;
  write("box", dump(json));
  const auto record = store.load("box");
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().code(), Code::kUnsupported);
  EXPECT_NE(record.error().what().find("a newer sandboxd"), std::string::npos) << record.error().what();
  EXPECT_EQ(record.error().hint().find("rm"), std::string::npos) << record.error().hint();
}

TEST_F(StoreTest, ARecordFromBeforeThereWereDisksIsUnderstood) {
  Json json = golden("1");
  json["limits"].erase("disk");
  json["limits"].erase("disk_bound");
  write("box", dump(json));
  const auto record = store.load("box");
  ASSERT_TRUE(record) << record.error().what();
  EXPECT_EQ(record->limits.disk, 0);
  EXPECT_EQ(record->limits.disk_bound, wire::DiskBound::kNone);
}

TEST_F(StoreTest, ARecordFromWhenOnlyMicroVmsHadDisksIsUnderstood) {
  Json json = golden("1");
  json["limits"].erase("disk_bound");
  write("box", dump(json));
  EXPECT_EQ(store.load("box")->limits.disk_bound, wire::DiskBound::kVirtualDisk);
}

TEST_F(StoreTest, ARecordWhoseDiskIsBoundedInAnUnknownWayIsRefused) {
  Json json = encode(example("box"));
  json["limits"]["disk_bound"] = "good will";
  write("box", dump(json));
  EXPECT_FALSE(store.load("box"));
}

TEST_F(StoreTest, ARecordFromBeforeThereWerePortsIsUnderstood) {
  Json json = encode(example("box"));
  json.erase("ports");
  json.erase("hosts");
  write("box", dump(json));
  const auto record = store.load("box");
  ASSERT_TRUE(record) << record.error().what();
  EXPECT_TRUE(record->ports.empty());
  EXPECT_TRUE(record->hosts.empty());
}

TEST_F(StoreTest, ThatAHomeIsAllowedIsKept) {
  Record record = example("box");
  EXPECT_FALSE(decode_record(encode(record))->allow_home) << "as in a record from before there was the flag";
  record.allow_home = true;
  EXPECT_TRUE(decode_record(encode(record))->allow_home);
}

TEST_F(StoreTest, TheRequestThatMadeItIsKept) {
  Record record = example("box");
  EXPECT_FALSE(decode_record(encode(record))->origin) << "as in a record from before there were keys";
  record.origin = Origin{"key", "digest"};
  const auto again = decode_record(encode(record));
  ASSERT_TRUE(again) << again.error().what();
  EXPECT_EQ(again->origin->key, "key");
  EXPECT_EQ(again->origin->digest, "digest");
  Json json = encode(record);
  json["origin"].erase("digest");
  EXPECT_FALSE(decode_record(json));
}

TEST_F(StoreTest, APortThatIsNoneMakesABadRecord) {
  Json json = encode(example("box"));
  json["ports"][0]["port"] = 0;
  write("box", dump(json));
  const auto record = store.load("box");
  ASSERT_FALSE(record);
  EXPECT_NE(record.error().what().find("\"port\" is not a port"), std::string::npos) << record.error().what();
}

TEST_F(StoreTest, AValueThatIsNoneOfOursMakesABadRecordThatNamesIt) {
  const std::vector<std::pair<std::string, std::vector<Json>>> refused{
      {"id", {"", "box", "..", "../../../../etc", "/", "1B4E28BA-2FA1-41D2-883F-0016D3CCA427", "1b4e28ba"}},
      {"name", {"", "..", "../box"}},
      {"agent", {"", "../shell"}},
      {"hostname", {"", "-box", "box-", "a/b", "a b", "box.example", std::string(64, 'a')}},
      {"backend", {"", "../container", "a b"}},
      {"id_base",
       {-1, 1, 1000, 65536, 100000, 0x6ffe0000, 0x70000001, 0x70010000, 0xfffe0000, 0xffff0000, 0xffffffff, 0x170000000,
        "1879179264"}},
      {"agent_uid", {-1, 0xffffffff, 0x100000000}},
      {"agent_gid", {-1, 0xffffffff, 1000}},
  };
  for (const auto& [member, values] : refused)
    for (const Json& value : values) {
      Json json = encode(example("box"));
      json[member] = value;
      write("box", dump(json));
      const auto record = store.load("box");
      ASSERT_FALSE(record) << member << " " << value;
      EXPECT_EQ(record.error().code(), Code::kInvalid);
      EXPECT_NE(record.error().what().find(store.path("box")), std::string::npos) << record.error().what();
      EXPECT_NE(record.error().what().find(member), std::string::npos) << record.error().what();
    }
}

TEST_F(StoreTest, AnAgentIsAUserOfTheHostsWithAGroupAndNotOneOfTheSandboxsOwn) {
  Record record = example("box");
  record.agent_uid = record.agent_gid = 1000;
  EXPECT_TRUE(decode_record(encode(record)));
  record.agent_gid = 0;
  EXPECT_FALSE(decode_record(encode(record)));
  record.agent_gid = 1000;
  record.agent_uid = record.id_base + 1000;
  EXPECT_FALSE(decode_record(encode(record)));
}

TEST_F(StoreTest, OnlyASandboxThatIsBeingMadeMayHaveNoTemplate) {
  Record record = example("box");
  for (const std::string& digest :
       {std::string("sha256:.."), std::string("../../.."), kHex, "sha512:" + kHex, kDigest + "0"}) {
    record.base.digest = digest;
    EXPECT_FALSE(decode_record(encode(record))) << digest;
  }
  record.base.digest = kDigest;
  for (const std::string& layer : {std::string("../.."), std::string("")}) {
    record.base.layers = {kDigest, layer};
    EXPECT_FALSE(decode_record(encode(record))) << layer;
  }
  record.base = {"shell", "", {}};
  EXPECT_FALSE(decode_record(encode(record)));
  record.phase = Phase::kCreating;
  EXPECT_TRUE(decode_record(encode(record)));
}

TEST_F(StoreTest, AnOrdinaryUsersSandboxHasNoRangeOfIds) {
  Record record = example("box");
  record.id_base = 0;
  EXPECT_TRUE(decode_record(encode(record)));
}

TEST_F(StoreTest, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string whole = dump(encode(example("box")));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write("box", whole.substr(0, size));
    const auto record = store.load("box");
    ASSERT_FALSE(record) << size;
    EXPECT_NE(record.error().what().find(directory / "vm/box/metadata.json"), std::string::npos);
    EXPECT_NE(record.error().code(), Code::kNotFound);
  }
}

TEST_F(StoreTest, GarbledRecordsAreErrors) {
  Json no_version = encode(example("box"));
  no_version["version"] = 0;
  Json unknown_phase = encode(example("box"));
  unknown_phase["phase"] = "dancing";
  for (const auto& text : {std::string("\0\0\0\0", 4), std::string("[]"), std::string("null"), std::string("{}"),
                           dump(no_version), dump(unknown_phase), dump(encode(example("other")))}) {
    write("box", text);
    EXPECT_FALSE(store.load("box")) << text;
  }
}

TEST_F(StoreTest, AMissingRecordIsNotFound) {
  ASSERT_TRUE(store.reserve("box"));
  EXPECT_EQ(store.load("box").error().code(), Code::kNotFound);
}

TEST_F(StoreTest, OfManyThatReserveAtOnceOneWins) {
  std::atomic<int> winners{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto reserved = store.reserve("box");
      if (reserved)
        ++winners;
      else
        EXPECT_EQ(reserved.error().code(), Code::kConflict);
    });
  threads.clear();
  EXPECT_EQ(winners, 1);
}

TEST_F(StoreTest, NamesAreTheDirectoriesThatCouldBeSandboxes) {
  ASSERT_TRUE(store.reserve("bb"));
  ASSERT_TRUE(store.reserve("aa"));
  ASSERT_TRUE(make_directories(store.home().machines() + "/not a name"));
  ASSERT_TRUE(replace_file(store.home().machines() + "/file", ""));
  ASSERT_EQ(::symlink("/etc", (store.home().machines() + "/link").c_str()), 0);
  EXPECT_EQ(*store.names(), (std::vector<std::string>{"aa", "bb"}));
}

TEST_F(StoreTest, NoMachinesDirectoryMeansNoSandboxes) { EXPECT_TRUE(store.names()->empty()); }

TEST_F(StoreTest, TheLastRunMayBeMissingOrGarbled) {
  ASSERT_TRUE(store.reserve("box"));
  EXPECT_FALSE(store.last_run("box").running);
  store.note("box", {true, "why", {{"boot", 5}}});
  EXPECT_TRUE(store.last_run("box").running);
  EXPECT_EQ(store.last_run("box").ended, "why");
  ASSERT_TRUE(replace_file(store.home().machine("box") + "/last_run.json", "{\"runn"));
  EXPECT_FALSE(store.last_run("box").running);
}

TEST_F(StoreTest, OnlyTheUserMayReadIt) {
  ASSERT_TRUE(store.reserve("box"));
  ASSERT_TRUE(store.save(example("box")));
  struct stat info {};
  ASSERT_EQ(::stat((directory / "vm/box/metadata.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  ASSERT_EQ(::stat((directory / "vm/box").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0700u);
}

}  // namespace
}  // namespace sbx::store
