// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/gate.h"

#include "policy/rules_file.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kLimit{10};

}  // namespace

Result<> GateSocket::set_policy(const policy::Rules& rules) const {
  TRY(socket_.ask({{"op", "policy"}, {"rules", policy::encode(rules)}}, kLimit));
  return Ok{};
}

Result<> GateSocket::publish(const Ports& ports) const {
  TRY(socket_.ask({{"op", "publish"}, {"ports", wire::encode_ports(ports)}}, kLimit));
  return Ok{};
}

Result<> GateSocket::unpublish(const Ports& ports) const {
  TRY(socket_.ask({{"op", "unpublish"}, {"ports", wire::encode_ports(ports)}}, kLimit));
  return Ok{};
}

Result<> GateSocket::set_hosts(const std::vector<wire::StaticHost>& hosts) const {
  TRY(socket_.ask({{"op", "hosts"}, {"hosts", wire::encode_hosts(hosts)}}, kLimit));
  return Ok{};
}

Result<netlog::Losses> GateSocket::flush_log(std::chrono::milliseconds limit) const {
  TRY_ASSIGN(const Json answer, socket_.ask({{"op", "flush"}}, limit));
  Fields fields(answer, "gate");
  const Json* unwritten = fields.value("unwritten");
  TRY(fields.finish(/*allow_unknown=*/true));
  return unwritten == nullptr ? netlog::Losses() : netlog::decode_losses(*unwritten);
}

Result<Ports> GateSocket::ports() const {
  TRY_ASSIGN(const Json answer, socket_.ask({{"op", "ports"}}, kLimit));
  Fields fields(answer, "gate");
  Ports ports = wire::decode_ports(fields, "ports");
  TRY(fields.finish(/*allow_unknown=*/true));
  return ports;
}

}  // namespace sbx::sandboxes
