// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/control_socket.h"

#include "base/socket.h"
#include "wire/error.h"

namespace sbx::sandboxes {
namespace {

Error with_help(Error error) {
  if (error.code() != Code::kUnsupported) return error;
  return std::move(error)
      .within("the sandbox was started by an older version of sandboxd")
      .with_hint("stop the sandbox and start it again, to use this");
}

}  // namespace

Result<Fd> ControlSocket::send(const Json& request, std::chrono::milliseconds limit,
                               const std::vector<int>& fds) const {
  auto connection = connect_unix(path_);
  if (!connection) return fail(std::move(connection).error().as(Code::kUnavailable));
  TRY(set_timeouts(*connection, limit));
  if (auto sent = send_message(*connection, dump(request), fds); !sent)
    return fail(std::move(sent).error().as(Code::kUnavailable));
  return connection;
}

Result<Json> ControlSocket::ask(const Json& request, std::chrono::milliseconds limit,
                                const std::vector<int>& fds) const {
  TRY_ASSIGN(const Fd connection, send(request, limit, fds));
  auto message = receive_message(connection);
  if (!message && message.error().code() == Code::kTimeout)
    return fail(std::move(message).error().within("wait for an answer on " + path_));
  if (!message || !*message) return fail(Code::kUnavailable, "the process that serves " + path_ + " went away");
  TRY_ASSIGN(Json answer, parse_json((*message)->body));
  if (!answer.is_object()) return fail(Code::kInternal, path_ + " answers with nonsense");
  if (answer.contains("error")) return fail(with_help(wire::decode_error(answer, 500)));
  return answer;
}

}  // namespace sbx::sandboxes
