// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/engine.h"

#include <algorithm>
#include <thread>

#include "agentloop/agent_line.h"
#include "agentloop/prompt.h"
#include "agentloop/tasks.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/format.h"
#include "base/sha256.h"
#include "base/text.h"

namespace sbx::agentloop {
namespace {

constexpr std::chrono::milliseconds kLookAgain(100);
constexpr std::chrono::seconds kLongestEnding(10);
constexpr std::size_t kWithFiles = 20;        // iterations: a state that is written whole must not grow with all files
constexpr std::int64_t kShortestTurn = 5000;  // ms: no agent has answered by then

std::string line_about(const Settings& settings, const Iteration& iteration) {
  std::string text = sbx::format("=== {} {}", "iteration", iteration.number);
  if (settings.most > 0) text += sbx::format(" of {}", settings.most);
  if (!iteration.story.empty()) text += ", story " + iteration.story;
  return text + "\n";
}

std::string words_about(const Iteration& iteration) {
  std::string text = sbx::format("--- the agent {} with {}", word_of(iteration.end), iteration.exit_code);
  if (iteration.until_code) text += sbx::format(", the command with {}", *iteration.until_code);
  if (iteration.changed >= 0) text += sbx::format(", {} files changed", iteration.changed);
  if (iteration.reverted) text += ", and were put back";
  return text + "\n";
}

}  // namespace

std::string working_directory(const Settings& settings) {
  return settings.worktree.empty() ? settings.directory : settings.directory + "/.worktrees/" + settings.worktree;
}

const Iteration& base_of(const State& state, std::int64_t number) {
  for (auto i = state.iterations.rbegin(); i != state.iterations.rend(); ++i)
    if (i->number < number && !i->reverted && !i->commit.empty()) return *i;
  return state.begin;
}

Engine::Engine(const Settings& settings, State& state, World& world, Ledger& ledger)
    : settings_(settings),
      state_(state),
      world_(world),
      ledger_(ledger),
      checkpoints_(world, settings.id, working_directory(settings)) {}

// A cancel also gives up what is asked of the world at that moment: that is no failure.
Result<> Engine::run() {
  const auto ran = run_to_end();
  return ran || !ledger_.is_cancelled() ? ran : end({Outcome::kCancelled, "it was cancelled"});
}

Result<> Engine::run_to_end() {
  if (state_.begin.started_at.empty()) TRY(begin());
  for (;;) {
    TRY_ASSIGN(const bool goes_on, wait_while_paused());
    if (!goes_on) {
      TRY(end_agent());
      return end({Outcome::kCancelled, "it was cancelled"});
    }
    if (!state_.current) {
      TRY_ASSIGN(const bool begun, begin_iteration());
      if (!begun) return Ok{};
    }
    TRY(iterate());
    if (state_.status == Status::kEnded) return Ok{};
  }
}

Result<> Engine::begin() {
  if (!settings_.worktree.empty()) {
    TRY(Checkpoints(world_, settings_.id, settings_.directory).worktree(settings_.worktree));
  }
  const auto checkpoint = checkpoints_.make(0, "");
  if (!checkpoint && ledger_.is_cancelled()) return fail(Error(checkpoint.error()));
  if (!checkpoint) state_.note = "diff and undo do not work: " + checkpoint.error().what();
  if (checkpoint) {
    state_.begin.commit = checkpoint->commit;
    state_.begin.tree = checkpoint->tree;
  }
  state_.begin.started_at = state_.started_at = rfc3339(now());
  return save();
}

// False: it was cancelled.
Result<bool> Engine::wait_while_paused() {
  if (ledger_.is_cancelled()) return false;
  const bool pauses = ledger_.is_paused() && !state_.current;
  if (pauses) {
    state_.status = Status::kPaused;
    TRY(save());
  }
  while (pauses && ledger_.is_paused()) {
    if (ledger_.is_cancelled()) return false;
    std::this_thread::sleep_for(kLookAgain);
  }
  state_.status = Status::kRunning;
  return true;
}

// False: there is none any more, and the loop has ended.
Result<bool> Engine::begin_iteration() {
  settings_.most = ledger_.most().value_or(settings_.most);
  if (const auto stop = limit_reached(settings_, state_)) {
    TRY(end(*stop));
    return false;
  }
  Iteration iteration;
  iteration.number = state_.next();
  iteration.started_at = rfc3339(now());
  if (!settings_.prd.empty()) {
    TRY_ASSIGN(const std::string text, read_there(world_, settings_.directory, settings_.prd));
    TRY_ASSIGN(const Prd prd, Prd::parse(text));
    const auto story = prd.next();
    if (!story) {
      TRY(end({Outcome::kComplete, "all stories pass"}));
      return false;
    }
    iteration.story = story->id;
  }
  state_.current = std::move(iteration);
  TRY(save());
  return true;
}

Result<std::string> Engine::ask_for_prompt() {
  if (auto kept = ledger_.prompt(current().number)) return std::move(*kept);
  std::optional<Story> story;
  if (!current().story.empty()) {
    TRY_ASSIGN(const std::string text, read_there(world_, settings_.directory, settings_.prd));
    TRY_ASSIGN(const Prd prd, Prd::parse(text));
    story = prd.story(current().story);
  }
  TRY_ASSIGN(const std::string context, ledger_.take_context());
  std::string prompt = settings_.prompt_template.empty() ? prompt_for(settings_, current().number, story, context)
                                                         : from_template(context);
  TRY(ledger_.keep_prompt(current().number, prompt));
  return prompt;
}

// A list that is not there yet is an empty one.
std::string Engine::from_template(const std::string& context) {
  const auto tasks =
      settings_.tasks.empty() ? Result<std::string>("") : read_there(world_, settings_.directory, settings_.tasks);
  return prompt_from_template(settings_, current().number, context, tasks.value_or(""));
}

// SECURITY: an agent that could know where the turn of the command is kept that decides would write its result there.
std::string Engine::turn_name(const std::string& step) const {
  const std::string name = sbx::format("{}-{}-{}", state_.current->number, state_.attempt, step);
  constexpr std::size_t kDigits = 16;
  return settings_.turn_key.empty() ? name : name + "-" + sha256_hex(settings_.turn_key + name).substr(0, kDigits);
}

Turn Engine::turn(const std::string& step, std::vector<std::string> command) const {
  std::int64_t limit_ms = settings_.iteration_timeout_s * 1000;
  const std::int64_t left_ms = std::max<std::int64_t>(settings_.budget_s * 1000 - state_.elapsed_ms, 1);
  if (settings_.budget_s > 0) limit_ms = limit_ms > 0 ? std::min(limit_ms, left_ms) : left_ms;
  return {.kept = world_.kept() + "/" + settings_.id + "/" + turn_name(step),
          .command = std::move(command),
          .directory = working_directory(settings_),
          .environment = settings_.environment,
          .timeout = std::chrono::milliseconds(limit_ms),
          .idle = std::chrono::seconds(settings_.idle_timeout_s),
          .whole_tree = true};
}

// Of an iteration whose loop died: the agent may have gone on without it.
Result<> Engine::end_agent() {
  if (!state_.current) return Ok{};
  Turn agent = turn("agent", {});
  agent.only_ends = true;
  agent.timeout = kLongestEnding;
  const auto ignore = [](bool, std::string_view) {};
  TRY(world_.run(agent, ignore, [] { return false; }));
  return Ok{};
}

Result<TurnResult> Engine::ask_agent(const std::string& prompt, Evidence& evidence) {
  const AgentChoice choice = settings_.choice(current().number);
  AgentQuestion question{choice.agent,        prompt,
                         settings_.arguments, settings_.goes_on && current().number > 1,
                         choice.program,      settings_.asks_permission};
  if (!choice.model.empty()) question.arguments.insert(question.arguments.begin(), {"--model", choice.model});
  TRY_ASSIGN(const AgentLine line, agent_line(question));
  Transcript transcript(line.dialect, prompt);
  const auto on_piece = [&](bool is_error, std::string_view bytes) {
    ledger_.show(current().number, is_error ? std::string(bytes) : transcript.take(bytes));
  };
  TRY_ASSIGN(const TurnResult result,
             world_.run(turn("agent", line.command), on_piece, [this] { return ledger_.is_cancelled(); }));
  ledger_.show(current().number, transcript.finish());
  const std::string words = transcript.words();
  evidence.promised = is_promised(words, settings_.promise, settings_.form());
  evidence.aborted = is_promised(words, settings_.abort_promise, settings_.form());
  return result;
}

Result<> Engine::ask_command(Evidence& evidence) {
  if (settings_.until_command.empty()) return Ok{};
  const auto on_piece = [&](bool, std::string_view bytes) { ledger_.show(current().number, bytes); };
  TRY_ASSIGN(const TurnResult result, world_.run(turn("until", {"/bin/sh", "-c", settings_.until_command}), on_piece,
                                                 [this] { return ledger_.is_cancelled(); }));
  evidence.until_code = result.end == TurnEnd::kExited ? result.code : std::max(result.code, 1);
  current().duration_ms += result.duration_ms;
  return Ok{};
}

// The agent may have marked the story itself; with a command that decides, that is a claim like a promise.
Result<> Engine::look_at_story(Evidence& evidence) {
  TRY_ASSIGN(const std::string text, read_there(world_, settings_.directory, settings_.prd));
  TRY_ASSIGN(Prd prd, Prd::parse(text));
  const auto story = prd.story(current().story);
  const bool claimed = evidence.promised || (story && story->passes);
  current().passed = story_passes(claimed, evidence.until_code);
  if (prd.mark(current().story, current().passed))
    TRY(write_there(world_, settings_.directory, settings_.prd, prd.text()));
  evidence.has_list = true;
  evidence.list_done = prd.all_pass();
  return Ok{};
}

Result<> Engine::look_at_list(Evidence& evidence) {
  if (!settings_.prd.empty()) TRY(look_at_story(evidence));
  if (settings_.tasks.empty()) return Ok{};
  const auto text = read_there(world_, settings_.directory, settings_.tasks);
  if (!text && text.error().code() != Code::kNotFound) return fail(Error(text.error()));
  evidence.list_done = (!evidence.has_list || evidence.list_done) && all_done(tasks_in(text.value_or("")));
  evidence.has_list = true;
  return Ok{};
}

Result<> Engine::commit() {
  if (state_.begin.commit.empty()) return Ok{};
  const std::string& base = base_of(state_, current().number).commit;
  TRY_ASSIGN(const Checkpoint checkpoint, checkpoints_.make(current().number, base));
  current().commit = checkpoint.commit;
  current().tree = checkpoint.tree;
  current().changed = checkpoint.changed;
  current().files = checkpoint.files;
  if (settings_.commits)
    TRY(checkpoints_.commit_on_branch(sbx::format("Ralph iteration {}: work in progress", current().number)));
  if (!current().failed() || settings_.on_fail != OnFail::kRevert) return Ok{};
  TRY(checkpoints_.restore(base));
  current().reverted = true;
  return Ok{};
}

Result<> Engine::iterate() {
  TRY_ASSIGN(const std::string prompt, ask_for_prompt());
  ledger_.show(current().number, line_about(settings_, current()));
  TRY(fault_step("loop.begun"));
  Evidence evidence;
  TRY_ASSIGN(const TurnResult asked, ask_agent(prompt, evidence));
  current().exit_code = asked.code;
  current().end = asked.end;
  current().duration_ms = asked.duration_ms;
  current().promised = evidence.promised;
  TRY(fault_step("loop.asked"));
  if (asked.end == TurnEnd::kCancelled) return end({Outcome::kCancelled, "it was cancelled"});
  if (asked.code == 127 && asked.duration_ms < kShortestTurn)
    return end({Outcome::kFailed, "the agent's program cannot be run: it is not there, or says so (127)"});
  TRY(ask_command(evidence));
  current().until_code = evidence.until_code;
  TRY(fault_step("loop.decided"));
  TRY(look_at_list(evidence));
  TRY(fault_step("loop.listed"));
  TRY(commit());
  TRY(fault_step("loop.committed"));
  const std::int64_t number = current().number;
  finish_iteration();
  const auto stop = end_of_task(settings_, evidence, number);
  TRY(stop ? end(*stop) : save());
  return fault_step("loop.saved");
}

void Engine::finish_iteration() {
  current().ended_at = rfc3339(now());
  state_.elapsed_ms += current().duration_ms;
  ledger_.show(current().number, words_about(current()));
  state_.iterations.push_back(std::move(current()));
  state_.current.reset();
  if (state_.iterations.size() > kWithFiles) state_.iterations.rbegin()[kWithFiles].files = {};
}

Result<> Engine::end(const Stop& stop) {
  state_.status = Status::kEnded;
  state_.outcome = stop.outcome;
  state_.reason = stop.reason;
  state_.ended_at = rfc3339(now());
  ledger_.show(state_.next() - 1, sbx::format("=== {}: {}\n", word_of(stop.outcome), stop.reason));
  return save();
}

}  // namespace sbx::agentloop
