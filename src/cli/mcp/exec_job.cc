// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/exec_job.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "cli/client/remote.h"
#include "wire/frame.h"

namespace sbx::cli::mcp {

namespace {

constexpr std::chrono::hours kNoLimit(1);  // to wait: then it is waited again
constexpr std::chrono::seconds kKillTime(10);
constexpr std::size_t kJoined = 16u << 10;  // frames of one byte would cost more than their bytes

// By another command: the connection of the first one is full of input that is not read, and a signal would wait
// behind it.
Result<> kill_group(const Client& client, const std::string& sandbox, std::int64_t group, int number) {
  wire::ExecRequest request;
  request.command = {"sh", "-c", "kill \"-$0\" \"-$1\"", std::to_string(number), std::to_string(group)};
  request.user = "root";
  request.directory = "/";
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  exchange::ExecStream stream(std::move(upgraded));
  stream.give_up_at(steady_now() + kKillTime);
  TRY_WITHIN("send the signal", stream.finish());
  return Ok{};
}

}  // namespace

Result<std::shared_ptr<ExecJob>> ExecJob::start(const Client& client, const std::string& sandbox,
                                                const wire::ExecRequest& request, std::size_t most_kept) {
  Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return fail_errno("make an eventfd");
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client, sandbox, request));
  return std::make_shared<ExecJob>(
      exchange::ExecStream(std::move(upgraded)), std::move(wake), sandbox, most_kept,
      [client, sandbox](std::int64_t group, int number) { return kill_group(client, sandbox, group, number); });
}

ExecJob::ExecJob(exchange::ExecStream stream, Fd wake, std::string sandbox, std::size_t most_kept, Kill kill)
    : stream_(std::move(stream)),
      wake_(std::move(wake)),
      sandbox_(std::move(sandbox)),
      most_kept_(most_kept),
      kill_(std::move(kill)),
      worker_([this] { work(); }) {}

ExecJob::~ExecJob() {
  if (!end()) (void)signal(SIGKILL);
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    ::eventfd_write(wake_.get(), 1);
    if (is_sending_) stream_.abort();  // while it sends, the worker is not woken by us
  }
  worker_.join();
}

Result<> ExecJob::write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (end_) return fail(Code::kConflict, "the command has ended");
  if (waiting_ > kMostWaiting) return fail(Code::kConflict, "the command does not read its input");
  waiting_ += bytes.size();
  for (; !bytes.empty(); bytes.remove_prefix(input_.back().size()))
    input_.emplace_back(bytes.substr(0, wire::kLargestPayload));
  ::eventfd_write(wake_.get(), 1);
  return Ok{};
}

Result<> ExecJob::end_input() {
  const std::lock_guard lock(mutex_);
  if (end_) return fail(Code::kConflict, "the command has ended");
  input_.emplace_back();
  ::eventfd_write(wake_.get(), 1);
  return Ok{};
}

void ExecJob::wait_until_sent(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, std::move(stop), [&] { return end_ || is_all_sent(); });
}

Result<> ExecJob::signal(int number) {
  std::unique_lock lock(mutex_);
  if (end_) return fail(Code::kConflict, "the command has ended");
  if (is_all_sent()) {
    signals_.push_back(number);
    ::eventfd_write(wake_.get(), 1);
    return Ok{};
  }
  const std::int64_t group = pid_;
  lock.unlock();
  if (group <= 1) return fail(Code::kUnavailable, "the command has not been started yet");
  return kill_(group, number);
}

void ExecJob::work() {
  while (send_waiting()) {
    const auto ready = stream_.wait(kNoLimit, &wake_);
    eventfd_t count = 0;
    if (ready && ready->input) ::eventfd_read(wake_.get(), &count);
    if (!ready) return take_end(fail(ready.error()));
    if (ready->output) take_output();
  }
}

void ExecJob::take_end(Result<wire::ExecExit> end) {
  const std::lock_guard lock(mutex_);
  end_ = std::move(end);
  changed_.notify_all();
}

// As much as the connection takes now. False: there is nothing more to do.
bool ExecJob::send_waiting() {
  const std::lock_guard lock(mutex_);
  for (const int number : std::exchange(signals_, {})) stream_.offer_signal(number);
  while (!input_.empty() && !stream_.is_sending()) {
    stream_.offer(input_.front());
    waiting_ -= input_.front().size();
    input_.pop_front();
  }
  is_sending_ = stream_.is_sending();
  pid_ = stream_.pid();
  changed_.notify_all();
  return !end_ && !is_over_;
}

void ExecJob::take_output() {
  const auto piece = stream_.step();
  if (!piece) return take_end(fail(piece.error()));
  if (!*piece) return take_end(*stream_.exit());
  const std::lock_guard lock(mutex_);
  if (!(*piece)->bytes.empty()) keep(**piece);
}

void ExecJob::keep(const exchange::ExecStream::Piece& piece) {
  const bool joins = !pieces_.empty() && pieces_.back().is_error == piece.is_error &&
                     pieces_.back().bytes.size() + piece.bytes.size() <= kJoined;
  if (joins)
    pieces_.back().bytes += piece.bytes;
  else
    pieces_.push_back({piece.is_error, position_, std::string(piece.bytes)});
  position_ += static_cast<std::int64_t>(piece.bytes.size());
  kept_ += piece.bytes.size();
  if (pieces_.size() > kMostPieces) drop_oldest(pieces_.front().bytes.size());
  while (kept_ > most_kept_) drop_oldest(std::min(kept_ - most_kept_, pieces_.front().bytes.size()));
}

// `bytes` are at most those of the oldest piece.
void ExecJob::drop_oldest(std::size_t bytes) {
  Piece& oldest = pieces_.front();
  oldest.bytes.erase(0, bytes);
  oldest.at += static_cast<std::int64_t>(bytes);
  kept_ -= bytes;
  if (oldest.bytes.empty()) pieces_.pop_front();
}

ExecJob::Output ExecJob::output_since(std::int64_t position) const {
  const std::lock_guard lock(mutex_);
  const std::int64_t oldest = position_ - static_cast<std::int64_t>(kept_);
  const std::int64_t from = std::clamp(position, std::int64_t{0}, position_);
  Output output{.out = {}, .err = {}, .next = position_, .lost = std::max(oldest - from, std::int64_t{0})};
  for (const Piece& piece : pieces_) {
    const auto skipped = static_cast<std::size_t>(std::max(from - piece.at, std::int64_t{0}));
    if (skipped < piece.bytes.size()) (piece.is_error ? output.err : output.out) += piece.bytes.substr(skipped);
  }
  return output;
}

void ExecJob::wait_for_more(std::int64_t position, Deadline deadline, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, std::move(stop), deadline, [&] { return end_ || position_ > position; });
}

bool ExecJob::wait_for_end(Deadline deadline, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, std::move(stop), deadline, [&] { return end_.has_value(); });
}

std::optional<Result<wire::ExecExit>> ExecJob::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

}  // namespace sbx::cli::mcp
