// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/tasks.h"

#include <gtest/gtest.h>

namespace sbx::agentloop {
namespace {

constexpr const char* kTasks =
    "# Tasks\n\n- [x] one\n  - [/] part\n- [ ] two\n* [X] three\n- [?] none\n- [] none\ntext - [ ] none\n";

TEST(Tasks, AreTheBoxesOfMarkdown) {
  const auto tasks = tasks_in(kTasks);
  ASSERT_EQ(tasks.size(), 4u);
  EXPECT_EQ(tasks[0].box, 'x');
  EXPECT_EQ(tasks[1].box, '/');
  EXPECT_TRUE(tasks[1].is_part);
  EXPECT_EQ(tasks[2].text, "two");
  EXPECT_EQ(tasks[3].box, 'x');
}

TEST(Tasks, AreDoneWhenThereAreSomeAndAllAre) {
  EXPECT_FALSE(all_done({}));
  EXPECT_FALSE(all_done(tasks_in(kTasks)));
  EXPECT_TRUE(all_done(tasks_in("- [x] a\n  - [x] b\n")));
}

TEST(Tasks, AreRemovedWithTheirParts) {
  EXPECT_EQ(without_task("- [ ] a\n  - [ ] b\n- [ ] c\n", 1), "- [ ] c\n");
  EXPECT_EQ(without_task("- [ ] a\n", 2), "- [ ] a\n");
}

}  // namespace
}  // namespace sbx::agentloop
