// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/session.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/child.h"
#include "base/value.h"
#include "guest/exec/program.h"
#include "guest/exec/terminal.h"

namespace sbx::guest {
namespace {

// One pipe per direction, ours not blocking.
Result<Pipe> program_pipe(bool we_read) {
  TRY_ASSIGN(Pipe pipe, make_pipe());
  TRY(set_nonblocking(we_read ? pipe.read : pipe.write));
  return pipe;
}

}  // namespace

Session::Session(const Surroundings& around, std::uint32_t stream, wire::ExecRequest request, OnDone on_done)
    : around_(around),
      stream_(stream),
      request_(std::move(request)),
      on_done_(std::move(on_done)),
      outlet_{.link = around.link, .stream = stream, .buffer = around.buffer} {}

Session::~Session() {
  if (launching_ || waiting_) around_.spare->forget_launch();
  around_.loop.forget(report_);
}

Result<> Session::start() {
  TRY_ASSIGN(Ends ends, connect());
  if (around_.spare == nullptr || !around_.spare->coming_for(request_)) return run(std::move(ends));
  waiting_ = std::move(ends);
  around_.spare->wait([this] { waited(); });
  return Ok{};
}

void Session::waited() {
  if (told_) return;  // it was abandoned
  check(run(*std::exchange(waiting_, std::nullopt)));
  for (const int number : early_) send_signal(number);
}

Result<> Session::run(Ends ends) {
  if (around_.spare == nullptr || !around_.spare->ready_for(request_)) return fork_program(ends);
  launching_ = true;
  pid_ = around_.spare->launch(request_, std::move(ends), [this](Spare::Outcome outcome) { launched(outcome); });
  return Ok{};
}

void Session::launched(const Spare::Outcome& outcome) {
  launching_ = false;
  outcome.started ? opened() : check(fork_program(outcome.ends));
}

// That a program was started after all. It is too late to return an error.
void Session::check(const Result<>& started) {
  if (started) return;
  pid_ = 0;
  tell_exit({125, 0, started.error().what()});
  on_done_(stream_);
}

Result<> Session::fork_program(const Ends& ends) {
  TRY_ASSIGN(Pipe report, make_pipe());
  TRY(set_nonblocking(report.read));
  const auto run = [&] {
    run_program({request_, around_.config, around_.descriptors, ends, report.write, around_.changes});
  };
  const bool behind_wall = around_.wall != nullptr && !request_.privileged;
  TRY_ASSIGN(pid_, behind_wall ? around_.wall->fork(run) : fork_to(run));
  report_ = std::move(report.read);
  around_.loop.watch(report_, EPOLLIN, [this](std::uint32_t) { read_report(); });
  return Ok{};
}

Result<Ends> Session::connect() { return request_.tty ? connect_terminal() : connect_pipes(); }

Result<Ends> Session::connect_pipes() {
  Ends ends;
  if (request_.interactive) {
    TRY_ASSIGN(Pipe in, program_pipe(false));
    enlarge_pipe(in.write);
    ends.in = std::move(in.read);
    add_input(std::move(in.write));
  } else {
    TRY_ASSIGN(ends.in, duplicate(around_.nothing));
    add_input(Fd());
  }
  TRY_ASSIGN(Pipe out, program_pipe(true));
  TRY_ASSIGN(Pipe err, program_pipe(true));
  ends.out = std::move(out.write);
  ends.err = std::move(err.write);
  add_output(std::move(out.read), wire::Kind::kOut);
  add_output(std::move(err.read), wire::Kind::kErr);
  return ends;
}

Result<Ends> Session::connect_terminal() {
  TRY_ASSIGN(Terminal terminal, open_terminal(request_.window));
  Fd in;
  if (request_.interactive) {
    // A second descriptor, because the loop watches each for one thing.
    TRY_ASSIGN(in, duplicate(terminal.master));
  }
  add_input(std::move(in));
  add_output(std::move(terminal.master), wire::Kind::kOut);
  Ends ends{std::move(terminal.slave), Fd(), Fd()};
  TRY_ASSIGN(ends.out, duplicate(ends.in));
  TRY_ASSIGN(ends.err, duplicate(ends.in));
  return ends;
}

void Session::add_output(Fd fd, wire::Kind kind) {
  outputs_.push_back(std::make_unique<Output>(around_.loop, std::move(fd), kind, outlet_, [this] { settle(); }));
}

void Session::add_input(Fd fd) {
  input_ = std::make_unique<Input>(around_.loop, std::move(fd), [this](std::size_t bytes) {
    const auto credit = wire::encode_u32(static_cast<std::uint32_t>(bytes));
    around_.link.send(wire::Kind::kCredit, stream_, {credit.data(), credit.size()});
  });
}

void Session::read_report() {
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t n = ::read(report_.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    if (n == 0) break;
    report_text_.append(buffer.data(), static_cast<std::size_t>(n));
  }
  around_.loop.forget(report_);
  report_.reset();
  if (report_text_.empty()) opened();
}

void Session::opened() {
  tell_opened();
  start_outputs();
}

void Session::tell_opened() { around_.link.send(wire::Kind::kOpened, stream_, text_of(wire::ExecOpened{pid_})); }

Result<> Session::take(wire::Kind kind, std::string_view payload) {
  if (told_) return Ok{};  // it was on its way when the stream ended
  switch (kind) {
    case wire::Kind::kData:
      return input_->take(payload);
    case wire::Kind::kEnd:
      if (!request_.tty) input_->finish();  // a terminal has no end of input; a key typed on it may mean one
      return Ok{};
    case wire::Kind::kResize:
      return resize_terminal(payload);
    case wire::Kind::kSignal:
      return signal(payload);
    case wire::Kind::kCredit:
      return add_credit(payload);
    case wire::Kind::kGone:
      outlet_.listening = false;
      // A program may go on without a client. One of init's own is for its client alone, and ends with its input.
      if (request_.builtin != wire::Builtin::kNone) input_->finish();
      resume();
      return Ok{};
    default:
      return fail(Code::kInvalid, "a kind of frame that is not for an exec");
  }
}

Result<> Session::add_credit(std::string_view payload) {
  const auto bytes = wire::decode_u32(payload);
  if (!bytes || *bytes > wire::kWindow - outlet_.credit) return fail(Code::kInvalid, "credit for more than was sent");
  outlet_.credit += *bytes;
  resume();
  return Ok{};
}

Result<> Session::signal(std::string_view payload) {
  const int number = payload.size() == 1 ? static_cast<unsigned char>(payload.front()) : 0;
  if (number < 1 || number >= NSIG) return fail(Code::kInvalid, "not a signal number");
  send_signal(number);
  return Ok{};
}

Result<> Session::resize_terminal(std::string_view payload) {
  const auto window = wire::decode_window_size(payload);
  if (!window) return fail(Code::kInvalid, "not a window size");
  if (request_.tty && !outputs_.front()->ended()) resize(outputs_.front()->fd(), *window);
  return Ok{};
}

void Session::send_signal(int number) {
  if (waiting_) early_.push_back(number);
  if (pid_ == 0) return;  // its number may be another process's by now
  // The process has no group of its own for a moment after the fork.
  if (::kill(-pid_, number) != 0 && errno == ESRCH) ::kill(pid_, number);
}

void Session::hang_up() {
  if (request_.tty) send_signal(SIGHUP);
}

void Session::abandon(const Error& why) {
  send_signal(SIGKILL);
  if (!told_) tell_exit({125, 0, why.what()});
  on_done_(stream_);
}

void Session::reaped(int status) {
  const channel::Link::Together together(around_.link);
  if (std::exchange(launching_, false)) {  // a short program ends before we hear that it runs
    const Spare::Outcome outcome = around_.spare->conclude();
    if (!outcome.started) return check(fork_program(outcome.ends));
    tell_opened();
  }
  if (report_) read_report();  // the loop may have told us of the two in either order
  pid_ = 0;
  const Exit exit = Exit::from_wait_status(status);
  exit_ = wire::ExecExit{exit.code, exit.signal, {}};
  if (report_text_.empty()) return finish_outputs();
  const auto failure = value_in<wire::ExecExit>(report_text_, "exit");
  tell_exit(failure ? *failure : wire::ExecExit{125, 0, "it could not be started: " + failure.error().what()});
  on_done_(stream_);
}

// The last of them to end settles it.
void Session::finish_outputs() {
  if (outputs_ended()) return settle();
  for (auto& output : outputs_) output->read_rest();
  if (outputs_ended()) return;
  start_outputs();
  settle();
}

void Session::start_outputs() {
  for (auto& output : outputs_) output->start();
}

void Session::resume() {
  for (auto& output : outputs_) output->resume();
}

bool Session::outputs_ended() const {
  return std::all_of(outputs_.begin(), outputs_.end(), [](const auto& output) { return output->ended(); });
}

// Called whenever something has ended: the process, or one of its outputs.
void Session::settle() {
  if (!exit_) return;
  if (outputs_ended()) {
    if (!told_) tell_exit(*exit_);
    return on_done_(stream_);
  }
  if (!told_ && !silence_) wait_for_silence();
}

void Session::wait_for_silence() {
  silence_ = around_.loop.after(kSilence, [this, passed = outlet_.passed] {
    if (told_) return;
    const bool stalled = std::any_of(outputs_.begin(), outputs_.end(), [](const auto& o) { return o->stalled(); });
    if (outlet_.listening && (stalled || outlet_.passed != passed)) return wait_for_silence();
    tell_exit(*exit_);
    if (request_.tty) return on_done_(stream_);
    outlet_.listening = false;
    resume();
  });
}

void Session::tell_exit(const wire::ExecExit& exit) {
  told_ = true;
  around_.link.send(wire::Kind::kExit, stream_, text_of(exit));
}

}  // namespace sbx::guest
