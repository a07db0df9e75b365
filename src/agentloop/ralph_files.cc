// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/ralph_files.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "agentloop/context.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::agentloop {
namespace {

constexpr std::string_view kStateFile = "ralph-loop.state.json";
constexpr std::string_view kHistoryFile = "ralph-history.json";
constexpr std::size_t kMostErrors = 10;
constexpr std::size_t kLongestError = 200;
constexpr std::size_t kLongestHeard = 4096;
constexpr std::int64_t kShortMs = 30'000;
constexpr std::string_view kToolMark = "· ";
constexpr std::string_view kOpencodeMark = "|  ";
constexpr std::string_view kQuestionsFile = "ralph-questions.json";

volatile sig_atomic_t ralph_signals = 0;

std::string in_small_letters(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

// A call of a tool, as Transcript shows it or opencode prints it: its name, and what it is about.
struct ToolLine {
  std::string name;
  std::string about;
};
std::optional<ToolLine> tool_line(std::string_view line) {
  const bool is_shown = line.starts_with(kToolMark);
  if (!is_shown && !line.starts_with(kOpencodeMark)) return std::nullopt;
  line.remove_prefix(is_shown ? kToolMark.size() : kOpencodeMark.size());
  const std::size_t end = std::min(line.find(is_shown ? ':' : ' '), line.size());
  const std::string_view about = line.substr(std::min(end + 1, line.size()));
  return ToolLine{std::string(line.substr(0, end)), std::string(trimmed(about))};
}

bool is_question(const ToolLine& tool) {
  const std::string name = in_small_letters(tool.name);
  return name == "question" || name == "askuserquestion";
}

// A line of standard input; empty at its end, and when a signal comes.
std::string line_of_input() {
  std::string line;
  for (char c = 0; line.size() < kLongestHeard && ::read(STDIN_FILENO, &c, 1) == 1 && c != '\n';) line += c;
  return std::string(trimmed(line));
}

bool is_error_line(std::string_view line) {
  const std::string low = in_small_letters(line);
  const auto says = [&](const char* word) { return low.find(word) != std::string::npos; };
  return says("error:") || says("failed:") || says("exception:") || says("typeerror") || says("syntaxerror") ||
         says("referenceerror") || (says("test") && says("fail"));
}

template <class Holds>
int run_at_end(const std::vector<Iteration>& iterations, Holds holds) {
  int count = 0;
  for (auto i = iterations.rbegin(); i != iterations.rend() && holds(*i); ++i) ++count;
  return count;
}

// The name that users know the agent by.
std::string agent_word(const std::string& agent) {
  return agent == "claude" ? "claude-code" : agent == "cursor" ? "cursor-agent" : agent;
}

}  // namespace

Result<Fd> lock_ralph(const std::string& directory) {
  TRY(make_directories(directory + "/.ralph", 0755));
  TRY_ASSIGN(Fd lock, open_path(directory + "/.ralph", O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(const bool taken, try_lock_file(lock, directory + "/.ralph"));
  if (!taken) return fail(Code::kConflict, "another ralph works in this directory (ralph --status, --add-context)");
  return lock;
}

void cancel_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (ralph_signals > 0) ::_exit(1);
    ralph_signals = 1;
  };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

Struggle struggle_of(const std::vector<Iteration>& iterations) {
  return {run_at_end(iterations, [](const Iteration& i) { return i.changed == 0; }),
          run_at_end(iterations, [](const Iteration& i) { return i.duration_ms < kShortMs; })};
}

bool RalphFiles::is_cancelled() const { return ralph_signals > 0; }

std::optional<std::pair<RalphOptions, State>> RalphFiles::active(const std::string& directory) {
  const auto text = read_file(directory + "/.ralph/" + std::string(kStateFile));
  const auto json = text ? parse_json(*text) : Result<Json>(fail(Error(text.error())));
  if (!json || !json->is_object() || !json->contains("engine")) return std::nullopt;
  const Json& engine = (*json)["engine"];
  if (!engine.is_object() || !engine.contains("settings") || !engine.contains("state")) return std::nullopt;
  auto settings = value_of<Settings>(engine["settings"], "settings", Unknown::kIgnored);
  auto state = value_of<State>(engine["state"], "state", Unknown::kIgnored);
  if (!settings || !state) return std::nullopt;
  const auto word = [&](const char* name) {
    return json->contains(name) && (*json)[name].is_string() ? (*json)[name].get<std::string>() : "";
  };
  return std::pair(RalphOptions{std::move(*settings), word("model"), word("promptTemplate")}, std::move(*state));
}

Json RalphFiles::state_json(const State& state) const {
  const Settings& settings = options_.settings;
  Json json = {{"active", true},
               {"iteration", state.current ? state.current->number : std::max<std::int64_t>(state.next() - 1, 1)},
               {"minIterations", settings.least},
               {"maxIterations", settings.most},
               {"completionPromise", settings.promise},
               {"tasksMode", !settings.tasks.empty()},
               {"taskPromise", settings.task_promise},
               {"prompt", settings.prompt},
               {"startedAt", state.started_at},
               {"model", options_.model},
               {"agent", agent_word(settings.agent)}};
  if (!settings.prompt_template.empty()) json["promptTemplate"] = options_.template_file;
  for (const AgentChoice& choice : settings.rotation)
    json["rotation"].push_back(agent_word(choice.agent) + ":" + choice.model);
  if (!settings.rotation.empty()) {
    const std::int64_t number = state.current ? state.current->number : state.next();
    json["rotationIndex"] = (number - 1) % static_cast<std::int64_t>(settings.rotation.size());
  }
  if (!settings.abort_promise.empty()) json["abortPromise"] = settings.abort_promise;
  json["engine"] = {{"settings", json_of(settings)}, {"state", json_of(state)}};
  return json;
}

Json RalphFiles::history_json(const State& state) const {
  Json list = Json::array();
  std::map<std::string, int> repeated;
  for (const Iteration& iteration : state.iterations) {
    const auto found = heard_.find(iteration.number);
    const AgentChoice choice = options_.settings.choice(iteration.number);
    const RalphHeard heard = found == heard_.end() ? RalphHeard{} : found->second;
    if (heard.errors.empty()) repeated.clear();
    for (const std::string& error : heard.errors) ++repeated[error.substr(0, 100)];
    list.push_back({{"iteration", iteration.number},
                    {"startedAt", iteration.started_at},
                    {"endedAt", iteration.ended_at},
                    {"durationMs", iteration.duration_ms},
                    {"agent", agent_word(choice.agent)},
                    {"model", choice.model.empty() ? options_.model : choice.model},
                    {"toolsUsed", heard.tools},
                    {"filesModified", iteration.files},
                    {"exitCode", iteration.exit_code},
                    {"completionDetected", iteration.promised},
                    {"errors", heard.errors}});
  }
  const Struggle struggle = struggle_of(state.iterations);
  return {{"iterations", list},
          {"totalDurationMs", state.elapsed_ms},
          {"struggleIndicators",
           {{"repeatedErrors", repeated},
            {"noProgressIterations", struggle.without_change},
            {"shortIterations", struggle.short_ones}}}};
}

Result<> RalphFiles::save(const State& state) {
  TRY(make_directories(directory_ + "/.ralph", 0755));
  TRY(replace_file(file(kHistoryFile), dump_pretty(history_json(state)) + "\n", 0644));
  if (!asked_.empty()) TRY(replace_file(file(kQuestionsFile), dump_pretty(asked_) + "\n", 0644));
  asked_ = Json::array();
  return replace_file(file(kStateFile), dump_pretty(state_json(state)) + "\n", 0644);
}

Result<> RalphFiles::clear_state() const {
  TRY(remove_file(file("ralph-context.prompt")));
  return remove_file(file(kStateFile));
}

Result<> RalphFiles::clear_questions() const { return remove_file(file(kQuestionsFile)); }

Result<> RalphFiles::clear_all() const {
  TRY(clear_state());
  TRY(clear_questions());
  for (const char* name : {"ralph-history.json", "ralph-context.md", "ralph-context.md.lock", "ralph-context.taken"})
    TRY(remove_file(file(name)));
  return Ok{};
}

void RalphFiles::recall() {
  for (RalphHistory::Entry& entry : RalphHistory::read(directory_).iterations)
    heard_[entry.number] = std::move(entry.heard);
}

// What the agent has asked in the last iteration becomes, with the answer, part of what the next is asked.
Result<> RalphFiles::read_answer() {
  if (!options_.reads_answers || !exists(file(kQuestionsFile))) return Ok{};
  for (const Json& entry : json_in_file(file(kQuestionsFile))) {
    const Json question = member_of(entry, "question");
    if (!question.is_string()) continue;
    const std::string words = question.get<std::string>().substr(0, kLongestError);
    std::printf("The agent asks: %s\nYour answer: ", printable(words).c_str());
    std::fflush(stdout);
    const std::string answer = line_of_input();
    if (is_cancelled()) return Ok{};
    if (answer.empty()) continue;
    TRY(add_context(file("ralph-context.md"), "You asked: " + words + "\nThe answer is: " + answer));
  }
  return remove_file(file(kQuestionsFile));
}

Result<std::string> RalphFiles::take_context() {
  TRY(make_directories(directory_ + "/.ralph", 0755));
  TRY(read_answer());
  return agentloop::take_context(file("ralph-context.md"), file("ralph-context.taken"));
}

// Only the iteration that is under way has one; its number is the first line.
Result<> RalphFiles::keep_prompt(std::int64_t iteration, const std::string& prompt) {
  TRY(replace_file(file("ralph-context.prompt"), std::to_string(iteration) + "\n" + prompt, 0644));
  return remove_file(file("ralph-context.taken"));
}

std::optional<std::string> RalphFiles::prompt(std::int64_t iteration) const {
  const auto text = read_file(file("ralph-context.prompt"));
  const std::string number = std::to_string(iteration) + "\n";
  if (!text || !text->starts_with(number)) return std::nullopt;
  return text->substr(number.size());
}

void RalphFiles::show(std::int64_t iteration, std::string_view text) {
  iteration_ = iteration;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  for (const char c : text) {
    if (c != '\n') {
      if (line_.size() < kLongestHeard) line_ += c;
      continue;
    }
    listen(line_);
    line_.clear();
  }
}

void RalphFiles::listen(std::string_view line) {
  if (line.starts_with("===") || line.starts_with("---")) return;
  RalphHeard& heard = heard_[iteration_];
  if (const auto tool = tool_line(line)) {
    ++heard.tools[tool->name];
    if (is_question(*tool) && asked_.size() < kMostErrors)
      asked_.push_back(
          {{"question", tool->about.empty() ? "(it does not say what)" : tool->about.substr(0, kLongestError)},
           {"timestamp", rfc3339(now())}});
    return;
  }
  if (heard.errors.size() < kMostErrors && is_error_line(line))
    heard.errors.emplace_back(line.substr(0, kLongestError));
}

}  // namespace sbx::agentloop
