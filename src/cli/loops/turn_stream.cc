// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/turn_stream.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/value.h"

namespace sbx::cli {
namespace {

using agentloop::TurnEnd;
using agentloop::TurnResult;

constexpr std::chrono::milliseconds kTick(100);
constexpr std::chrono::seconds kLongestFrame(15);
constexpr std::size_t kLongestResult = 4096;
constexpr std::size_t kInputPiece = 64u << 10;
constexpr int kNoTurn = 125;  // ralph's own failure
constexpr std::int64_t kLongestTurn = std::chrono::milliseconds(std::chrono::days(30)).count();

}  // namespace

// SECURITY: what a turn took is ours to say, because budgets are kept by it. The guest may know more of one that began
// before we asked for it, and never less.
TurnResult TurnStream::timed(TurnResult result) const {
  const auto seen = std::chrono::duration_cast<std::chrono::milliseconds>(steady_now() - started_).count();
  result.duration_ms = std::max<std::int64_t>(seen, std::min(result.duration_ms, kLongestTurn));
  return result;
}

Result<TurnResult> TurnStream::follow(const agentloop::OnPiece& on_piece, const agentloop::IsCancelled& is_cancelled) {
  for (;;) {
    stream_.give_up_at(steady_now() + kLongestFrame);  // a frame that has begun
    TRY(consider(is_cancelled));
    if (is_given_up()) return timed({1, ended_by_us_, 0});
    TRY_ASSIGN(const auto ready, stream_.wait(kTick, input_));
    if (ready.input) take_input();
    if (!ready.output) continue;
    TRY_ASSIGN(const auto piece, stream_.step());
    if (!piece) return result(on_piece);
    if (piece->bytes.empty()) continue;
    heard_of_ = steady_now();
    if (piece->is_error)
      take_error(piece->bytes, on_piece);
    else
      on_piece(false, piece->bytes);
  }
}

// The signal waits behind input that the command does not read, or has no effect: nothing more can be done to it.
bool TurnStream::is_given_up() const {
  return ended_by_us_ != TurnEnd::kExited && (stream_.is_sending() || steady_now() >= killed_ + patience_);
}

void TurnStream::take_input() {
  std::array<char, kInputPiece> bytes;
  const ssize_t n = ::read(input_->get(), bytes.data(), bytes.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  stream_.offer({bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))});
  if (n <= 0) input_ = nullptr;
}

Result<> TurnStream::consider(const agentloop::IsCancelled& is_cancelled) {
  const SteadyTime time = steady_now();
  if (!cancelled_ && is_cancelled()) {
    cancelled_ = time;
    return stream_.signal(SIGTERM);
  }
  if (ended_by_us_ != TurnEnd::kExited) return Ok{};
  const auto over = [&](std::chrono::milliseconds limit, SteadyTime since) {
    return limit.count() > 0 && time >= since + limit + patience_;
  };
  if (cancelled_ && time >= *cancelled_ + patience_) ended_by_us_ = TurnEnd::kCancelled;
  if (over(turn_.timeout, started_)) ended_by_us_ = TurnEnd::kTimeout;
  if (over(turn_.idle, heard_of_)) ended_by_us_ = TurnEnd::kIdle;
  if (ended_by_us_ == TurnEnd::kExited) return Ok{};
  killed_ = time;
  return stream_.signal(SIGKILL);
}

// Only ralph writes to its standard error, and its line is the last: what comes before the last mark is the command's.
void TurnStream::take_error(std::string_view bytes, const agentloop::OnPiece& on_piece) {
  last_ += bytes;
  const auto mark = last_.rfind(agentloop::kTurnMark);
  const std::size_t passed = mark == std::string::npos || last_.size() - mark > kLongestResult ? last_.size() : mark;
  if (passed > 0) on_piece(true, std::string_view(last_).substr(0, passed));
  last_.erase(0, passed);
}

Result<TurnResult> TurnStream::result(const agentloop::OnPiece& on_piece) {
  const int code = stream_.exit()->code;
  told_ = !stream_.exit()->error.empty();  // init's word: it was never started
  if (told_)
    return fail(Code::kUnavailable, stream_.exit()->error,
                "a sandbox that was started by an older version has to be stopped and started once");
  if (ended_by_us_ != TurnEnd::kExited) return timed({std::max(code, 1), ended_by_us_, 0});
  if (!last_.empty() && last_.front() == agentloop::kTurnMark) {
    const auto told = value_in<TurnResult>(std::string_view(last_).substr(1), "turn", Unknown::kIgnored);
    // SECURITY: a ralph that was killed may have been made to say it.
    told_ = told.has_value() && code == 0;
    if (told_) return timed(*told);
    on_piece(true, last_);
  }
  if (code == kNoTurn) return fail(Code::kInternal, "the turn cannot be kept in the sandbox: " + stream_.said());
  return timed({std::max(code, 1), cancelled_ ? TurnEnd::kCancelled : TurnEnd::kExited, 0});
}

}  // namespace sbx::cli
