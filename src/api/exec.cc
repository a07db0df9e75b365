// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/body.h"
#include "api/handlers.h"
#include "api/request_key.h"
#include "api/upgrade.h"
#include "base/value.h"

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
  return json_response(200, json_of(started));
}

}  // namespace

Result<Answer> exec_in_sandbox(Services& services, Call& call) {
  TRY_ASSIGN(auto request, decode(call.request));
  TRY_ASSIGN(const auto key, request_key(call.request));
  if (request.detach) return detach(services, call, std::move(request), key);
  TRY(check_upgrade(call, "exec needs \"Upgrade: sandbox-exec\", or \"detach\""));
  TRY(services.sandboxes.execs.exec(call.name(), std::move(request), call.connection.socket(), key));
  return HandedOver{};
}

}  // namespace sbx::api
