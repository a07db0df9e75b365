// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/attach.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <thread>

#include "cli/terminal/attach_input.h"
#include "cli/terminal/attach_output.h"
#include "cli/terminal/signals.h"
#include "cli/terminal/terminal.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kPiece = 512u << 10;

Result<std::size_t> receive(const Fd& connection, char* into, std::size_t size) {
  for (;;) {
    const ssize_t n = ::recv(connection.get(), into, size, 0);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno == ECONNRESET) return std::size_t{0};
    if (errno != EINTR) return fail_errno("read from the sandbox");
  }
}

// Until the command's last frame, the end of the connection, or EPIPE on our output.
Result<> relay_output(const Fd& connection, std::string_view early, AttachOutput& output) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  std::string_view bytes = early;
  for (;;) {
    TRY(output.feed(bytes));
    if (output.exit() || output.closed()) return Ok{};
    TRY_ASSIGN(const std::size_t n, receive(connection, buffer.get(), kPiece));
    if (n == 0) return Ok{};
    bytes = std::string_view(buffer.get(), n);
  }
}

Result<Outcome> outcome_of(const AttachOutput& output, const AttachInput& input) {
  if (output.exit()) return *output.exit();
  if (output.closed()) return OutputClosed{};
  if (input.detached()) return DetachedByKeys{output.session()};
  if (input.interrupted_by() != 0) return Interrupted{input.interrupted_by(), output.session()};
  return fail(Code::kInternal, "the sandbox ended while the command ran", "sandbox ls");
}

}  // namespace

wire::WindowSize window_of(const Streams& streams) {
  if (const auto size = window_size(streams.out)) return *size;
  return window_size(streams.in).value_or(wire::WindowSize{});
}

Result<Outcome> attach(exchange::Upgraded upgraded, AttachOptions options, const Streams& streams) {
  const IgnoredSignal broken_pipe(SIGPIPE);  // a write says EPIPE, which is an outcome
  AttachOutput output(streams.out, streams.err, options.tty && is_terminal(streams.out), options.on_link);
  TRY_ASSIGN(AttachInput input, AttachInput::create(upgraded.connection, std::move(options), streams));
  std::thread sender([&input] { input.run(); });
  const Result<> relayed = relay_output(upgraded.connection, upgraded.early, output);
  if (output.closed()) input.signal_closed();
  input.stop();
  sender.join();
  output.restore();
  TRY(relayed);
  return outcome_of(output, input);
}

}  // namespace sbx::cli
