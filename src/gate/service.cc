// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/service.h"

#include "base/log.h"
#include "base/overloaded.h"
#include "base/value.h"
#include "gate/ssh_question.h"
#include "policy/rules_file.h"
#include "wire/error.h"

namespace sbx::gate {
namespace {

constexpr auto kEnforceLimit = std::chrono::seconds(5);
constexpr auto kFlushLimit = std::chrono::milliseconds(500);
constexpr std::size_t kMostUnheard = 1u << 20;  // queued for the shim; then it is not asked for more
constexpr std::size_t kPolicyPart = 32u << 10;

}  // namespace

Service::Service(Inputs inputs)
    : loop_(inputs.loop),
      resolver_(inputs.resolver),
      scribe_(inputs.scribe),
      line_(
          loop_, std::move(inputs.line), [this](std::string_view bytes, const Fd&) { packet(bytes); },
          [this] { loop_.stop(); }),
      ports_(
          loop_, [this] { return line_.queued() < kMostUnheard; },
          [this](std::uint16_t port, Fd socket) { line_.send(encode(Accepted{port}), std::move(socket)); }),
      loans_(loop_),
      policy_(std::make_shared<const policy::Policy>(std::move(inputs.rules))),
      hosts_(std::move(inputs.hosts)),
      dialer_({loop_, inputs.resolver, hosts_,
               [this](const policy::Address& address, std::uint16_t port) { return ports_.holds(address, port); },
               loans_, [this](const Dialed& dialed, Fd socket) { line_.send(encode(dialed), std::move(socket)); }},
              policy_),
      vaults_(
          loop_, std::move(inputs.vaults), [this](std::string_view, Fd line) { open_desk(std::move(line)); }, [] {}),
      signer_(
          loop_, std::move(inputs.signer), [this](std::string_view bytes, const Fd&) { answer_signer(bytes); }, [] {}),
      control_(loop_, std::move(inputs.control), inputs.owner,
               [this](const wire::GateRequest& call, const Control::Reply& reply) { request(call, reply); }) {
  line_.hold_back_above(kMostUnheard);
  signer_.hold_back_above(kMostUnheard);
  for (Listening& port : inputs.ports) ports_.add(std::move(port));
  line_.send(encode(Ready{}));
}

void Service::packet(std::string_view bytes) {
  auto message = decode_from_shim(bytes);
  bool sense = message.has_value();
  if (sense) {
    if (const auto* dial = std::get_if<Dial>(&*message)) sense = dialer_.dial(*dial);
    if (const auto* cancel = std::get_if<Cancel>(&*message)) dialer_.cancel(cancel->ticket);
    if (auto* records = std::get_if<Records>(&*message)) scribe_.write(std::move(records->records));
    if (const auto* lost = std::get_if<Lost>(&*message)) scribe_.lose(lost->losses);
    if (const auto* told = std::get_if<Enforced>(&*message)) enforced(told->policy);
    if (const auto* told = std::get_if<Flushed>(&*message)) flushed(told->flush);
  }
  if (sense) return;
  log_error("the gate ends: its shim speaks nonsense");
  loop_.stop();
}

// More than one only for the moment in which a vault's successor is there before its end was noticed.
void Service::open_desk(Fd line) {
  if (!line) return;
  const auto place = desks_.emplace(desks_.end());
  const auto is_ours = [this](const policy::Address& address, std::uint16_t port) {
    return ports_.holds(address, port);
  };
  const auto on_gone = [this, place] {
    loop_.discard(std::move(*place));
    desks_.erase(place);
  };
  *place = std::make_unique<Desk>(Desk::Inputs{loop_, resolver_, hosts_, is_ours, std::move(line), on_gone}, policy_);
}

void Service::answer_signer(std::string_view bytes) {
  if (const auto question = decode_ssh_question(bytes))
    signer_.send(encode(SshAnswer{question->number, loans_.ssh_hosts(*policy_)}));
}

void Service::for_each_dialer(const std::function<void(Dialer&)>& act) {
  act(dialer_);
  for (const auto& desk : desks_) act(desk->dialer());
}

void Service::request(const wire::GateRequest& request, const Control::Reply& reply) {
  const auto answer = [&reply](const Result<Json>& made) { reply(made ? *made : wire::encode(made.error())); };
  std::visit(Overloaded{[&](const wire::SetPolicy& call) { change_policy(call, reply); },
                        [&](const wire::FlushLog&) { flush(reply); },
                        [&](const wire::SetHosts& call) { answer(change_hosts(call)); },
                        [&](const wire::PublishPorts& call) { answer(publish(call)); },
                        [&](const wire::UnpublishPorts& call) { answer(unpublish(call)); },
                        [&](const wire::ListPorts&) { answer(json_of(wire::PortList{ports_.list()})); }},
             request);
}

Result<Json> Service::publish(const wire::PublishPorts& call) {
  TRY_ASSIGN(auto published, ports_.publish(call.ports));
  return json_of(wire::PortList{std::move(published)});
}

Result<Json> Service::unpublish(const wire::UnpublishPorts& call) {
  TRY(ports_.unpublish(call.ports));
  return Json{{"ok", true}};
}

// What is dialed from now on follows it. What the shim has already is the shim's to close, which knows how; what it
// has not closed when it says so, or when its time is over, is ended here.
void Service::change_policy(const wire::SetPolicy& call, const Control::Reply& reply) {
  auto rules = policy::decode_rules(call.rules, "the network policy");
  if (!rules) return reply(wire::encode(rules.error()));
  const std::uint64_t number = ++last_policy_;
  policy_ = std::make_shared<const policy::Policy>(*rules);
  for_each_dialer([this](Dialer& dialer) { dialer.change_policy(policy_); });
  auto limit = loop_.after(kEnforceLimit, [this, number] {
    const auto change = changes_.extract(number);
    for_each_dialer([](Dialer& dialer) { dialer.enforce(); });
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

// For what is dialed from now on.
Result<Json> Service::change_hosts(const wire::SetHosts& call) {
  TRY_ASSIGN(StaticHosts known, static_hosts(call.hosts));
  hosts_ = std::move(known);
  for_each_dialer([this](Dialer& dialer) { dialer.change_hosts(hosts_); });
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
    if (const auto losses = scribe_.losses()) answer["unwritten"] = json_of(losses);
    reply(answer);
  });
}

// One that is enforced replaces those before it.
void Service::enforced(std::uint64_t policy) {
  if (changes_.empty() || policy < changes_.begin()->first) return;
  for_each_dialer([](Dialer& dialer) { dialer.enforce(); });
  while (!changes_.empty() && changes_.begin()->first <= policy) {
    const auto change = changes_.extract(changes_.begin());
    change.mapped().reply({{"ok", true}});
  }
}

}  // namespace sbx::gate
