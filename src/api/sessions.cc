// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "api/body.h"
#include "api/handlers.h"
#include "api/upgrade.h"
#include "base/text.h"
#include "base/value.h"
#include "wire/session.h"

namespace sbx::api {
namespace {

Result<wire::SessionNumber> session_of(const Call& call) {
  const std::string& text = call.variables["session"];
  const auto number = parse_integer(text);
  if (!number || *number < 1 || *number > std::numeric_limits<wire::SessionNumber>::max())
    return fail(Code::kInvalid, "\"" + printable(text) + "\" is not the number of a session");
  return static_cast<wire::SessionNumber>(*number);
}

}  // namespace

Result<Answer> list_sessions(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto list, services.sandboxes.sessions.list(call.name()));
  return json_response(200, json_of(list));
}

Result<Answer> attach_to_session(Services& services, Call& call) {
  TRY(check_parameters(call.request, {}));
  TRY_ASSIGN(const auto session, session_of(call));
  TRY_ASSIGN(const Json body, json_body(call.request));
  TRY_ASSIGN(const auto request, value_of<wire::AttachRequest>(body, "attach"));
  TRY(check_upgrade(call, "attach needs \"Upgrade: sandbox-exec\""));
  TRY(services.sandboxes.sessions.attach(call.name(), session, request, call.connection.socket()));
  return HandedOver{};
}

Result<Answer> end_session(Services& services, Call& call) {
  TRY(check_bare(call.request));
  TRY_ASSIGN(const auto session, session_of(call));
  TRY_ASSIGN(const auto info, services.sandboxes.sessions.end(call.name(), session));
  return json_response(200, json_of(info));
}

}  // namespace sbx::api
