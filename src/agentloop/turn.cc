// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/turn.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <thread>

#include "agentloop/group.h"
#include "base/file.h"
#include "base/format.h"
#include "base/lock.h"
#include "base/text.h"
#include "base/value.h"

namespace sbx::agentloop {
namespace {

constexpr std::chrono::milliseconds kLook(100);
constexpr std::int64_t kMostKept = 64 << 20;
constexpr std::size_t kLargestTurn = 4u << 20;
constexpr std::size_t kSizeDigits = 8;

std::string result_file(const Turn& turn) { return turn.kept + "/result.json"; }
std::string runner_file(const Turn& turn) { return turn.kept + "/pid"; }
std::string output_file(const Turn& turn, bool is_error) { return turn.kept + (is_error ? "/err" : "/out"); }

// Both outputs as they are on the disk, from where they were read last.
class Reader {
 public:
  explicit Reader(const Turn& turn) : turn_(turn) {}

  Result<> pass_on(const OnPiece& on_piece) {
    for (const bool is_error : {false, true}) {
      const auto file = open_path(output_file(turn_, is_error), O_RDONLY | O_NOFOLLOW);
      if (!file) continue;
      std::int64_t& position = position_[is_error];
      for (;;) {
        std::array<char, 65536> bytes;
        const ssize_t n = ::pread(file->get(), bytes.data(), bytes.size(), position);
        if (n < 0) return fail_errno("read what was kept");
        if (n == 0) break;
        position += n;
        on_piece(is_error, {bytes.data(), static_cast<std::size_t>(n)});
      }
    }
    return Ok{};
  }

 private:
  const Turn& turn_;
  std::int64_t position_[2] = {0, 0};
};

// What is kept of an output, up to a bound: the rest only passes through.
class Keeping {
 public:
  static Result<Keeping> begin(const Turn& turn) {
    Keeping keeping;
    for (const bool is_error : {false, true}) {
      TRY_ASSIGN(keeping.files_[is_error],
                 open_path(output_file(turn, is_error), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW));
    }
    return keeping;
  }

  Result<> keep(bool is_error, std::string_view bytes) {
    size_ += static_cast<std::int64_t>(bytes.size());
    return size_ > kMostKept ? Result<>() : write_all(files_[is_error], bytes);
  }

