// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "agentloop/loop_files.h"
#include "base/format.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"
#include "cli/commands/verbs.h"
#include "cli/loops/loop_sandbox.h"
#include "cli/loops/worker.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {
namespace {

using agentloop::LoopFiles;
using agentloop::State;

// What is known of one loop: its files, if it was run, and its sandboxes.
struct LoopView {
  std::string id;
  std::vector<std::string> sandboxes;
  std::optional<agentloop::Settings> settings;
  State state;
  bool is_run = false;
  std::string trouble;  // why its files cannot be read, if so

  // A process that died has left the word of one that runs.
  std::string status() const {
    if (!trouble.empty()) return "unreadable";
    if (!settings) return "warm";
    if (state.status != agentloop::Status::kEnded && !is_run) return "interrupted";
    return std::string(word_of(state.status));
  }
};

using Views = std::map<std::string, LoopView>;

Result<> read_files(const std::string& home, LoopView& view) {
  TRY_ASSIGN(const LoopFiles files, LoopFiles::open(home, view.id));
  TRY_ASSIGN(const agentloop::Settings settings, files.settings());
  TRY_ASSIGN(view.state, files.state());
  view.settings = settings;
  view.is_run = files.is_run();
  return Ok{};
}

// One loop that cannot be read must not hide the others.
void add_files(const std::string& home, const std::string& id, Views& views) {
  LoopView& view = views[id];
  view.id = id;
  if (const auto read = read_files(home, view); !read) view.trouble = read.error().what();
}

Result<> add_sandboxes(const Context& context, Views& views) {
  TRY_ASSIGN(const Client client, context.client());
  TRY_ASSIGN(const auto sandboxes, list_sandboxes(client));
  for (const wire::SandboxInfo& sandbox : sandboxes)
    for (const auto& [name, id] : sandbox.labels) {
      if (name != kLoopLabel) continue;
      views[id].id = id;
      views[id].sandboxes.push_back(sandbox.name);
    }
  return Ok{};
}

Json fields_of(const LoopView& view) {
  Json fields = {{"id", view.id}, {"status", view.status()}, {"sandboxes", view.sandboxes}};
  if (!view.trouble.empty()) fields["reason"] = view.trouble;
  if (!view.settings) return fields;
  fields["outcome"] = word_of(view.state.outcome);
  fields["reason"] = view.state.reason;
  fields["iteration"] = view.state.next() - (view.state.current ? 0 : 1);
  fields["settings"] = json_of(*view.settings);
  fields["state"] = json_of(view.state);
  return fields;
}

std::vector<std::string> row_of(const LoopView& view) {
  const std::int64_t most = view.settings ? view.settings->most : 0;
  const std::string count = std::to_string(view.state.iterations.size()) + (most > 0 ? sbx::format("/{}", most) : "");
  return {view.id,
          view.status(),
          std::string(word_of(view.state.outcome)),
          view.settings ? count : "",
          view.settings ? view.settings->agent : "",
          join(view.sandboxes, " ")};
}

Result<Views> all_loops(const Context& context) {
  TRY_ASSIGN(const std::string home, loops_home());
  Views views;
  TRY(add_sandboxes(context, views));
  for (const std::string& id : LoopFiles::ids(home)) add_files(home, id, views);
  return views;
}

std::string iteration_line(const agentloop::Iteration& iteration) {
  std::string text = sbx::format("  {}: {} ms, {} with {}", iteration.number, iteration.duration_ms,
                                 word_of(iteration.end), iteration.exit_code);
  if (!iteration.story.empty()) text += sbx::format(", story {}{}", iteration.story, iteration.passed ? " passes" : "");
  if (iteration.until_code) text += sbx::format(", command {}", *iteration.until_code);
  if (iteration.changed >= 0) text += sbx::format(", {} files", iteration.changed);
  if (iteration.reverted) text += ", reverted";
  return printable(text) + "\n";
}

void print_status(const LoopView& view) {
  const std::string& reason = view.trouble.empty() ? view.state.reason : view.trouble;
  print(sbx::format("{}: {}{}\n", view.id, view.status(), reason.empty() ? "" : ": " + printable(reason)));
  for (const std::string& name : view.sandboxes) print("  sandbox " + name + "\n");
  if (!view.state.note.empty()) print("  " + printable(view.state.note) + "\n");
  for (const agentloop::Iteration& iteration : view.state.iterations) print(iteration_line(iteration));
  if (view.state.current)
    print(sbx::format("  {}: since {}\n", view.state.current->number, view.state.current->started_at));
}

}  // namespace

Result<int> loop_ls(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const Views views, all_loops(context));
  if (arguments.on("json")) {
    Json list = Json::array();
    for (const auto& [id, view] : views) list.push_back(fields_of(view));
    print_json({{"loops", list}});
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"LOOP", "STATUS", "OUTCOME", "ITERATION", "AGENT", "SANDBOXES"}};
  for (const auto& [id, view] : views) rows.push_back(row_of(view));
  print(columns(rows));
  return 0;
}

Result<int> loop_status(Context& context, const Arguments& arguments) {
  if (arguments.operands().empty()) return loop_ls(context, arguments);
  TRY_ASSIGN(const Views views, all_loops(context));
  const auto found = views.find(arguments.operands().front());
  if (found == views.end())
    return fail(Code::kNotFound, "no loop " + printable(arguments.operands().front()), "sandbox loop ls");
  if (arguments.on("json"))
    print_json(fields_of(found->second));
  else
    print_status(found->second);
  return 0;
}

}  // namespace sbx::cli::verbs
