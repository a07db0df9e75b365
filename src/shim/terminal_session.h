// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "channel/link.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "shim/guest.h"
#include "shim/terminal_output.h"
#include "wire/session.h"

namespace sbx::shim {

// An exec with a terminal: a program of the guest's, its newest output, and any number of clients (kMostClients) that
// come and go. It ends when the program does; what it printed last and how it ended stay until the object is destroyed.
//
// Memory is bounded: the output is a ring of one window, and each client has a number in it (how far it has been sent)
// and a short queue. Backpressure comes from the clients that may type, and of them from the one that is furthest: a
// single one that does not read stops the program, as ever; one of several that falls behind by more than the ring, and
// a watcher always, is moved forward and told so (kPosition). Without a client the program is never stopped.
//
// The guest's window is that of the client that typed, came or changed its size last: a terminal that was forgotten
// somewhere must not keep the one in use small.
class TerminalSession : public Listener {
 public:
  static constexpr std::size_t kMostClients = 16;
  static constexpr std::size_t kKeptAfterEnd = 64u << 10;

  struct Handlers {
    std::function<void(std::int64_t pid)> opened;
    std::function<void(std::string_view bytes)> output;  // may be empty
    std::function<void()> ended;                         // exit() is there
    std::function<void()> client_gone;                   // one has got all and left, or has just left
  };

  TerminalSession(loop::Loop& loop, Guest& guest, wire::SessionNumber number, wire::ExecRequest request,
                  Handlers handlers);
  ~TerminalSession() override;

  // The client that has asked for it, if there is one, is answered before the guest is asked.
  void open(std::optional<Fd> client);
  // kConflict: it wants to be alone and is not, or there are too many. kInvalid: there is no such output yet.
  Result<> check(const wire::AttachRequest& request) const;
  void attach(Fd client, const wire::AttachRequest& request);
  // HUP and TERM, and KILL to what is left.
  void end();

  wire::SessionNumber number() const { return number_; }
  bool runs() const { return !exit_; }
  const std::optional<wire::ExecExit>& exit() const { return exit_; }
  bool has_clients() const { return !clients_.empty(); }
  wire::SessionInfo info() const;

  void opened(std::int64_t pid) override;
  void output(wire::Kind kind, std::string_view bytes) override;
  void writable() override;
  void ended(const wire::ExecExit& exit) override;

 private:
  struct Client {
    std::unique_ptr<channel::Link> link;
    bool read_only = false;
    wire::WindowSize window;
    std::uint64_t position = 0;  // of the output: what it is sent next
    std::uint64_t turn = 0;      // when it was used last; a larger one is later
    std::string held;            // typed, and not taken by the channel; its link is paused
    bool told = false;           // it has kExit
    bool gone = false;
  };

  Client& add(Fd fd, const wire::AttachRequest& request);
  void frame(Client& client, const wire::Header& header, std::string_view payload);
  void take_stdin(Client& client, std::string_view bytes);
  void say_opened(Client& client);
  void begin_output(Client& client, const wire::AttachRequest& request);
  void show(Client& client);
  void move_forward(Client& client);
  void tell_exit(Client& client);
  void drained(Client& client);
  void leave(Client& client);
  void forget_gone();
  void give_credit();

  void used(Client& client);
  void follow_last_used();
  void resize(wire::WindowSize window);
  void redraw();
  void signal(int number);

  loop::Loop& loop_;
  Guest& guest_;
  const wire::SessionNumber number_;
  wire::ExecRequest request_;  // once it is open, what info() tells of it
  const Handlers handlers_;
  std::uint32_t stream_ = 0;
  std::optional<std::int64_t> pid_;  // since it runs; as the guest says
  TerminalOutput output_;
  std::uint64_t credited_ = 0;  // up to here the guest has its credit back
  std::list<Client> clients_;
  std::uint64_t turns_ = 0;
  wire::WindowSize window_;
  WallTime started_ = now();
  WallTime used_ = started_;
  WallTime ended_at_;
  std::optional<wire::ExecExit> exit_;
  loop::Loop::Timer redrawing_;
  loop::Loop::Timer killing_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::shim
