// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "channel/connections.h"
#include "channel/link.h"
#include "loop/loop.h"
#include "shim/guest_log.h"
#include "streams/stream.h"
#include "wire/exec.h"
#include "wire/guest.h"
#include "wire/network.h"

namespace sbx::shim {

// One exec, as the guest side of the shim sees it. The opener of a stream implements this. All bytes come from a
// hostile guest; sizes have been checked against the window before they arrive here.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void opened(std::int64_t pid) = 0;
  // The listener calls Guest::consumed(stream, bytes) when it has passed them on.
  virtual void output(wire::Kind kind, std::string_view bytes) = 0;
  // More stdin may be sent.
  virtual void writable() = 0;
  // The last call; the listener is forgotten after it.
  virtual void ended(const wire::ExecExit& exit) = 0;
};

// The shim's end of the channel: the handshake, and execs and network connections as flow-controlled streams. A guest
// that breaks the rules is cut off: on_lost is called, once, and nothing that it says is heard any more.
class Guest {
 public:
  using OnReady = std::function<void(const wire::GuestReady&)>;
  using OnLost = std::function<void(Error why)>;
  // A program of the guest's wants to reach something; to refuse, destroy the stream.
  using OnConnect = std::function<void(wire::Connect, std::unique_ptr<streams::Stream>)>;

  // Without on_connect every connection is refused.
  Guest(loop::Loop& loop, Fd channel, wire::GuestConfig config, OnReady on_ready, OnLost on_lost,
        OnConnect on_connect = {});

  // The stream's number, by which the opener names it from now on. The listener must live until ended() or abandon().
  std::uint32_t open(const wire::ExecRequest& request, Listener& listener);
  void send_stdin(std::uint32_t stream, std::string_view bytes);
  void end_stdin(std::uint32_t stream);
  void resize(std::uint32_t stream, std::string_view window);
  void signal(std::uint32_t stream, std::string_view number);
  void consumed(std::uint32_t stream, std::size_t bytes);
  // The client has gone: the program runs on, its output is thrown away.
  void abandon(std::uint32_t stream);

  // A client has come to a published port, or to docker.sock: a connection to that server in the guest. It fails if
  // there is none. Null if the guest is gone.
  std::unique_ptr<streams::Stream> accept(const wire::Accept& what);

  // How much stdin may be sent now: 0 while the channel has enough to do. Send no more than that, and wait for
  // writable() if it is less than one largest frame.
  std::size_t room(std::uint32_t stream) const;

  void stop(std::chrono::milliseconds grace);
  void tell_time(std::int64_t clock_us);
  // Cuts the guest off: the channel is closed, every exec ends and every connection fails with this reason. Not from
  // inside its own handlers.
  void end(const std::string& why);
  std::size_t execs() const { return streams_.size(); }
  std::size_t unread() const { return link_ ? link_->queued() : 0; }  // bytes that the guest has not taken yet

 private:
  struct Stream {
    Listener* listener;  // null: abandoned
    std::size_t may_send = wire::kWindow;
    std::size_t may_receive = wire::kWindow;
    std::size_t unacknowledged = 0;  // consumed, but the credit is not sent yet
    bool opened = false;             // kOpened has come
  };
  // What has been said so far. Each step is taken once.
  enum class Phase { kSilent, kGreeted, kReady };

  void send(wire::Kind kind, std::uint32_t stream, std::string_view payload = {});
  void frame(const wire::Header& header, std::string_view payload);
  void control_frame(wire::Kind kind, std::string_view payload);
  void stream_frame(std::uint32_t number, Stream& stream, wire::Kind kind, std::string_view payload);
  void hello(std::string_view payload);
  void ready(std::string_view payload);
  void opened(Stream& stream, std::string_view payload);
  void credited(Stream& stream, std::string_view payload);
  void drained();
  void break_off(std::string_view what);
  void output(std::uint32_t number, Stream& stream, wire::Kind kind, std::string_view payload);
  void exited(std::uint32_t number, Stream& stream, std::string_view payload);
  Result<> connect(std::string_view request, std::unique_ptr<streams::Stream> stream);
  void lose(Error why);

  OnReady on_ready_;
  OnLost on_lost_;
  OnConnect on_connect_;
  wire::GuestConfig config_;
  std::map<std::uint32_t, Stream> streams_;
  std::uint32_t next_ = 1;
  Phase phase_ = Phase::kSilent;
  bool lost_ = false;
  std::uint32_t last_served_ = 0;  // of the streams that waited for the link
  GuestLog log_;
  std::unique_ptr<channel::Link> link_;
  std::unique_ptr<channel::Connections> connections_;  // as long as there is a link
};

}  // namespace sbx::shim
