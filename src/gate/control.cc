// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/control.h"

#include "base/operation.h"
#include "wire/error.h"

namespace sbx::gate {
namespace {

constexpr loop::MessageServer::Limits kLimits{.askers = 64, .patience = std::chrono::seconds(10), .unread = 1u << 20};

}  // namespace

Control::Control(loop::Loop& loop, Fd listener, uid_t owner, OnRequest on_request)
    : on_request_(std::move(on_request)),
      server_(loop, std::move(listener), owner, kLimits,
              [this](loop::MessageServer::Asker asker, const Message& message) { request(asker, message.body); }) {}

void Control::request(loop::MessageServer::Asker asker, const std::string& body) {
  const Reply reply = [this, asker](const Json& answer) { server_.answer(asker, dump(answer)); };
  const auto request = read_request<wire::GateRequest>(body);
  if (!request) return reply(wire::encode(request.error()));
  on_request_(*request, reply);
}

}  // namespace sbx::gate
