// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "wire/shim_control.h"

namespace sbx::api {
namespace {

// It travels on in one frame of at most 256 KiB.
constexpr std::size_t kLargestExec = 240u << 10;

Result<wire::ExecRequest> decode(const http::Request& request) {
  TRY(check_parameters(request, {}));
  if (request.body.size() > kLargestExec)
    return fail(Code::kTooLarge, "the command and its environment are larger than 240 KiB");
  return body_as<wire::ExecRequest>(request, "exec");
}

Result<Answer> detach(Services& services, Call& call, wire::ExecRequest request, const wire::RequestKey& key) {
  TRY_ASSIGN(const auto started, services.sandboxes.execs.exec_detached(call.name(), std::move(request), key));
  wire::DetachedStart answer;
  if (const auto* exit = std::get_if<wire::ExecExit>(&started))
    answer.exit = *exit;
  else
    answer.pid = std::get<pid_t>(started);
  return json_response(200, json_of(answer));
}

}  // namespace

Result<Answer> exec_in_sandbox(Services& services, Call& call) {
  TRY_ASSIGN(auto request, decode(call.request));
  TRY_ASSIGN(const auto key, request_key(call.request));
  if (request.detach) return detach(services, call, std::move(request), key);
  if (call.request.header("Upgrade").value_or("") != "sandbox-exec")
    return fail(Code::kInvalid, "exec needs \"Upgrade: sandbox-exec\", or \"detach\"");
  // What we have read could not be given back to the socket.
  if (call.connection.has_unread_bytes())
    return fail(Code::kInvalid, "bytes were sent before the upgrade was answered");
  TRY(call.connection.release_limits());
  TRY(services.sandboxes.execs.exec(call.name(), std::move(request), call.connection.socket(), key));
  return HandedOver{};
}

}  // namespace sbx::api
