// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "channel/connections.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "channel/buffer.h"
#include "loop/lifeline.h"

namespace sbx::channel {
namespace {

using wire::Kind;

// Credit is given back in pieces of this size at least, so that it costs few frames.
constexpr std::size_t kCreditStep = wire::kConnectionWindow / 4;
// The other side can do nothing with a frame before it has all of it.
constexpr std::size_t kLargestPiece = 64u << 10;
constexpr std::size_t kBusyLink = 256u << 10;

void append(Buffer& buffer, std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(buffer.space(bytes.size()).data(), bytes.data(), bytes.size());
  buffer.filled(bytes.size());
}

}  // namespace

class Connections::Connection final : public streams::Stream {
 public:
  Connection(Connections& home, std::uint32_t number, bool theirs)
      : home_(&home), number_(number), theirs_(theirs), lifeline_(home.loop_) {}
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void listen(Listener& listener) override;
  void send(std::string_view bytes) override;
  std::size_t queued() const override { return output_.unread().size(); }
  void finish() override;
  void pause() override { paused_ = true; }
  void resume() override;

  bool is_over() const { return over_; }
  Result<> take(Kind kind, std::string_view payload);
  // Sends what window and link take now.
  void flush();
  void break_off(const Error& why);
  // There are no Connections any more.
  void orphan();

 private:
  Result<> take_data(std::string_view bytes);
  Result<> take_credit(std::string_view payload);
  Result<> take_end();
  void pass_on(std::string_view bytes);
  void give_credit();
  void deliver_later();
  void deliver();
  std::size_t send_now(std::string_view bytes);
  void wait_for_link();
  void send_end();
  bool can_tell() const { return listener_ != nullptr && !paused_; }

  Connections* home_;
  const std::uint32_t number_;
  const bool theirs_;
  Listener* listener_ = nullptr;
  Buffer input_;  // arrived, not yet passed on
  Buffer output_;
  std::size_t may_send_ = wire::kConnectionWindow;
  std::size_t may_receive_ = wire::kConnectionWindow;
  std::size_t unacknowledged_ = 0;  // passed on, but the credit is not sent yet
  bool paused_ = false;
  bool waits_for_link_ = false;
  bool finished_ = false;  // finish() was called
  bool end_sent_ = false;
  bool end_taken_ = false;
  bool end_told_ = false;
  bool over_ = false;             // no frame goes either way any more
  std::optional<Error> failure_;  // told, or to be told as soon as there is a listener
  loop::Lifeline lifeline_;
};

Connections::Connection::~Connection() {
  if (home_ == nullptr) return;
  if (!over_) home_->link_.send(Kind::kReset, number_);
  if (waits_for_link_) std::erase(home_->waiting_, this);
  home_->remove(number_, theirs_);
}

void Connections::Connection::orphan() {
  home_ = nullptr;
  over_ = true;
}

void Connections::Connection::listen(Listener& listener) {
  listener_ = &listener;
  deliver_later();
}

void Connections::Connection::resume() {
  if (!std::exchange(paused_, false)) return;
  deliver_later();
}

void Connections::Connection::deliver_later() {
  lifeline_.later([this] { deliver(); });
}

void Connections::Connection::deliver() {
  if (listener_ == nullptr) return;
  if (failure_) return std::exchange(listener_, nullptr)->failed(*failure_);
  const loop::Lifeline::Witness witness(lifeline_);
  if (can_tell() && !input_.unread().empty()) {
    const Buffer arrived = std::exchange(input_, Buffer());
    pass_on(arrived.unread());
    if (witness.gone()) return;
  }
  if (!can_tell()) return;
  give_credit();
  if (end_taken_ && !std::exchange(end_told_, true)) listener_->ended();
}

void Connections::Connection::pass_on(std::string_view bytes) {
  const loop::Lifeline::Witness witness(lifeline_);
  listener_->received(bytes);
  if (witness.gone()) return;
  unacknowledged_ += bytes.size();
  if (!paused_) give_credit();
}

void Connections::Connection::give_credit() {
  if (unacknowledged_ < kCreditStep || end_taken_ || over_) return;
  may_receive_ += unacknowledged_;
  const auto credit = wire::encode_u32(static_cast<std::uint32_t>(std::exchange(unacknowledged_, 0)));
  home_->link_.send(Kind::kCredit, number_, {credit.data(), credit.size()});
}

void Connections::Connection::send(std::string_view bytes) {
  if (finished_ || over_) return;
  if (output_.unread().empty()) bytes.remove_prefix(send_now(bytes));
  append(output_, bytes);
}

std::size_t Connections::Connection::send_now(std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size() && may_send_ > 0 && !home_->is_busy()) {
    const std::string_view piece = bytes.substr(sent, std::min(kLargestPiece, may_send_));
    home_->link_.send(Kind::kData, number_, piece);
    may_send_ -= piece.size();
    sent += piece.size();
  }
  if (sent < bytes.size() && may_send_ > 0) wait_for_link();
  return sent;
}

void Connections::Connection::wait_for_link() {
  if (std::exchange(waits_for_link_, true)) return;
  home_->waiting_.push_back(this);
}

void Connections::Connection::flush() {
  waits_for_link_ = false;
  if (output_.unread().empty() || over_) return;
  output_.consumed(send_now(output_.unread()));
  if (!output_.unread().empty()) return;
  output_ = Buffer();  // thousands of idle connections should hold nothing
  if (finished_) send_end();
  if (listener_ != nullptr) listener_->drained();
}

