// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "secrets/audit_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "support/temporary_directory.h"

namespace sbx::secrets {
namespace {

class AuditLogTest : public ::testing::Test {
 protected:
  void write(int count) {
    for (int i = 0; i < count; ++i) {
      wire::AuditEntry entry;
      entry.timestamp = "2026-11-17T12:00:00.000Z";
      entry.action = wire::AuditAction::kLeaseAcquire;
      entry.secret_name = "name-" + std::to_string(i + 1);
      ASSERT_TRUE(log.append(log.lines_for({entry}, head)));
    }
  }
  std::vector<std::string> lines() { return split(*read_file(path), '\n'); }
  void replace(const std::vector<std::string>& lines) { ASSERT_TRUE(write_file(path, join(lines, "\n"), 0600)); }

  const testing::TemporaryDirectory directory;
  const std::string path = directory / "audit.log";
  const AuditLog log{path, Secret::copy_of(std::string(32, 'a'))};
  AuditHead head;
};

TEST_F(AuditLogTest, IsIntactAsWritten) {
  EXPECT_TRUE(log.verify(head).intact);
  write(3);
  const auto report = log.verify(head);
  EXPECT_TRUE(report.intact);
  EXPECT_EQ(report.lines, 3);
}

TEST_F(AuditLogTest, NamesTheFirstLineThatWasChanged) {
  write(4);
  auto all = lines();
  all[2].replace(all[2].find("name-3"), 6, "name-9");
  replace(all);
  const auto report = log.verify(head);
  EXPECT_FALSE(report.intact);
  EXPECT_EQ(report.problem, 3);
  EXPECT_EQ(report.lines, 2);
}

TEST_F(AuditLogTest, NamesTheLineWhereOneIsMissing) {
  write(4);
  auto all = lines();
  all.erase(all.begin() + 1);
  replace(all);
  EXPECT_EQ(log.verify(head).problem, 2);
}

TEST_F(AuditLogTest, FindsThatItWasCutOff) {
  write(4);
  auto all = lines();
  all.erase(all.begin() + 3, all.end());
  all.emplace_back();
  replace(all);
  const auto report = log.verify(head);
  EXPECT_FALSE(report.intact);
  EXPECT_EQ(report.problem, 4);
  ASSERT_TRUE(remove_file(path));
  EXPECT_EQ(log.verify(head).problem, 1);
}

TEST_F(AuditLogTest, NoLineCanBeMadeWithoutTheKey) {
  write(2);
  AuditHead forged = head;
  const AuditLog other(path, Secret::copy_of(std::string(32, 'b')));
  wire::AuditEntry entry;
  ASSERT_TRUE(other.append(other.lines_for({entry}, forged)));
  EXPECT_EQ(log.verify(head).problem, 3);
  EXPECT_EQ(log.caught_up(head).lines, 2);
}

TEST_F(AuditLogTest, GoesOnAfterADaemonThatDiedBeforeItKeptTheHead) {
  write(1);
  const AuditHead kept = head;
  write(2);
  const AuditHead found = log.caught_up(kept);
  EXPECT_EQ(found.lines, 3);
  EXPECT_EQ(found.chain, head.chain);
}

TEST_F(AuditLogTest, ShowsTheLastLines) {
  write(3);
  const auto tail = log.tail(2);
  ASSERT_TRUE(tail);
  ASSERT_EQ(tail->entries.size(), 2u);
  EXPECT_EQ(tail->entries[0].line, 2);
  EXPECT_EQ(tail->entries[1].secret_name, "name-3");
  EXPECT_EQ(log.tail(0)->entries.size(), 3u);
}

TEST_F(AuditLogTest, ThatOthersCanWriteIsNotTrusted) {
  write(1);
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  EXPECT_FALSE(log.verify(head).intact);
}

}  // namespace
}  // namespace sbx::secrets
