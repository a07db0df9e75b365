// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/service.h"

#include "base/log.h"
#include "policy/rules_file.h"
#include "wire/network.h"
#include "wire/sandbox.h"

namespace sbx::gate {
namespace {

constexpr auto kEnforceLimit = std::chrono::seconds(5);
constexpr auto kFlushLimit = std::chrono::milliseconds(500);
constexpr std::size_t kMostUnheard = 1u << 20;  // queued for the shim; then it is not asked for more
constexpr std::size_t kPolicyPart = 32u << 10;

Result<std::vector<wire::PublishedPort>> decode_ports(const Json& json) {
  Fields fields(json, "request");
  (void)fields.text("op");
  auto ports = wire::decode_ports(fields, "ports");
  TRY(fields.finish());
  return ports;
}

Result<std::vector<wire::StaticHost>> decode_hosts(const Json& json) {
  Fields fields(json, "request");
  (void)fields.text("op");
  auto hosts = wire::decode_hosts(fields, "hosts");
  TRY(fields.finish());
  return hosts;
}

Result<policy::Rules> decode_policy(const Json& json) {
  Fields fields(json, "request");
  (void)fields.text("op");
  const Json* rules = fields.value("rules");
  if (rules == nullptr) fields.reject("\"rules\" is missing");
  TRY(fields.finish());
  return policy::decode_rules(*rules, "the network policy");
}

}  // namespace

Service::Service(Inputs inputs)
    : loop_(inputs.loop),
      scribe_(inputs.scribe),
      line_(
          loop_, std::move(inputs.line), [this](std::string_view bytes, const Fd&) { packet(bytes); },
          [this] { loop_.stop(); }),
      ports_(
          loop_, [this] { return line_.queued() < kMostUnheard; },
          [this](std::uint16_t port, Fd socket) { line_.send(encode(Accepted{port}), std::move(socket)); }),
      loans_(loop_),
      dialler_({loop_, inputs.resolver, std::move(inputs.hosts),
                [this](const policy::Address& address, std::uint16_t port) { return ports_.holds(address, port); },
                loans_, [this](const Dialled& dialled, Fd socket) { line_.send(encode(dialled), std::move(socket)); }},
               std::make_shared<const policy::Policy>(std::move(inputs.rules))),
      control_(loop_, std::move(inputs.control), inputs.owner,
               [this](const Json& json, const Control::Reply& reply) { request(json, reply); }) {
  line_.hold_back_above(kMostUnheard);
  for (Listening& port : inputs.ports) ports_.add(std::move(port));
  line_.send(encode(Ready{}));
}

void Service::packet(std::string_view bytes) {
  auto message = decode_from_shim(bytes);
  bool sense = message.has_value();
  if (sense) {
    if (const auto* dial = std::get_if<Dial>(&*message)) sense = dialler_.dial(*dial);
    if (const auto* cancel = std::get_if<Cancel>(&*message)) dialler_.cancel(cancel->ticket);
    if (auto* records = std::get_if<Records>(&*message)) scribe_.write(std::move(records->records));
    if (const auto* lost = std::get_if<Lost>(&*message)) scribe_.lose(lost->losses);
    if (const auto* told = std::get_if<Enforced>(&*message)) enforced(told->policy);
    if (const auto* told = std::get_if<Flushed>(&*message)) flushed(told->flush);
  }
  if (sense) return;
  log_error("the gate ends: its shim speaks nonsense");
  loop_.stop();
}

void Service::request(const Json& json, const Control::Reply& reply) {
  const auto op = json.find("op");
  const std::string name = op != json.end() && op->is_string() ? op->get<std::string>() : std::string();
  if (name == "policy") return change_policy(json, reply);
  if (name == "flush") return flush(reply);
  const auto answer = name == "hosts" ? change_hosts(json) : about_ports(name, json);
  reply(answer ? *answer : wire::encode(answer.error()));
}

Result<Json> Service::about_ports(const std::string& op, const Json& json) {
  if (op != "ports" && op != "publish" && op != "unpublish") return fail(Code::kInvalid, "unknown request");
  TRY_ASSIGN(const auto ports, decode_ports(json));
  if (op == "ports") return Json{{"ports", wire::encode_ports(ports_.list())}};
  if (op == "unpublish") {
    TRY(ports_.unpublish(ports));
    return Json{{"ok", true}};
  }
  TRY_ASSIGN(const auto published, ports_.publish(ports));
  return Json{{"ok", true}, {"ports", wire::encode_ports(published)}};
}

// What is dialled from now on follows it. What the shim has already is the shim's to close, which knows how; what it
// has not closed when it says so, or when its time is over, is ended here.
void Service::change_policy(const Json& json, const Control::Reply& reply) {
  auto rules = decode_policy(json);
  if (!rules) return reply(wire::encode(rules.error()));
  const std::uint64_t number = ++last_policy_;
  dialler_.change_policy(std::make_shared<const policy::Policy>(*rules));
  auto limit = loop_.after(kEnforceLimit, [this, number] {
    const auto change = changes_.extract(number);
    dialler_.enforce();
    change.mapped().reply(wire::encode(Error(
        Code::kTimeout,
        "the policy holds for new connections, but the shim did not close those that it forbids: they were cut off")));
  });
  changes_.emplace(number, Unanswered{reply, std::move(limit)});
  send_policy(number, *rules);
}

void Service::send_policy(std::uint64_t number, const policy::Rules& rules) {
  const std::string text = policy::write_rules(rules);
  for (std::size_t at = 0; at < text.size(); at += kPolicyPart)
    line_.send(encode(PolicyPart{number, at + kPolicyPart >= text.size(), text.substr(at, kPolicyPart)}));
}

// For what is dialled from now on.
Result<Json> Service::change_hosts(const Json& json) {
  TRY_ASSIGN(const auto hosts, decode_hosts(json));
  TRY_ASSIGN(StaticHosts known, static_hosts(hosts));
  dialler_.change_hosts(std::move(known));
  return Json{{"ok", true}};
}

// A shim that does not answer costs its last records, not the log.
void Service::flush(const Control::Reply& reply) {
  const std::uint64_t number = ++last_flush_;
  flushes_.emplace(number, Unanswered{reply, loop_.after(kFlushLimit, [this, number] { flushed(number); })});
  line_.send(encode(Flush{number}));
}

void Service::flushed(std::uint64_t flush) {
  const auto node = flushes_.extract(flush);
  if (node.empty()) return;
  scribe_.when_written([this, reply = node.mapped().reply] {
    Json answer = {{"ok", true}};
    if (const auto losses = scribe_.losses()) answer["unwritten"] = netlog::encode(losses);
    reply(answer);
  });
}

// One that is enforced replaces those before it.
void Service::enforced(std::uint64_t policy) {
  if (changes_.empty() || policy < changes_.begin()->first) return;
  dialler_.enforce();
  while (!changes_.empty() && changes_.begin()->first <= policy) {
    const auto change = changes_.extract(changes_.begin());
    change.mapped().reply({{"ok", true}});
  }
}

}  // namespace sbx::gate
