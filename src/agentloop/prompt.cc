// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/prompt.h"

#include "base/format.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

// An agent in a worktree is not where the list is.
std::string list_path(const Settings& settings, const std::string& path) {
  return settings.worktree.empty() ? path : settings.directory + "/" + path;
}

std::string story_text(const Settings& settings, const Story& story) {
  std::string text = sbx::format("Work on this story of {}, and on no other:\n\n{}: {}\n",
                                 list_path(settings, settings.prd), story.id, story.title);
  if (!story.description.empty()) text += story.description + "\n";
  if (!story.acceptance.empty()) text += "\nIt passes when:\n";
  for (const std::string& criterion : story.acceptance) text += "- " + criterion + "\n";
  return text;
}

std::string list_text(const Settings& settings) {
  return sbx::format(
      "The tasks are in {}. Take the first that is not done, mark it with [/] while you work on it and with [x] when\n"
      "it is done and you have checked that it works.\n",
      list_path(settings, settings.tasks));
}

std::string ending_text(const Settings& settings) {
  std::string text;
  const std::string what = settings.prd.empty() ? "the whole task" : "the story";
  if (!settings.promise.empty())
    text += sbx::format(
        "Only when {} is done and checked, end your last message with the line "
        "<promise>{}</promise> and nothing after it. Do not write that line otherwise.\n",
        what, settings.promise);
  if (!settings.abort_promise.empty())
    text += sbx::format("If it cannot be done at all, end it with the line <promise>{}</promise> instead.\n",
                        settings.abort_promise);
  if (!settings.until_command.empty())
    text += sbx::format("What decides is not what you say: after you, `{}` is run and has to succeed.\n",
                        settings.until_command);
  return text;
}

// Empty: the name is not one of ours.
std::optional<std::string> value_in_template(std::string_view name, const Settings& settings, std::int64_t iteration,
                                             std::string_view context, std::string_view tasks) {
  const std::pair<std::string_view, std::string> values[] = {
      {"iteration", std::to_string(iteration)},
      {"max_iterations", settings.most > 0 ? std::to_string(settings.most) : "unlimited"},
      {"min_iterations", std::to_string(settings.least)},
      {"prompt", settings.prompt},
      {"completion_promise", settings.promise},
      {"abort_promise", settings.abort_promise},
      {"task_promise", settings.task_promise},
      {"context", std::string(context)},
      {"tasks", std::string(tasks)}};
  for (const auto& [known, value] : values)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace

std::string prompt_from_template(const Settings& settings, std::int64_t iteration, std::string_view context,
                                 std::string_view tasks) {
  const std::string_view text = settings.prompt_template;
  std::string out;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = text.find("{{", at)) != std::string_view::npos;) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) break;
    out += text.substr(at, open - at);
    const auto value =
        value_in_template(trimmed(text.substr(open + 2, close - open - 2)), settings, iteration, context, tasks);
    out += value ? *value : std::string(text.substr(open, close + 2 - open));
    at = close + 2;
  }
  return out + std::string(text.substr(at));
}

std::string prompt_for(const Settings& settings, std::int64_t iteration, const std::optional<Story>& story,
                       std::string_view context) {
  std::string text;
  if (!settings.prompt.empty()) text += std::string(trimmed(settings.prompt)) + "\n\n";
  if (story) text += story_text(settings, *story) + "\n";
  if (!settings.tasks.empty()) text += list_text(settings) + "\n";
  if (!context.empty()) text += std::string(trimmed(context)) + "\n\n";
  text += sbx::format("This is iteration {}{} of a loop. What earlier ones did is in the files here.\n", iteration,
                      settings.most > 0 ? sbx::format(" of at most {}", settings.most) : "");
  return text + ending_text(settings);
}

}  // namespace sbx::agentloop
