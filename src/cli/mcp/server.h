// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "cli/mcp/messages.h"
#include "cli/mcp/tools.h"

namespace sbx::cli::mcp {

// An MCP server on a pair of descriptors. Calls of tools run on threads of their own, so that a long one keeps no other
// waiting; everything else is answered at once.
class Server {
 public:
  static constexpr std::size_t kMostCalls = 64;  // at the same time

  Server(Session& session, const Fd& in, const Fd& out) : session_(session), lines_(in), out_(out) {}
  ~Server();

  // Until EOF. Then calls are cancelled, and their threads have ended when it returns.
  Result<> serve();

 private:
  struct Running {
    std::jthread thread;
    bool has_ended = false;
  };

  void receive(const std::string& line);
  void answer_request(const Message& message);
  Json initialize(const Json& parameters);
  void call_tool(const Message& message);
  void run_call(std::stop_token stop, const Message& message, const Tool& tool);
  void cancel(const Json& parameters);
  void join_ended();
  void report(const Json& progress_token, const Step& step);
  Consent ask_user(const std::string& question, const std::stop_token& stop);
  void take_answer(const Message& message);
  void send(const Json& message);
  void send_result(const Json& id, const Result<Json>& result, int code_of_error);

  Session& session_;
  LineReader lines_;
  MessageWriter out_;
  bool client_can_ask_ = false;  // its user, for us: elicitation

  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::map<std::int64_t, std::optional<Json>> asked_;  // requests of ours: the answer's result, once it is there
  std::int64_t last_asked_ = 0;
  // By the text of the request's id. The last member: their threads use all others until they have been joined.
  std::map<std::string, Running> calls_;
};

}  // namespace sbx::cli::mcp
