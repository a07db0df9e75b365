// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sbx::agentloop {

// A list of tasks in Markdown: "- [ ] open", "- [/] being done", "- [x] done"; one that is indented is part of the one
// above it.
struct Task {
  char box = ' ';
  std::string text;
  std::size_t line = 0;  // in the file, from 0 on
  bool is_part = false;
};

std::vector<Task> tasks_in(std::string_view text);
// Whether there are tasks, and all of them are done.
bool all_done(const std::vector<Task>& tasks);
// The file without the task of this number (from 1 on, parts not counted) and its parts; the same text if there is
// none.
std::string without_task(std::string_view text, std::size_t number);

}  // namespace sbx::agentloop
