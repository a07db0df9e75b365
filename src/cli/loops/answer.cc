// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/loops/answer.h"

#include <signal.h>

namespace sbx::cli {
namespace {

constexpr std::chrono::milliseconds kAnswerTick(100);
constexpr std::chrono::seconds kLongestAnswerFrame(15);
constexpr std::size_t kLongestAnswer = 16u << 20;

}  // namespace

void offer_all(exchange::ExecStream& stream, std::string_view input) {
  if (input.empty()) return;
  while (!input.empty()) {
    const std::string_view piece = input.substr(0, wire::kLargestPayload);
    stream.offer(piece);
    input.remove_prefix(piece.size());
  }
  stream.offer({});
}

Result<agentloop::World::Answer> answer_of(exchange::ExecStream stream, std::string_view input, SteadyTime deadline,
                                           const agentloop::IsCancelled& is_cancelled) {
  offer_all(stream, input);
  agentloop::World::Answer answer;
  for (;;) {
    const bool cancelled = is_cancelled();
    if (cancelled || steady_now() >= deadline) {
      (void)stream.signal(SIGKILL);
      return fail(Code::kTimeout,
                  cancelled ? "it was cancelled" : "a program of the loop takes too long in the sandbox");
    }
    stream.give_up_at(steady_now() + kLongestAnswerFrame);  // a frame that has begun
    TRY_ASSIGN(const auto ready, stream.wait(kAnswerTick, nullptr));
    if (!ready.output) continue;
    TRY_ASSIGN(const auto piece, stream.step());
    if (!piece) break;
    if (!piece->is_error) answer.out += piece->bytes;
    if (answer.out.size() > kLongestAnswer) return fail(Code::kTooLarge, "the sandbox says more than was asked for");
  }
  answer.code = stream.exit()->code;
  answer.err = stream.exit()->error.empty() ? stream.said() : stream.exit()->error;
  return answer;
}

}  // namespace sbx::cli
