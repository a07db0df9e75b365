// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agentloop/ledger.h"
#include "agentloop/settings.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::agentloop {

// A loop on the host, in <home>/loops/<id>/:
//   settings.json  state.json   written whole; state.json is what the loop goes on from
//   lock                        locked (fcntl, of the open file) by the process that runs the loop
//   log                         what its agent said, and what became of each iteration; of a full one (64 MiB) the end
//                               is a line that says so, and what became of iterations
//   worker.log                  what the process that runs the loop said of itself
//   prompts/<n>                 what the agent was asked
//   turns/                      of a loop on the host: output and end of its programs (turn.h)
//   context.{md,taken}          what the user has added, and what of it the next prompt will have
//   pause  cancel               are there when the user wants that
class LoopFiles : public Ledger {
 public:
  explicit LoopFiles(std::string directory) : directory_(std::move(directory)) {}

  // kConflict if there is one.
  static Result<LoopFiles> create(const std::string& home, const Settings& settings);
  // kNotFound: there is no such loop.
  static Result<LoopFiles> open(const std::string& home, const std::string& id);
  static std::vector<std::string> ids(const std::string& home);

  Result<Settings> settings() const;
  Result<> replace_settings(const Settings& settings) const;
  Result<State> state() const;
  bool is_run() const;           // by a process that lives; asking takes no lock, so that it is never in the way
  Result<Fd> take_lock() const;  // kConflict if another process has it
  // The same, but the process of a loop that has ended, and is about to exit, is waited for.
  Result<Fd> take_lock_after_end() const;
  const std::string& directory() const { return directory_; }
  std::string log() const { return directory_ + "/log"; }

  Result<> add_context(std::string_view text) const;
  Result<> want_pause(bool pause) const { return want("pause", pause); }
  Result<> want_cancel(bool cancel) const { return want("cancel", cancel); }

  std::optional<std::int64_t> most() const override;
  Result<> save(const State& state) override;
  Result<std::string> take_context() override;
  Result<> keep_prompt(std::int64_t iteration, const std::string& prompt) override;
  std::optional<std::string> prompt(std::int64_t iteration) const override;
  void show(std::int64_t iteration, std::string_view text) override;
  bool is_cancelled() const override;
  bool is_paused() const override;

 private:
  std::string file(std::string_view name) const { return directory_ + "/" + std::string(name); }
  Result<> want(std::string_view what, bool wanted) const;

  std::string directory_;
};

// Letters, digits, - and _, the first a letter or digit, 40 at most: it becomes part of names of sandboxes, refs and
// files.
bool is_loop_id(std::string_view id);

}  // namespace sbx::agentloop
