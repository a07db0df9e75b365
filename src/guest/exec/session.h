// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "channel/link.h"
#include "guest/boot/descriptors.h"
#include "guest/exec/input.h"
#include "guest/exec/output.h"
#include "guest/exec/program.h"
#include "guest/exec/socket_wall.h"
#include "guest/exec/spare.h"
#include "loop/loop.h"
#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// What every exec of the guest uses and none owns.
struct Surroundings {
  loop::Loop& loop;
  channel::Link& link;
  const wire::GuestConfig& config;
  const DescriptorLimit& descriptors;
  std::span<char> buffer;
  const Fd& nothing;            // /dev/null
  Spare* spare = nullptr;       // null: none in this guest
  SocketWall* wall = nullptr;   // the same
  const Fd* changes = nullptr;  // GuestMachine::changes()
};

// One exec, from kOpen to kExit: a process, its descriptors or terminal, and the stream on the channel.
//
// kOpened (or a kExit with the reason) comes when the program runs (or cannot). kExit comes when the process has been
// reaped and its output has been passed on. Descendants may hold the output open for longer: after a moment of silence
// they are not waited for. A pipe is read on for them even so, because writing to a closed one would kill them; a
// terminal is hung up.
class Session {
 public:
  using OnDone = std::function<void(std::uint32_t stream)>;  // it may be destroyed, but not from inside the call
  static constexpr std::chrono::milliseconds kSilence{100};  // after that descendants are not waited for

  Session(const Surroundings& around, std::uint32_t stream, wire::ExecRequest request, OnDone on_done);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Forks, or uses the spare. After an error there is no process, and nothing has been sent.
  Result<> start();

  // A frame from the host. One that breaks the rules is returned as an error, and abandon() is in order.
  Result<> take(wire::Kind kind, std::string_view payload);
  // Kills the process and ends the stream with this reason.
  void abandon(const Error& why);

  pid_t pid() const { return pid_; }  // 0 before start() and once it has been reaped
  void reaped(int status);
  void resume();   // the link has room again
  void hang_up();  // as if the terminal's window had been closed

 private:
  Result<Ends> connect();
  Result<Ends> connect_pipes();
  Result<Ends> connect_terminal();
  void add_output(Fd fd, wire::Kind kind);
  void add_input(Fd fd);

  Result<> run(Ends ends);
  Result<> fork_program(const Ends& ends);
  void launched(const Spare::Outcome& outcome);
  void waited();
  void check(const Result<>& started);

  void read_report();
  void opened();
  void tell_opened();
  Result<> add_credit(std::string_view payload);
  Result<> signal(std::string_view payload);
  Result<> resize_terminal(std::string_view payload);
  void send_signal(int number);

  void settle();
  void wait_for_silence();
  void tell_exit(const wire::ExecExit& exit);
  bool outputs_ended() const;
  void start_outputs();
  void finish_outputs();

  Surroundings around_;
  std::uint32_t stream_;
  wire::ExecRequest request_;
  OnDone on_done_;
  pid_t pid_ = 0;
  bool launching_ = false;       // the spare has its orders, and has not been heard of since
  std::optional<Ends> waiting_;  // for the spare, with these
  std::vector<int> early_;       // signals that came while it waited
  Fd report_;                    // of a forked process, until the program runs or has failed to
  std::string report_text_;
  Outlet outlet_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::unique_ptr<Input> input_;
  std::optional<wire::ExecExit> exit_;  // since the process has been reaped
  bool told_ = false;                   // kExit has been sent
  loop::Loop::Timer silence_;
};

}  // namespace sbx::guest
