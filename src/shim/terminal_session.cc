// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/terminal_session.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/format.h"
#include "base/value.h"
#include "shim/upgrade.h"

namespace sbx::shim {
namespace {

using wire::Kind;

// As much as a guest may have on its way, so that a client which has not been sent it yet loses nothing.
constexpr std::size_t kRing = wire::kWindow;
// What brings a screen back: a few of them, and some lines before. More would take its time on a slow line.
constexpr std::size_t kReplay = 128u << 10;
// What waits for a client outside the ring.
constexpr std::size_t kClientQueue = 64u << 10;
// A program that looks at its window's size when the signal comes must see both sizes.
constexpr std::chrono::milliseconds kBetweenSizes{100};
constexpr std::chrono::milliseconds kGrace{2000};
constexpr std::size_t kLongestCommand = 2048;
// Of a program that was started without a client.
constexpr wire::WindowSize kUsualWindow{24, 80};

bool is_known(wire::WindowSize window) { return window.rows != 0 && window.columns != 0; }

wire::ExecRequest with_window(wire::ExecRequest request) {
  if (!is_known(request.window)) request.window = kUsualWindow;
  return request;
}

// A list of sessions has to fit into an answer, however long their commands are.
void shorten(std::vector<std::string>& command) {
  std::size_t room = kLongestCommand;
  for (auto word = command.begin(); word != command.end(); ++word) {
    if (word->size() < room) {
      room -= word->size() + 1;
      continue;
    }
    word->resize(room);
    word->append("...");
    command.erase(std::next(word), command.end());
    return;
  }
}

}  // namespace

TerminalSession::TerminalSession(loop::Loop& loop, Guest& guest, wire::SessionNumber number, wire::ExecRequest request,
                                 Handlers handlers)
    : loop_(loop),
      guest_(guest),
      number_(number),
      request_(with_window(std::move(request))),
      handlers_(std::move(handlers)),
      output_(kRing),
      window_(request_.window),
      lifeline_(loop) {}

TerminalSession::~TerminalSession() = default;

void TerminalSession::open(std::optional<Fd> client) {
  if (client) {
    wire::AttachRequest request;
    request.window = request_.window;
    used(add(std::move(*client), request));
  }
  stream_ = guest_.open(request_, *this);
  request_.environment.clear();
  shorten(request_.command);
}

Result<> TerminalSession::check(const wire::AttachRequest& request) const {
  const auto may_type = [](const Client& client) { return !client.read_only && !client.gone; };
  if (request.alone && std::ranges::any_of(clients_, may_type))
    return fail(Code::kConflict, sbx::format("session {} is attached elsewhere", number_));
  if (clients_.size() >= kMostClients)
    return fail(Code::kConflict, sbx::format("session {} has {} clients already", number_, clients_.size()));
  if (request.from && static_cast<std::uint64_t>(*request.from) > output_.end())
    return fail(Code::kInvalid, sbx::format("\"from\" is {}, and session {} has printed {} bytes", *request.from,
                                            number_, output_.end()));
  return Ok{};
}

void TerminalSession::attach(Fd fd, const wire::AttachRequest& request) {
  Client& client = add(std::move(fd), request);
  if (pid_) say_opened(client);
  begin_output(client, request);
  const bool is_part = client.position > 0;
  const wire::WindowSize before = window_;
  if (!client.read_only) used(client);
  const bool is_resized = before.rows != window_.rows || before.columns != window_.columns;
  if (!is_resized && !request.from && (is_part || !client.read_only)) redraw();
  show(client);
  give_credit();
}

TerminalSession::Client& TerminalSession::add(Fd fd, const wire::AttachRequest& request) {
  answer_upgrade(fd);
  Client& client = clients_.emplace_back();
  client.read_only = request.read_only;
  client.window = request.window;
  client.link = std::make_unique<channel::Link>(
      loop_, std::move(fd),
      [this, &client](const wire::Header& header, std::string_view payload) { frame(client, header, payload); },
      [this, &client](Result<>) { leave(client); });
  client.link->when_drained([this, &client] { drained(client); });
  return client;
}

void TerminalSession::begin_output(Client& client, const wire::AttachRequest& request) {
  wire::OutputPosition position;
  position.live = static_cast<std::int64_t>(output_.end());
  if (request.from && static_cast<std::uint64_t>(*request.from) >= output_.begin()) {
    position.from = *request.from;
  } else {
    const TerminalOutput::Beginning beginning = output_.newest(request.from ? kRing : kReplay);
    position.from = static_cast<std::int64_t>(beginning.number);
    position.modes = beginning.modes;
    if (request.from) position.skipped = position.from - *request.from;
  }
  client.position = static_cast<std::uint64_t>(position.from);
  client.link->send(Kind::kPosition, wire::kClientStream, text_of(position));
}

void TerminalSession::say_opened(Client& client) {
  client.link->send(Kind::kOpened, wire::kClientStream, text_of(wire::SessionOpened{number_, *pid_}));
}

void TerminalSession::opened(std::int64_t pid) {
  pid_ = pid;
  for (Client& client : clients_) say_opened(client);
  handlers_.opened(pid);
}

void TerminalSession::output(Kind, std::string_view bytes) {
  if (handlers_.output) handlers_.output(bytes);
  output_.append(bytes);
  for (Client& client : clients_) show(client);
  give_credit();
}

// What its queue takes of what it has not had.
void TerminalSession::show(Client& client) {
  while (!client.gone && client.link->queued() < kClientQueue) {
    if (client.position < output_.begin()) move_forward(client);
    const std::string_view bytes = output_.from(client.position).substr(0, kClientQueue);
    if (bytes.empty()) break;
    client.link->send(Kind::kOut, wire::kClientStream, bytes);
    client.position += bytes.size();
  }
  if (exit_ && client.position == output_.end()) tell_exit(client);
}

void TerminalSession::move_forward(Client& client) {
  const TerminalOutput::Beginning beginning = output_.newest(kReplay);
  wire::OutputPosition position;
  position.from = position.live = static_cast<std::int64_t>(beginning.number);
  position.skipped = static_cast<std::int64_t>(beginning.number - client.position);
  position.modes = beginning.modes;
  client.link->send(Kind::kPosition, wire::kClientStream, text_of(position));
  client.position = beginning.number;
}

void TerminalSession::tell_exit(Client& client) {
  if (!std::exchange(client.told, true)) client.link->send(Kind::kExit, wire::kClientStream, text_of(*exit_));
  if (client.link->queued() == 0) leave(client);
}

void TerminalSession::drained(Client& client) {
  show(client);
  give_credit();
}

// Later, because it is its link that calls.
void TerminalSession::leave(Client& client) {
  if (std::exchange(client.gone, true)) return;
  lifeline_.later([this] { forget_gone(); });
}

void TerminalSession::forget_gone() {
  if (std::erase_if(clients_, [](const Client& client) { return client.gone; }) == 0) return;
  follow_last_used();
  give_credit();
  if (exit_ && clients_.empty()) output_.keep(kKeptAfterEnd);
  handlers_.client_gone();
}

// What the furthest of those who may type has been sent counts as passed on. Without one, all does.
void TerminalSession::give_credit() {
  std::uint64_t furthest = 0;
  bool is_held = false;
  for (const Client& client : clients_) {
    if (client.read_only || client.gone) continue;
    is_held = true;
    furthest = std::max(furthest, client.position);
  }
  if (!is_held) furthest = output_.end();
  if (furthest <= credited_) return;
  guest_.consumed(stream_, furthest - std::exchange(credited_, furthest));
}

void TerminalSession::frame(Client& client, const wire::Header& header, std::string_view payload) {
  if (client.read_only || exit_) return;
  switch (header.kind) {
    case Kind::kData:
      return take_stdin(client, payload);
    case Kind::kResize:
      if (const auto window = wire::decode_window_size(payload)) {
        client.window = *window;
        used(client);
      }
      return;
    case Kind::kSignal:
      if (payload.size() == 1) guest_.signal(stream_, payload);
      return;
    default:
      return;  // a terminal has no end of input, and what else a client of another version says is not for the guest
  }
}

// The channel may have become busy with other things since the client was last told to go on.
void TerminalSession::take_stdin(Client& client, std::string_view bytes) {
  used(client);
  if (guest_.room(stream_) >= bytes.size())
    guest_.send_stdin(stream_, bytes);
  else
    client.held = bytes;
  if (guest_.room(stream_) < wire::kLargestPayload) client.link->pause();
}

// What was held goes first; a client is not read until it has gone.
void TerminalSession::writable() {
  for (Client& client : clients_) {
    if (guest_.room(stream_) < wire::kLargestPayload) return;
    if (!client.held.empty()) guest_.send_stdin(stream_, std::exchange(client.held, {}));
    if (guest_.room(stream_) >= wire::kLargestPayload) client.link->resume();
  }
}

void TerminalSession::used(Client& client) {
  client.turn = ++turns_;
  used_ = now();
  resize(client.window);
}

void TerminalSession::follow_last_used() {
  const Client* last = nullptr;
  for (const Client& client : clients_)
    if (client.turn > 0 && (last == nullptr || client.turn > last->turn)) last = &client;
  if (last != nullptr) resize(last->window);
}

void TerminalSession::resize(wire::WindowSize window) {
  const bool is_same = window.rows == window_.rows && window.columns == window_.columns;
  if (exit_ || !is_known(window) || is_same) return;
  window_ = window;
  redrawing_.cancel();
  const auto size = wire::encode(window_);
  guest_.resize(stream_, {size.data(), size.size()});
}

// A program draws its whole screen when its window has changed: one row less, and back.
void TerminalSession::redraw() {
  if (exit_) return;
  wire::WindowSize other = window_;
  other.rows = static_cast<std::uint16_t>(other.rows > 1 ? other.rows - 1 : other.rows + 1);
  const auto size = wire::encode(other);
  guest_.resize(stream_, {size.data(), size.size()});
  redrawing_ = loop_.after(kBetweenSizes, [this] {
    const auto back = wire::encode(window_);
    guest_.resize(stream_, {back.data(), back.size()});
  });
}

void TerminalSession::signal(int number) {
  const char byte = static_cast<char>(number);
  guest_.signal(stream_, {&byte, 1});
}

// An interactive shell ignores TERM, and many other programs HUP; a stopped one would notice neither.
void TerminalSession::end() {
  if (exit_ || killing_) return;
  for (const int number : {SIGHUP, SIGTERM, SIGCONT}) signal(number);
  killing_ = loop_.after(kGrace, [this] { signal(SIGKILL); });
}

void TerminalSession::ended(const wire::ExecExit& exit) {
  exit_ = exit;
  ended_at_ = now();
  redrawing_.cancel();
  killing_.cancel();
  for (Client& client : clients_) show(client);
  if (clients_.empty()) output_.keep(kKeptAfterEnd);
  handlers_.ended();
}

wire::SessionInfo TerminalSession::info() const {
  wire::SessionInfo info;
  info.session = number_;
  info.command = request_.command;
  info.user = request_.user;
  info.agent = request_.agent;
  info.state = exit_ ? wire::SessionState::kEnded : wire::SessionState::kRunning;
  info.started_at = rfc3339(started_);
  info.used_at = rfc3339(used_);
  if (exit_) info.ended_at = rfc3339(ended_at_);
  info.exit = exit_;
  info.window = window_;
  for (const Client& client : clients_)
    if (!client.gone) ++(client.read_only ? info.watchers : info.clients);
  info.output_from = static_cast<std::int64_t>(output_.begin());
  info.output_to = static_cast<std::int64_t>(output_.end());
  return info;
}

}  // namespace sbx::shim
