// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/ssh_agents.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/format.h"
#include "base/log.h"
#include "base/text.h"
#include "base/value.h"
#include "sandboxes/control_socket.h"
#include "sandboxes/user_ssh_agent.h"
#include "wire/signer_control.h"

namespace sbx::sandboxes {
namespace {

constexpr std::chrono::seconds kSignerLimit{10};
constexpr std::size_t kLargestUse = 16u << 10;

// Packets, each whole or not at all.
Result<SocketPair> make_use_line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail_errno("make a socket pair");
  return SocketPair{Fd(ends[0]), Fd(ends[1])};
}

// The user's name is the guest's word.
std::string details_of(const wire::SshUse& use) {
  return printable(sbx::format("key {} for {} at {}, host key {}", use.key, use.user, use.host, use.host_key));
}

}  // namespace

SshAgents::SshAgents(secrets::SecretStore& store) : store_(store) {}

void SshAgents::follow(const Sandbox& sandbox) {
  const auto running = sandbox.running();
  const std::string agent = sandbox.record().ssh_agent;
  if (!running || agent.empty()) return;
  Entry wanted{sandbox.name(), std::to_string(running->shim->pid), agent, {}};
  // One at a time, because the signer keeps the line that it was told of last, and that must be the one that is kept
  // here.
  const auto turn = turn_of(sandbox.name());
  const MutexLock taken(*turn);
  if (has(wanted)) return;
  const auto connected = connect(sandbox, std::move(wanted));
  const std::string why = connected ? "" : connected.error().what();
  const MutexLock lock(mutex_);
  if (!why.empty() && complaints_[sandbox.name()] != why)
    log_warning("sandbox {} has no ssh-agent: {}", sandbox.name(), why);
  complaints_[sandbox.name()] = why;
}

std::shared_ptr<Mutex> SshAgents::turn_of(const std::string& sandbox) {
  const MutexLock lock(mutex_);
  auto& turn = turns_[sandbox];
  if (!turn) turn = std::make_shared<Mutex>();
  return turn;
}

bool SshAgents::has(const Entry& wanted) {
  const MutexLock lock(mutex_);
  return std::ranges::any_of(entries_, [&](const auto& entry) {
    const Entry& known = entry.second;
    return known.sandbox == wanted.sandbox && known.run == wanted.run && known.agent == wanted.agent;
  });
}

// Without mutex_, because it may take a while, and other sandboxes' uses are to be noted meanwhile.
Result<> SshAgents::connect(const Sandbox& sandbox, Entry entry) {
  TRY_ASSIGN(const Fd agent, connect_to_ssh_agent(entry.agent));
  TRY_ASSIGN(SocketPair line, make_use_line());
  TRY(ControlSocket(sandbox.directory().signer_socket())
          .ask(request_of(wire::SetSshAgent{}), kSignerLimit, {agent.get(), line.theirs.get()}));
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& known) { return known.second.sandbox == entry.sandbox; });
  TRY(server_.watch(line.ours));
  const int number = line.ours.get();
  entry.line = std::move(line.ours);
  entries_[number] = std::move(entry);
  return Ok{};
}

// The descriptor number may have been reused since it was ready, so the read must not block. What cannot be written to
// the audit log is not signed: the line is closed, and the signer refuses.
void SshAgents::serve(int number) {
  const MutexLock lock(mutex_);
  const auto entry = entries_.find(number);
  if (entry == entries_.end()) return;
  std::array<char, kLargestUse> buffer;
  const ssize_t size = ::recv(number, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  const auto use = size > 0 ? value_in<wire::SshUse>(std::string_view(buffer.data(), static_cast<std::size_t>(size)),
                                                     "a use of the ssh-agent", Unknown::kIgnored)
                            : Result<wire::SshUse>(fail(Code::kUnavailable, "the signer has ended"));
  const auto noted = use ? store_.note_ssh_use(entry->second.sandbox, details_of(*use)) : fail(use.error());
  if (!noted) {
    if (use) log_error("a use of the ssh-agent by {} is refused: {}", entry->second.sandbox, noted.error().what());
    return (void)entries_.erase(entry);
  }
  const std::string answer = text_of(wire::SshUseNoted{use->number});
  (void)!::send(number, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace sbx::sandboxes
