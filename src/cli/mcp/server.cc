// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/server.h"

#include <algorithm>
#include <array>

#include "base/log.h"
#include "cli/mcp/resources.h"
#include "cli/own_version.h"
#include "wire/error.h"

namespace sbx::cli::mcp {
namespace {

constexpr std::array<std::string_view, 4> kVersions = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::string_view kInstructions =
    "Run programs in sandboxes instead of on the host: sandbox_create once, then sandbox_exec. The workspace has the "
    "same "
    "path in the sandbox and on the host, so files that you edit on one side are there on the other. What is not in "
    "the "
    "workspace stays in the sandbox. A host that is not reachable may be refused by the network policy: policy_check "
    "says so, and policy_propose asks the user.";

// What every tool answers, as text for models and as a value for programs.
Json tool_answer(const Result<Json>& result) {
  Json content = result ? Json{{"ok", true}, {"data", *result}} : Json{{"ok", false}};
  if (!result) content["error"] = wire::encode(result.error())["error"];
  return {{"content", Json::array({{{"type", "text"}, {"text", dump(content)}}})},
          {"structuredContent", content},
          {"isError", !result}};
}

Json tool_list() {
  Json list = Json::array();
  for (const Tool& tool : tools()) list.push_back(listed(tool));
  return {{"tools", std::move(list)}};
}

}  // namespace

Server::~Server() {
  for (auto& [id, call] : calls_) call.thread.request_stop();
}

Result<> Server::serve() {
  for (;;) {
    auto line = lines_.next();
    if (!line && line.error().code() == Code::kTooLarge) {
      send(error_answer(nullptr, rpc::kInvalidRequest, line.error().what()));
      continue;
    }
    TRY(line);
    if (!*line) break;
    if (!(*line)->empty()) receive(**line);
  }
  std::map<std::string, Running> left;
  {
    const std::lock_guard lock(mutex_);
    left.swap(calls_);
  }
  for (auto& [id, call] : left) call.thread.request_stop();
  return Ok{};
}

void Server::receive(const std::string& line) {
  const auto message = parse_message(line);
  join_ended();
  if (!message)
    return send(
        error_answer(nullptr, parse_json(line) ? rpc::kInvalidRequest : rpc::kParseError, message.error().what()));
  if (message->is_answer()) return take_answer(*message);
  if (message->is_request()) return answer_request(*message);
  if (message->method == "notifications/cancelled") cancel(message->parameters);
}

void Server::answer_request(const Message& message) {
  const std::string& method = message.method;
  if (method == "initialize") return send(answer(*message.id, initialize(message.parameters)));
  if (method == "ping") return send(answer(*message.id, Json::object()));
  if (method == "tools/list") return send(answer(*message.id, tool_list()));
  if (method == "tools/call") return call_tool(message);
  if (method == "resources/list") return send_result(*message.id, resource_list(session_), rpc::kInternalError);
  if (method == "resources/templates/list") return send(answer(*message.id, resource_templates()));
  if (method == "resources/read")
    return send_result(*message.id, read_resource(session_, message.parameters), rpc::kInvalidParameters);
  send(error_answer(*message.id, rpc::kNoSuchMethod, "no such method: " + method));
}

void Server::send_result(const Json& id, const Result<Json>& result, int code_of_error) {
  send(result ? answer(id, *result) : error_answer(id, code_of_error, result.error().what()));
}

Json Server::initialize(const Json& parameters) {
  const Json wanted = parameters.value("protocolVersion", Json());
  const auto known = std::ranges::find_if(kVersions, [&](std::string_view version) { return wanted == Json(version); });
  const Json capabilities = parameters.value("capabilities", Json::object());
  client_can_ask_ = capabilities.is_object() && capabilities.contains("elicitation");
  return {{"protocolVersion", known == kVersions.end() ? kVersions.front() : *known},
          {"capabilities", {{"tools", Json::object()}, {"resources", Json::object()}}},
          {"serverInfo", {{"name", "sandboxd"}, {"title", "Sandboxes"}, {"version", own_version()}}},
          {"instructions", kInstructions}};
}

void Server::call_tool(const Message& message) {
  const Json name = message.parameters.value("name", Json());
  const Tool* tool = name.is_string() ? find_tool(name.get<std::string>()) : nullptr;
  if (tool == nullptr) return send(error_answer(*message.id, rpc::kInvalidParameters, "no such tool: " + dump(name)));
  const std::string id = dump(*message.id);
  const std::lock_guard lock(mutex_);
  if (calls_.contains(id)) return send(error_answer(*message.id, rpc::kInvalidRequest, "a call has that id already"));
  if (calls_.size() >= kMostCalls)
    return send(answer(*message.id, tool_answer(fail(Code::kUnavailable, "too many calls run at the same time"))));
  calls_[id].thread = std::jthread([this, message, tool](std::stop_token stop) { run_call(stop, message, *tool); });
}

void Server::run_call(std::stop_token stop, const Message& message, const Tool& tool) {
  const Json meta = message.parameters.value("_meta", Json::object());
  const Json token = meta.is_object() ? meta.value("progressToken", Json()) : Json();
  Call call{.session = session_,
            .stop = stop,
            .on_step = [&](const Step& step) { report(token, step); },
            .ask_user = [&](const std::string& question) { return ask_user(question, stop); }};
  const auto result = tool.run(call, message.parameters.value("arguments", Json::object()));
  // A client that has cancelled a call expects no answer to it.
  if (!stop.stop_requested()) send(answer(*message.id, tool_answer(result)));
  const std::lock_guard lock(mutex_);
  if (const auto own = calls_.find(dump(*message.id)); own != calls_.end()) own->second.has_ended = true;
}

void Server::join_ended() {
  const std::lock_guard lock(mutex_);
  std::erase_if(calls_, [](const auto& entry) { return entry.second.has_ended; });
}

void Server::cancel(const Json& parameters) {
  const std::lock_guard lock(mutex_);
  if (const auto call = calls_.find(dump(parameters.value("requestId", Json()))); call != calls_.end())
    call->second.thread.request_stop();
}

void Server::report(const Json& progress_token, const Step& step) {
  if (progress_token.is_null()) return;
  Json progress = {{"progressToken", progress_token}, {"progress", step.done}, {"message", step.name}};
  if (step.total > 0) progress["total"] = step.total;
  send(notification("notifications/progress", std::move(progress)));
}

Consent Server::ask_user(const std::string& question, const std::stop_token& stop) {
  if (!client_can_ask_) return Consent::kCannotAsk;
  std::unique_lock lock(mutex_);
  const std::int64_t id = ++last_asked_;
  asked_[id] = std::nullopt;
  send(request(id, "elicitation/create",
               {{"message", question}, {"requestedSchema", {{"type", "object"}, {"properties", Json::object()}}}}));
  answered_.wait(lock, stop, [&] { return asked_[id].has_value(); });
  const Json result = asked_[id].value_or(Json());
  asked_.erase(id);
  return result.is_object() && result.value("action", Json()) == Json("accept") ? Consent::kGiven : Consent::kRefused;
}

void Server::take_answer(const Message& message) {
  if (!message.id->is_number_integer()) return;
  const std::lock_guard lock(mutex_);
  const auto question = asked_.find(message.id->get<std::int64_t>());
  if (question == asked_.end() || question->second) return;
  question->second = message.result.value_or(Json());
  answered_.notify_all();
}

// A client that does not read any more has gone: EOF follows.
void Server::send(const Json& message) {
  if (const auto sent = out_.send(message); !sent) log_debug("answer the client: {}", sent.error().what());
}

}  // namespace sbx::cli::mcp
