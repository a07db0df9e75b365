// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/resolver.h"

#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace sbx::gate {
namespace {

constexpr auto kLookUpLimit = std::chrono::seconds(10);
constexpr int kThreads = 8;
constexpr std::size_t kMostNames = 1024;  // asked for at one time
constexpr std::size_t kMostAddresses = 32;
constexpr int kServerSeconds = 3;
constexpr int kServerRounds = 2;

std::optional<policy::Address> address_of(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, bytes.size());
    return policy::Address::v4(bytes);
  }
  if (address->sa_family != AF_INET6) return std::nullopt;
  policy::Address::Bytes bytes{};
  std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, bytes.size());
  return policy::Address(bytes);
}

// A final dot would do it, too, but then /etc/hosts does not know the name. Each time anew, so that a changed
// /etc/resolv.conf is followed.
//
// SECURITY: RES_NORELOAD, because the C library may read that file once more when the name is asked for, and would then
// forget these options: it takes what res_init() finds changed already, by the name before, for what the file says.
Result<> ask_for_whole_names_only() {
  if (::res_init() != 0) return fail_errno("read the host's resolv.conf");
  _res.options &= ~static_cast<unsigned long>(RES_DEFNAMES | RES_DNSRCH);
  _res.options |= RES_NORELOAD;
  _res.retrans = kServerSeconds;
  _res.retry = kServerRounds;
  return Ok{};
}

}  // namespace

Result<Addresses> look_up(const std::string& name) {
  TRY_WITHIN("resolve " + name, ask_for_whole_names_only());
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(name.c_str(), nullptr, &wanted, &found); code != 0)
    return fail(Code::kUnavailable, "resolve " + name + ": " + ::gai_strerror(code));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, &::freeaddrinfo);
  Addresses addresses;
  for (const addrinfo* each = found; each != nullptr && addresses.size() < kMostAddresses; each = each->ai_next)
    if (const auto address = address_of(each->ai_addr)) addresses.push_back(*address);
  return addresses;
}

Result<std::unique_ptr<Resolver>> Resolver::create(loop::Loop& loop, LookUp look_up) {
  Fd wake_up(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_up) return fail_errno("make an event descriptor");
  return std::unique_ptr<Resolver>(new Resolver(loop, std::move(look_up), std::move(wake_up)));
}

Resolver::Resolver(loop::Loop& loop, LookUp look_up, Fd wake_up)
    : loop_(loop), look_up_(std::move(look_up)), wake_up_(std::move(wake_up)), lifeline_(loop) {
  loop_.watch(wake_up_, EPOLLIN, [this](std::uint32_t) { answered(); });
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { work(); });
}

Resolver::~Resolver() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
  loop_.forget(wake_up_);
}

Resolver::Question Resolver::ask(const std::string& name, OnAnswer done) {
  const Question question = next_++;
  auto limit = loop_.after(kLookUpLimit, [this, question, name] {
    answer(question, fail(Code::kTimeout, "resolve " + name + ": no name server answers"));
  });
  waiting_.emplace(question, Waiting{name, std::move(done), std::move(limit)});
  if (!enqueue(name))
    lifeline_.later(
        [this, question] { answer(question, fail(Code::kUnavailable, "too many names are being resolved")); });
  return question;
}

bool Resolver::enqueue(const std::string& name) {
  const MutexLock lock(mutex_);
  if (under_way_.contains(name)) return true;
  if (under_way_.size() >= kMostNames) return false;
  under_way_.insert(name);
  asked_.push_back(name);
  changed_.notify_one();
  return true;
}

void Resolver::forget(Question question) { waiting_.erase(question); }

void Resolver::answer(Question question, const Result<Addresses>& addresses) {
  const auto node = waiting_.extract(question);
  if (!node.empty()) node.mapped().done(addresses);
}

void Resolver::work() {
  MutexLock lock(mutex_);
  for (;;) {
    while (asked_.empty() && !closing_) changed_.wait(lock);
    if (closing_) return;
    const std::string name = std::move(asked_.front());
    asked_.pop_front();
    lock.unlock();
    auto addresses = look_up_(name);
    lock.lock();
    under_way_.erase(name);
    answers_.push_back({name, std::move(addresses)});
    const std::uint64_t one = 1;
    (void)!::write(wake_up_.get(), &one, sizeof one);
  }
}

void Resolver::answered() {
  std::uint64_t count = 0;
  (void)!::read(wake_up_.get(), &count, sizeof count);
  std::vector<Answered> answers;
  {
    const MutexLock lock(mutex_);
    answers.swap(answers_);
  }
  for (const Answered& each : answers) {
    std::vector<Question> questions;
    for (const auto& [question, waiting] : waiting_)
      if (waiting.name == each.name) questions.push_back(question);
    for (const Question question : questions) answer(question, each.addresses);
  }
}

}  // namespace sbx::gate