void Connections::Connection::finish() {
  if (std::exchange(finished_, true) || over_) return;
  if (output_.unread().empty()) send_end();
}

void Connections::Connection::send_end() {
  home_->link_.send(Kind::kEnd, number_);
  end_sent_ = true;
  over_ = end_taken_;
}

Result<> Connections::Connection::take(Kind kind, std::string_view payload) {
  switch (kind) {
    case Kind::kData:
      return take_data(payload);
    case Kind::kCredit:
      return take_credit(payload);
    case Kind::kEnd:
      return take_end();
    case Kind::kReset:
      break_off(Error(Code::kUnavailable, "the connection was reset"));
      return Ok{};
    default:
      return fail(Code::kInvalid, "a frame that does not belong to a connection");
  }
}

Result<> Connections::Connection::take_data(std::string_view bytes) {
  if (end_taken_) return fail(Code::kInvalid, "bytes after the end of a connection");
  if (bytes.size() > may_receive_) return fail(Code::kInvalid, "more bytes than the window of a connection");
  if (bytes.empty()) return Ok{};
  may_receive_ -= bytes.size();
  if (can_tell() && input_.unread().empty())
    pass_on(bytes);
  else
    append(input_, bytes);
  return Ok{};
}

Result<> Connections::Connection::take_credit(std::string_view payload) {
  const auto bytes = wire::decode_u32(payload);
  if (!bytes || may_send_ + *bytes > wire::kConnectionWindow)
    return fail(Code::kInvalid, "too much credit for a connection");
  may_send_ += *bytes;
  if (!waits_for_link_) flush();
  return Ok{};
}

Result<> Connections::Connection::take_end() {
  if (std::exchange(end_taken_, true)) return fail(Code::kInvalid, "a second end of a connection");
  over_ = end_sent_;
  deliver();
  return Ok{};
}

void Connections::Connection::break_off(const Error& why) {
  over_ = true;
  failure_ = why;
  input_ = Buffer();
  output_ = Buffer();
  deliver();
}

Connections::Connections(loop::Loop& loop, Link& link, Side ours, OnOpened on_opened)
    : loop_(loop), link_(link), ours_(ours), on_opened_(std::move(on_opened)) {}

Connections::~Connections() {
  for (const auto& [number, connection] : living_) connection->orphan();
}

std::unique_ptr<Connections::Connection> Connections::add(std::uint32_t number, bool theirs) {
  auto connection = std::make_unique<Connection>(*this, number, theirs);
  living_.emplace(number, connection.get());
  if (theirs) ++theirs_;
  return connection;
}

void Connections::remove(std::uint32_t number, bool theirs) {
  living_.erase(number);
  if (theirs) --theirs_;
}

Connections::Connection* Connections::find(std::uint32_t number) const {
  const auto it = living_.find(number);
  return it == living_.end() || it->second->is_over() ? nullptr : it->second;
}

bool Connections::is_theirs(std::uint32_t number) const {
  return (number >= wire::kFirstGuestStream) == (ours_ == Side::kHost);
}

bool Connections::is_busy() const { return link_.queued() > kBusyLink; }

std::unique_ptr<streams::Stream> Connections::open(std::uint32_t number, std::string_view request) {
  highest_ours_ = number;
  link_.send(ours_ == Side::kHost ? Kind::kAccept : Kind::kConnect, number, request);
  return add(number, false);
}

Result<> Connections::take(const wire::Header& header, std::string_view payload) {
  if (header.kind == (ours_ == Side::kHost ? Kind::kConnect : Kind::kAccept))
    return take_opening(header.stream, payload);
  Connection* const connection = find(header.stream);
  return connection != nullptr ? connection->take(header.kind, payload) : take_late(header);
}

Result<> Connections::take_opening(std::uint32_t number, std::string_view request) {
  if (!is_theirs(number) || number <= highest_theirs_)
    return fail(Code::kInvalid, "stream " + std::to_string(number) + " cannot be opened");
  highest_theirs_ = number;
  if (theirs_ < kMostConnections) return on_opened_(request, add(number, true));
  link_.send(Kind::kReset, number);
  return Ok{};
}

// Numbers only grow, so one that is not above the highest has been in use: the frame has crossed the end of its stream.
Result<> Connections::take_late(const wire::Header& header) const {
  const bool of_connections = header.kind == Kind::kData || header.kind == Kind::kEnd || header.kind == Kind::kReset ||
                              header.kind == Kind::kCredit;
  const bool used = header.stream <= (is_theirs(header.stream) ? highest_theirs_ : highest_ours_);
  if (of_connections && used) return Ok{};
  return fail(Code::kInvalid, "stream " + std::to_string(header.stream) + " is not open");
}

// Each has one turn and then stands at the end of the line again.
void Connections::link_drained() {
  while (!waiting_.empty() && !is_busy()) {
    Connection* const next = waiting_.front();
    waiting_.pop_front();
    next->flush();
  }
}

void Connections::end(const Error& why) {
  waiting_.clear();
  while (!living_.empty()) {
    Connection* const connection = living_.begin()->second;
    living_.erase(living_.begin());
    const bool was_over = connection->is_over();
    connection->orphan();
    if (!was_over) connection->break_off(why);
  }
  theirs_ = 0;
}

}  // namespace sbx::channel
