// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_status.h"

#include <algorithm>
#include <functional>

#include "agentloop/ralph_files.h"
#include "agentloop/ralph_history.h"
#include "agentloop/tasks.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kTopTools = 3;
constexpr int kWorrying = 3;
constexpr int kRepeated = 2;

std::string active_text(const RalphOptions& options, const State& state) {
  const Settings& settings = options.settings;
  const std::int64_t number = state.current ? state.current->number : state.next() - 1;
  const std::string most = settings.most > 0 ? sbx::format(" / {}", settings.most) : " (no limit)";
  std::string text = "ACTIVE LOOP\n";
  text += sbx::format("  Iteration: {}{}\n", number, most);
  text += "  Started:   " + state.started_at + "\n";
  text += "  Agent:     " + settings.agent + (options.model.empty() ? "" : " " + options.model) + "\n";
  text += "  Promise:   " + settings.promise + "\n";
  if (!settings.tasks.empty()) text += "  Tasks:     " + settings.tasks + "\n";
  return text + "  Prompt:    " + settings.prompt.substr(0, std::min<std::size_t>(settings.prompt.find('\n'), 72)) +
         "\n";
}

std::string tools_text(const std::map<std::string, int>& tools) {
  std::vector<std::pair<std::string, int>> most(tools.begin(), tools.end());
  std::ranges::stable_sort(most, std::greater{}, [](const auto& tool) { return tool.second; });
  most.resize(std::min(most.size(), kTopTools));
  std::string text;
  for (const auto& [name, count] : most) text += sbx::format(", {} {}", printable(name), count);
  return text;
}

std::string struggle_text(const RalphHistory& history) {
  std::string text;
  if (history.without_change >= kWorrying)
    text += sbx::format("STRUGGLE: no file changed in {} iterations\n", history.without_change);
  if (history.short_ones >= kWorrying)
    text += sbx::format("STRUGGLE: {} iterations of less than 30 s\n", history.short_ones);
  for (const auto& [error, count] : history.errors)
    if (count >= kRepeated) text += sbx::format("STRUGGLE: {} times: {}\n", count, printable(error));
  return text;
}

std::string history_text(const RalphHistory& history) {
  const auto& all = history.iterations;
  if (all.empty()) return "";
  std::string text = sbx::format("HISTORY ({} iterations, {} s)\n", all.size(), history.duration_ms / 1000);
  for (auto i = all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), kShown)); i != all.end(); ++i)
    text += sbx::format("  #{}: {} s, exit {}, {} files{}\n", i->number, i->duration_ms / 1000, i->exit_code, i->files,
                        tools_text(i->heard.tools));
  return text + struggle_text(history);
}

}  // namespace

std::string tasks_text(const std::string& directory) {
  const auto tasks = tasks_in(read_file(directory + "/" + std::string(kRalphTasks)).value_or(""));
  if (tasks.empty()) return "TASKS\n  none\n";
  const auto done = std::ranges::count(tasks, 'x', &Task::box);
  std::string text = sbx::format("TASKS ({} of {} done)\n", done, tasks.size());
  std::size_t number = 0;
  for (const Task& task : tasks) {
    const std::string mark = task.is_part ? "    " : sbx::format("  {}. ", ++number);
    text += sbx::format("{}[{}] {}\n", mark, task.box, task.text);
  }
  return text;
}

std::string status_text(const std::string& directory, bool with_tasks) {
  const auto active = RalphFiles::active(directory);
  std::string text = "Ralph loop in " + directory + "\n\n";
  text += active ? active_text(active->first, active->second) : "No active loop\n";
  if (const auto context = read_file(directory + "/.ralph/ralph-context.md"); context && !context->empty())
    text += "PENDING CONTEXT\n" + *context;
  if (with_tasks || (active && !active->first.settings.tasks.empty())) text += tasks_text(directory);
  return text + history_text(RalphHistory::read(directory));
}

}  // namespace sbx::agentloop
