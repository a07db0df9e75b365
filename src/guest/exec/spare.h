// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "guest/boot/accounts.h"
#include "guest/boot/descriptors.h"
#include "guest/exec/program.h"
#include "loop/loop.h"
#include "wire/exec.h"
#include "wire/guest.h"

namespace sbx::guest {

// A process that is there before its exec is: the agent already, in the workspace, in a session of its own, waiting for
// its program. It takes the fork, the change of user and the questions to the host about the workspace off the way of
// an exec, which in an emulated machine takes 1.5 times as long without it (./bench probation). Containers have none,
// because there a fork costs nothing to speak of; nor have machines with KVM, because there it was never measured.
//
// It is for the usual exec only: the agent's, in the workspace, without a terminal. Whatever else is asked for, and
// whatever goes wrong, is left to run_program, which knows what to say.
//
// It shares init's memory and descriptors, because to copy them, and to give the copy back at exec, is most of what a
// fork costs in an emulated machine. So it allocates nothing and takes no lock: it may be killed at any moment. A
// thread makes it, and sleeps for as long as it shares our memory: errno is that thread's. The thread also reads what a
// hostile file system may keep from it for ever; then there is no spare, and nothing else happens.
//
// That it has executed its program wakes no process, because that would run in the program's way: the kernel clears
// a word of our memory, and init looks at it when the program ends or has run for a while.
//
// SECURITY: it has init's descriptors, the channel among them, because it gets those of its program from there. It is
// hidden from tracers, as init is (privileges.h). The agent may kill it.
class Spare {
 public:
  // `started`: the program runs, or the spare was killed. Otherwise nothing has happened, and here are its descriptors.
  struct Outcome {
    bool started;
    Ends ends;
  };
  using OnLaunched = std::function<void(Outcome outcome)>;

  // Borrows all three. `on_news`: one is ready, or has exited.
  static Result<std::unique_ptr<Spare>> create(loop::Loop& loop, const wire::GuestConfig& config,
                                               const DescriptorLimit& descriptors, std::function<void()> on_news);
  ~Spare();
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;

  // Makes one, unless there is one or one is about to be; it is there a moment later. After a launch it is called by
  // itself, but not at once, so that the program does not wait for its successor: call it when there is time.
  void make();
  // A process of no exec was reaped. If it was the spare, there is no spare now.
  void reaped();
  // For good: the one that waits ends, and no other is made.
  void dismiss();

  bool ready_for(const wire::ExecRequest& request) const;
  // It will be ready for it in a moment, and no other exec waits for that: `then` is called when it is, or when it will
  // not be after all. To wait is shorter than to fork, if not for long.
  bool coming_for(const wire::ExecRequest& request) const;
  void wait(std::function<void()> then);
  // Only if ready. The process that will be the program's, if it starts.
  pid_t launch(const wire::ExecRequest& request, Ends ends, OnLaunched on_launched);
  // The process has been reaped before on_launched was called, which now is not: here is what it would be told.
  Outcome conclude();
  // The exec that has launched, or waits, is gone: it is not called back (no use-after-free).
  void forget_launch();

 private:
  struct Order;
  struct Plan;
  struct Stack;
  Spare(loop::Loop& loop, const wire::GuestConfig& config, const DescriptorLimit& descriptors,
        std::function<void()> on_news);
  void read_news();
  void look_later();
  void look();
  Outcome outcome();
  void finish();
  void wait_no_more();

  loop::Loop& loop_;
  const wire::GuestConfig& config_;
  const DescriptorLimit& descriptors_;
  std::function<void()> on_news_;
  std::unique_ptr<Stack> stack_;
  Pipe plans_;                  // to the thread: a pointer to a Plan
  Pipe wake_;                   // to the spare: a byte in it: there is an order. Its end: there will be none
  Pipe news_;                   // from the spare: its pid, when it is ready. From the thread: 0, when it has made none
  std::unique_ptr<Plan> plan_;  // since make(), until neither thread nor spare uses it
  pid_t pid_ = 0;               // of one that is ready
  bool dismissed_ = false;
  std::unique_ptr<Order> order_;
  OnLaunched on_launched_;
  std::function<void()> waiting_;  // the exec that waits for the one in the making
  loop::Loop::Timer patience_;
  loop::Loop::Timer look_;
  loop::Loop::Timer next_;
  std::thread thread_;
};

}  // namespace sbx::guest
