// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/logins.h"

#include "base/clock.h"
#include "base/format.h"
#include "cli/client/remote.h"
#include "cli/words/login_link.h"
#include "exchange/exec_stream.h"

namespace sbx::cli {
namespace {

// What the guest may take to answer. The terminal waits for it, and the end of a port.
constexpr std::chrono::seconds kListensTime(5);

}  // namespace

Result<exchange::Upgraded> Logins::ask(wire::Builtin builtin, std::uint16_t port) const {
  wire::ExecRequest request;
  request.builtin = builtin;
  request.path = "/" + std::to_string(port);
  request.interactive = true;
  return open_exec(client_, sandbox_, request);
}

bool Logins::is_waited_for(std::uint16_t port) const {
  auto asked = ask(wire::Builtin::kListens, port);
  if (!asked) return false;
  exchange::ExecStream stream(std::move(*asked));
  stream.give_up_at(steady_now() + kListensTime);
  return stream.finish().has_value();
}

Result<> Logins::open_port(std::uint16_t port) {
  port_.reset();
  const auto connect = [this, port] { return ask(wire::Builtin::kConnect, port); };
  TRY_ASSIGN(port_, CallbackPort::open(port, {connect, [this, port] { return is_waited_for(port); }}));
  return Ok{};
}

std::string Logins::take(const std::string& address, LinkAge age) {
  const auto link = parse_login_link(address);
  if (!link || shown_ == kMostShown) return {};
  if (age == LinkAge::kOld && (link->port == 0 || !is_waited_for(link->port))) return {};
  ++shown_;
  std::string text = sbx::format("\r\n[sandbox {}] Open in your browser:\r\n{}\r\n", sandbox_, link->address);
  if (link->port == 0) return text;
  const auto opened = open_port(link->port);
  return text +
         (opened ? sbx::format("[sandbox] localhost:{} leads into the sandbox while it waits there.\r\n", link->port)
                 : sbx::format("[sandbox] localhost:{} cannot lead into the sandbox: {}\r\n", link->port,
                               opened.error().what()));
}

}  // namespace sbx::cli