 private:
  Fd files_[2];
  std::int64_t size_ = 0;
};

Result<TurnResult> kept_result(const Turn& turn) {
  TRY_ASSIGN(const std::string text, read_file(result_file(turn)));
  return value_in<TurnResult>(text, "turn", Unknown::kIgnored);
}

void end_runner(const Turn& turn) {
  const auto pid = parse_integer(trimmed(read_file(runner_file(turn)).value_or("")));
  if (pid && *pid > 1) ::kill(static_cast<pid_t>(*pid), SIGTERM);
}

// Another process runs it, and is told if it is cancelled. When that ends without a result, the turn is begun anew.
Result<> follow(const Turn& turn, const Fd& lock, Reader& reader, const OnPiece& on_piece,
                const IsCancelled& is_cancelled) {
  for (;;) {
    TRY_ASSIGN(const bool ended, try_lock_file(lock, turn.kept));
    TRY(reader.pass_on(on_piece));
    if (ended) return Ok{};
    if (is_cancelled()) end_runner(turn);
    std::this_thread::sleep_for(kLook);
  }
}

Result<TurnResult> run_anew(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled) {
  TRY(write_file(runner_file(turn), std::to_string(::getpid())));
  TRY_ASSIGN(Keeping keeping, Keeping::begin(turn));
  const auto pass_on = [&](bool is_error, std::string_view bytes) -> Result<> {
    TRY(keeping.keep(is_error, bytes));
    on_piece(is_error, bytes);
    return Ok{};
  };
  TRY_ASSIGN(const TurnResult result, run_group(turn, pass_on, is_cancelled));
  TRY(replace_file(result_file(turn), text_of(result)));
  return result;
}

Result<TurnResult> run_unkept(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled) {
  const auto pass_on = [&](bool is_error, std::string_view bytes) -> Result<> {
    on_piece(is_error, bytes);
    return Ok{};
  };
  return run_group(turn, pass_on, is_cancelled);
}

// Exactly so many bytes: what comes after them is not ours.
Result<std::string> read_bytes(const Fd& in, std::size_t size) {
  std::string bytes(size, 0);
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::read(in.get(), bytes.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read a turn");
    if (n == 0) return fail(Code::kInvalid, "the turn is cut off");
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

Result<std::string> read_sized(const Fd& in) {
  TRY_ASSIGN(const std::string digits, read_bytes(in, kSizeDigits));
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || size > kLargestTurn)
    return fail(Code::kInvalid, "the turn has no size");
  return read_bytes(in, size);
}

volatile sig_atomic_t told_to_end = 0;

}  // namespace

void describe(Members& members, TurnResult& result) {
  members.required("code", result.code);
  members.required("end", result.end);
  members.required("duration_ms", result.duration_ms);
}

void describe(Members& members, Turn& turn) {
  std::int64_t timeout = turn.timeout.count();
  std::int64_t idle = turn.idle.count();
  members.required("kept", turn.kept);
  members.required("command", turn.command);
  members.sparse("directory", turn.directory);
  members.sparse("environment", turn.environment);
  members.sparse("timeout_ms", timeout);
  members.sparse("idle_ms", idle);
  members.sparse("only_ends", turn.only_ends);
  members.sparse("whole_tree", turn.whole_tree);
  members.sparse("with_input", turn.with_input);
  turn.timeout = std::chrono::milliseconds(timeout);
  turn.idle = std::chrono::milliseconds(idle);
}

Result<TurnResult> run_turn(const Turn& turn, const OnPiece& on_piece, const IsCancelled& is_cancelled) {
  if (turn.kept.empty()) return run_unkept(turn, on_piece, is_cancelled);
  TRY(make_directories(turn.kept, 0700));
  TRY_ASSIGN(const Fd lock, open_path(turn.kept + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW));
  const auto ends = [&] { return turn.only_ends || is_cancelled(); };
  Reader reader(turn);
  TRY(follow(turn, lock, reader, on_piece, ends));
  if (auto result = kept_result(turn)) return result;
  if (ends()) return TurnResult{1, TurnEnd::kCancelled, 0};
  return run_anew(turn, on_piece, is_cancelled);
}

namespace {

int run_asked(const Result<std::string>& json) {
  struct sigaction ended {};
  ended.sa_handler = [](int) { told_to_end = 1; };
  ::sigaction(SIGTERM, &ended, nullptr);
  ::sigaction(SIGINT, &ended, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  const Fd out(STDOUT_FILENO);
  const Fd err(STDERR_FILENO);
  // A client that has gone does not end the turn: another one will ask.
  const auto pass_on = [&](bool is_error, std::string_view bytes) { (void)write_all(is_error ? err : out, bytes); };
  const auto turn = json ? value_in<Turn>(*json, "turn", Unknown::kIgnored) : Result<Turn>(fail(Error(json.error())));
  const auto result =
      turn ? run_turn(*turn, pass_on, [] { return told_to_end != 0; }) : Result<TurnResult>(fail(Error(turn.error())));
  if (!result) {
    (void)write_all(err, "ralph: " + result.error().what() + "\n");
    return 125;
  }
  (void)write_all(err, std::string(1, kTurnMark) + text_of(*result) + "\n");
  return 0;
}

}  // namespace

std::string turn_head(std::string_view json) { return sbx::format("{:08x}", json.size()) + std::string(json); }

int turn_main() {
  const Fd in(STDIN_FILENO);
  return run_asked(read_all(in, kLargestTurn));
}

int turn_with_input_main() {
  const Fd in(STDIN_FILENO);
  return run_asked(read_sized(in));
}

}  // namespace sbx::agentloop
