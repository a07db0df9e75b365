// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/tasks.h"

#include <algorithm>

#include "base/text.h"

namespace sbx::agentloop {
namespace {

// "- [x] text" or "* [x] text", behind any indentation.
bool read_task(std::string_view line, Task& task) {
  const auto indentation = line.find_first_not_of(" \t");
  if (indentation == std::string_view::npos) return false;
  const std::string_view rest = line.substr(indentation);
  constexpr std::string_view kBox = "- [x]";
  if (rest.size() < kBox.size() || (rest[0] != '-' && rest[0] != '*') || rest.substr(1, 2) != " [" || rest[4] != ']')
    return false;
  const char box = rest[3] == 'X' ? 'x' : rest[3];
  if (std::string_view(" /x").find(box) == std::string_view::npos) return false;
  task = {.box = box, .text = std::string(trimmed(rest.substr(kBox.size()))), .is_part = indentation > 0};
  return true;
}

}  // namespace

std::vector<Task> tasks_in(std::string_view text) {
  std::vector<Task> tasks;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    Task task;
    if (read_task(line, task)) {
      task.line = number;
      tasks.push_back(std::move(task));
    }
    ++number;
  }
  return tasks;
}

bool all_done(const std::vector<Task>& tasks) {
  return !tasks.empty() && std::ranges::all_of(tasks, [](const Task& task) { return task.box == 'x'; });
}

std::string without_task(std::string_view text, std::size_t number) {
  std::vector<std::string> lines = split(text, '\n');
  std::vector<std::size_t> removed;
  std::size_t count = 0;
  for (const Task& task : tasks_in(text)) {
    if (!task.is_part) ++count;
    if (count == number) removed.push_back(task.line);
  }
  for (auto line = removed.rbegin(); line != removed.rend(); ++line)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(*line));
  return join(lines, "\n");
}

}  // namespace sbx::agentloop
