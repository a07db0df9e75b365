// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/cancel_on_signal.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/poll.h"
#include "cli/terminal/signals.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr int kCancelledBase = 128;

[[noreturn]] void cancel_create(const Client& client, const wire::RequestKey& key, int signal) {
  note("\nCancelling ...");
  const auto cancelled = client.remove({"creates", key.text()});
  // Not found: it has not begun, or has ended, or the sandbox was there before.
  if (cancelled || cancelled.error().code() == Code::kNotFound)
    note(cancelled ? "Cancelled: no sandbox was made" : "Cancelled");
  else
    note("error: " + cancelled.error().what());
  ::_exit(kCancelledBase + signal);
}

}  // namespace

struct CancelOnSignal::Watch {
  Client client;
  wire::RequestKey key;
  SignalReader signals;
  Pipe end;
  std::thread thread{};

  void run() {
    for (;;) {
      std::array<pollfd, 2> ready{{{signals.fd().get(), POLLIN, 0}, {end.read.get(), POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), -1) < 0) continue;
      if (ready[1].revents != 0) return;
      if (const auto signal = signals.next()) cancel_create(client, key, *signal);
    }
  }
};

Result<CancelOnSignal> CancelOnSignal::begin(const Client& client, wire::RequestKey key) {
  TRY_ASSIGN(Pipe end, make_pipe());
  TRY_ASSIGN(SignalReader signals, SignalReader::take({SIGINT, SIGTERM, SIGHUP}));
  std::unique_ptr<Watch> watch(new Watch{client, std::move(key), std::move(signals), std::move(end)});
  watch->thread = std::thread([watch = watch.get()] { watch->run(); });
  return CancelOnSignal(std::move(watch));
}

CancelOnSignal::CancelOnSignal(std::unique_ptr<Watch> watch) : watch_(std::move(watch)) {}
CancelOnSignal::CancelOnSignal(CancelOnSignal&&) noexcept = default;

CancelOnSignal::~CancelOnSignal() {
  if (!watch_) return;
  watch_->end.write.reset();
  watch_->thread.join();
}

}  // namespace sbx::cli
