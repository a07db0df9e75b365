// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/loans.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <set>

#include "gate/ssh_question.h"

namespace sbx::gate {

Loans::~Loans() {
  for (const auto& [ticket, loan] : loans_) loop_.forget(loan.socket);
}

Result<> Loans::add(Ticket ticket, const Fd& socket, const policy::Target& target, const policy::Address& address) {
  if (loans_.size() >= most_) return fail(Code::kUnavailable, "the sandbox has too many connections open");
  TRY_ASSIGN(Fd copy, duplicate(socket));
  const auto [place, added] = loans_.emplace(ticket, Loan{std::move(copy), target, address});
  if (added)
    loop_.watch(place->second.socket, EPOLLHUP, [this, ticket](std::uint32_t events) { changed(ticket, events); });
  return Ok{};
}

// An error without a hang-up is the shim's to fetch. It would be told again and again, and is not waited for any more.
void Loans::changed(Ticket ticket, std::uint32_t events) {
  const auto place = loans_.find(ticket);
  if ((events & EPOLLHUP) != 0)
    forget(place);
  else
    loop_.change(place->second.socket, 0);
}

Loans::Place Loans::forget(Place place) {
  loop_.forget(place->second.socket);
  return loans_.erase(place);
}

// SECURITY: asked of the policy that holds now, and of the rule for host and port: that the policy allows all hosts
// lets no SSH pass.
std::vector<std::string> Loans::ssh_hosts(const policy::Policy& policy) const {
  std::set<std::string> hosts;
  for (const auto& [ticket, loan] : loans_) {
    if (loan.target.port != kSshPort || !policy.at_other(loan.target).allowed()) continue;
    if (policy.at_address(loan.target, policy.at_connect(loan.target), loan.address).allowed())
      hosts.insert(loan.target.host.text());
  }
  return {hosts.begin(), hosts.end()};
}

void Loans::end(Ticket ticket) {
  const auto place = loans_.find(ticket);
  if (place == loans_.end()) return;
  ::shutdown(place->second.socket.get(), SHUT_RDWR);
  forget(place);
}

void Loans::end_all() {
  while (!loans_.empty()) end(loans_.begin()->first);
}

void Loans::enforce(const policy::Policy& policy) {
  for (auto place = loans_.begin(); place != loans_.end();) {
    const Loan& loan = place->second;
    if (policy.at_address(loan.target, policy.at_connect(loan.target), loan.address).allowed()) {
      ++place;
      continue;
    }
    ::shutdown(loan.socket.get(), SHUT_RDWR);
    place = forget(place);
  }
}

}  // namespace sbx::gate
