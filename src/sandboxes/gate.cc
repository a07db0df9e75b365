// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/gate.h"

#include "policy/rules_file.h"
#include "wire/gate_control.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kLimit{10};

}  // namespace

Result<> GateSocket::set_policy(const policy::Rules& rules) const {
  TRY(socket_.ask(request_of(wire::SetPolicy{policy::encode(rules)}), kLimit));
  return Ok{};
}

Result<> GateSocket::publish(const Ports& ports) const {
  TRY(socket_.ask(request_of(wire::PublishPorts{ports}), kLimit));
  return Ok{};
}

Result<> GateSocket::unpublish(const Ports& ports) const {
  TRY(socket_.ask(request_of(wire::UnpublishPorts{ports}), kLimit));
  return Ok{};
}

Result<> GateSocket::set_hosts(const std::vector<wire::StaticHost>& hosts) const {
  TRY(socket_.ask(request_of(wire::SetHosts{hosts}), kLimit));
  return Ok{};
}

Result<netlog::Losses> GateSocket::flush_log(std::chrono::milliseconds limit) const {
  TRY_ASSIGN(const Json answer, socket_.ask(request_of(wire::FlushLog{}), limit));
  const auto unwritten = answer.find("unwritten");
  if (unwritten == answer.end()) return netlog::Losses();
  return value_of<netlog::Losses>(*unwritten, "losses of the network log", Unknown::kIgnored);
}

Result<Ports> GateSocket::ports() const {
  TRY_ASSIGN(auto list, socket_.ask_for<wire::PortList>(wire::ListPorts{}, kLimit));
  return std::move(list.ports);
}

}  // namespace sbx::sandboxes
