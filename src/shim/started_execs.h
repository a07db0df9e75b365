// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "loop/message_server.h"
#include "wire/exec.h"
#include "wire/request_key.h"

namespace sbx::shim {

// The execs that were started lately, by the keys of their requests, so that a request that is made again is not run
// again. The newest kMost are known. Their keys are in a file as well, because a request may be made again when this
// shim and its machine are gone and the sandbox has been started anew.
//
//   TRY_ASSIGN(auto exec, started.find(key, request));
//   if (!exec) exec = started.add(key, request), open(request);
class StartedExecs {
 public:
  static constexpr std::size_t kMost = 1024;

  struct Exec {
    std::optional<std::size_t> request = {};  // a hash of it; nothing: it was started in an earlier run of the sandbox
    // Of a detached one: those who wait for the answer, and the answer, which does not change once it is there.
    std::vector<loop::MessageServer::Asker> waiting = {};
    std::string answer = {};
  };

  // `file` is open for reading and writing. One that cannot be used costs what this shim's successor would know.
  explicit StartedExecs(Fd file);

  // Nothing: it was not started. kConflict: it was, and cannot be answered a second time, because it has a client of
  // its own or has ended with an earlier run; or the key was another request's.
  Result<std::shared_ptr<Exec>> find(const wire::RequestKey& key, const wire::ExecRequest& request) const;

  // Call it before the guest is asked: what dies in between was not run, and is not run again either.
  std::shared_ptr<Exec> add(const wire::RequestKey& key, const wire::ExecRequest& request);

 private:
  void read_file();
  void write_down(const std::string& key);
  void remember(const std::string& key, std::shared_ptr<Exec> exec);

  Fd file_;
  std::uint64_t next_ = 0;  // number of the next exec, also over several runs
  std::unordered_map<std::string, std::shared_ptr<Exec>> execs_;
  std::deque<std::string> keys_;  // the oldest first
};

}  // namespace sbx::shim
