// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace sbx::cli {
namespace {

bool is_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Result<SignalReader> SignalReader::take(std::initializer_list<int> numbers) {
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  for (const int number : numbers)
    if (!is_ignored(number)) sigaddset(&set, number);
  Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return fail_errno("watch for signals");
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, &before); error != 0)
    return fail_errno("block signals", error);
  return SignalReader(std::move(fd), before);
}

SignalReader::SignalReader(SignalReader&& other) noexcept : fd_(std::move(other.fd_)), before_(other.before_) {}

SignalReader::~SignalReader() {
  if (fd_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalReader::next() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != sizeof info) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

IgnoredSignal::IgnoredSignal(int number) : number_(number) {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(number_, &ignore, &before_);
}

IgnoredSignal::~IgnoredSignal() { ::sigaction(number_, &before_, nullptr); }

}  // namespace sbx::cli
