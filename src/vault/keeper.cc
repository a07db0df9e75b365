// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "vault/keeper.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/log.h"
#include "base/operation.h"
#include "vault/confine.h"
#include "vault/service.h"
#include "wire/error.h"
#include "wire/vault_control.h"

namespace sbx::vault {
namespace {

constexpr loop::MessageServer::Limits kLimits{.askers = 64, .patience = std::chrono::seconds(10), .unread = 64u << 10};
constexpr auto kChangeLimit = std::chrono::seconds(5);
constexpr int kMostAttempts = 2;
// A vault that lives for less than this is followed by the next after a pause, each time a longer one.
constexpr auto kShortLife = std::chrono::seconds(2);
constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{5000};

// The ends of a new vault's three lines.
struct Lines {
  SocketPair keeper;
  SocketPair shim;
  SocketPair gate;
};

Result<Lines> make_lines() {
  Lines lines;
  TRY_ASSIGN(lines.keeper, gate::make_line());
  TRY_ASSIGN(lines.shim, gate::make_line());
  TRY_ASSIGN(lines.gate, gate::make_line());
  return lines;
}

Result<> serve(Lines lines, Fd roots) {
  close_all_but({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, lines.keeper.theirs.get(), lines.shim.theirs.get(),
                 lines.gate.theirs.get(), roots.get()});
  TRY_WITHIN("confine the vault", confine_vault());
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  const Service service({*loop, std::move(lines.keeper.theirs), std::move(lines.shim.theirs),
                         std::move(lines.gate.theirs), tls::Trust(std::move(roots))});
  return loop->run();
}

[[noreturn]] void run_vault(Lines lines, Fd roots) {
  ::prctl(PR_SET_NAME, "sandbox-vault");
  const auto served = serve(std::move(lines), std::move(roots));
  if (!served) log_error("the vault ends: {}", served.error().what());
  ::_exit(served ? 0 : 1);
}

// By a handle of the process, not by its number.
void end_process(pid_t pid) {
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (handle) (void)::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
  (void)::waitpid(pid, nullptr, 0);
}

}  // namespace

Keeper::Keeper(Inputs inputs)
    : loop_(inputs.loop),
      roots_(std::move(inputs.roots)),
      shim_(
          loop_, std::move(inputs.shim), [](std::string_view, const Fd&) {}, [this] { loop_.stop(); }),
      gate_(
          loop_, std::move(inputs.gate), [](std::string_view, const Fd&) {}, [this] { loop_.stop(); }),
      server_(loop_, std::move(inputs.control), inputs.owner, kLimits,
              [this](Asker asker, Message message) { request(asker, std::move(message)); }) {
  shim_.send(encode(gate::Ready{}));
}

void Keeper::request(Asker asker, Message message) {
  const auto asked = read_request<wire::VaultRequest>(message.body);
  if (!asked) return answer(asker, &asked.error());
  if (message.fds.size() != 1) {
    const Error error(Code::kInvalid, "the credentials are missing");
    return answer(asker, &error);
  }
  changes_.push_back({++last_number_, asker, std::move(message.fds.front())});
  if (changes_.size() == 1) next_change();
}

void Keeper::answer(Asker asker, const Error* error) {
  server_.answer(asker, dump(error != nullptr ? wire::encode(*error) : Json{{"ok", true}}));
}

// One at a time, so that what holds is always what was asked for last.
void Keeper::next_change() {
  if (changes_.empty()) return;
  if (!line_) {
    if (!restart_) start_vault();
    return;
  }
  Change& change = changes_.front();
  ++change.attempts;
  send_load(change.number, change.file);
  limit_ = loop_.after(kChangeLimit, [this] { give_up_waiting("it took too long"); });
}

void Keeper::send_load(std::uint64_t number, const Fd& file) {
  auto copy = duplicate(file);
  if (copy) line_->send(encode(Load{number}), std::move(*copy));
}

void Keeper::start_vault() {
  started_ = steady_now();
  auto lines = make_lines();
  auto roots = duplicate(roots_);
  if (!lines || (roots_ && !roots)) return vault_ended();
  vault_ = ::fork();
  if (vault_ < 0) return vault_ended();
  if (vault_ == 0) run_vault(std::move(*lines), roots ? std::move(*roots) : Fd());
  line_ = std::make_unique<gate::Line>(
      loop_, std::move(lines->keeper.ours), [this](std::string_view bytes, const Fd&) { vault_said(bytes); },
      [this] { loop_.later([this] { vault_ended(); }); });
  shim_.send(encode(NewVault{}), std::move(lines->shim.ours));
  gate_.send(encode(NewVault{}), std::move(lines->gate.ours));
  if (file_) send_load(0, file_);
  next_change();
}

// Also when there could not be one.
void Keeper::vault_ended() {
  line_.reset();
  limit_.cancel();
  if (vault_ > 0) end_process(std::exchange(vault_, -1));
  const bool short_life = steady_now() - started_ < kShortLife;
  pause_ = short_life ? std::clamp(pause_ * 2, kFirstPause, kLongestPause) : std::chrono::milliseconds(0);
  log_warning("the vault ended; requests that it had under way have failed, and there will be another in {} ms",
              pause_.count());
  if (!changes_.empty() && changes_.front().attempts >= kMostAttempts) give_up_waiting("the vault ended");
  restart_ = loop_.after(pause_, [this] { start_vault(); });
}

void Keeper::vault_said(std::string_view bytes) {
  const auto message = decode_loaded(bytes);
  if (message) loaded(*message);
}

// What the vault does not accept is not kept: the next one gets what held before.
void Keeper::loaded(const Loaded& loaded) {
  if (changes_.empty() || changes_.front().number != loaded.number) return;
  finish_change(loaded.error, loaded.error.empty());
}

// SECURITY: it is kept, because it may be that a credential was taken away: none comes back with the next vault.
void Keeper::give_up_waiting(const std::string& why) { finish_change(why, true); }

void Keeper::finish_change(const std::string& error, bool keep) {
  limit_.cancel();
  Change change = std::move(changes_.front());
  changes_.pop_front();
  if (keep) file_ = std::move(change.file);
  const Error said(Code::kUnavailable, "the credentials do not hold: " + error);
  answer(change.asker, error.empty() ? nullptr : &said);
  next_change();
}

}  // namespace sbx::vault
