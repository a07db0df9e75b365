// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "http/fields.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "proxy/limits.h"
#include "streams/stream.h"

namespace sbx::proxy {

// One end of an HTTP/2 connection: nghttp2 over a stream. It knows messages, not what they mean.
class Http2Peer final : private streams::Stream::Listener {
 public:
  enum class Role { kServer, kClient };  // which one we are

  // Calls come from inside received(), or from the loop.
  class Events {
   public:
    // A head, or trailers if there was a final one before. Pseudo-header fields come first.
    virtual void head(Http2Peer& peer, std::int32_t stream, http::Headers headers, bool last) = 0;
    // False: the stream is not wanted any more, and its window is given back at once.
    virtual bool data(Http2Peer& peer, std::int32_t stream, std::string_view bytes) = 0;
    virtual void end(Http2Peer& peer, std::int32_t stream) = 0;
    virtual void closed(Http2Peer& peer, std::int32_t stream, std::uint32_t error) = 0;
    // The peer has taken bytes that were sent with send_data(), or never will.
    virtual void consumed(Http2Peer& peer, std::int32_t stream, std::size_t bytes) = 0;
    virtual void malformed(Http2Peer& peer, std::string_view why) = 0;  // it has sent what breaks the rules
    virtual void shut_down(Http2Peer& peer) = 0;                        // GOAWAY: it takes no more streams
    virtual void over(Http2Peer& peer) = 0;                             // the last call

   protected:
    ~Events() = default;
  };

  // `first`: what was read from the stream already.
  Http2Peer(loop::Loop& loop, const ProxyLimits& limits, Role role, std::unique_ptr<streams::Stream> stream,
            Events& events, std::string first = {});
  ~Http2Peer();
  Http2Peer(const Http2Peer&) = delete;
  Http2Peer& operator=(const Http2Peer&) = delete;

  // A client opens a stream; negative: it cannot.
  std::int32_t send_request(const http::Headers& headers, bool last);
  void send_head(std::int32_t stream, const http::Headers& headers, bool last);  // 1xx: not last
  bool send_data(std::int32_t stream, std::string_view bytes);                   // false: it takes no more
  void send_end(std::int32_t stream, const http::Headers& trailers = {});
  void reset(std::int32_t stream, std::uint32_t error);
  void give_window(std::int32_t stream, std::size_t bytes);
  // No new streams; over() when the last one is.
  void shut_down();

 private:
  // What is to be sent on one stream.
  struct Body {
    std::string bytes;
    std::size_t taken = 0;
    bool ended = false;
    http::Headers trailers;
    std::size_t left() const { return bytes.size() - taken; }
    void take(std::uint8_t* to, std::size_t size);
    bool waiting = false;  // nghttp2 waits for more
  };
  struct Incoming {
    http::Headers headers;
    std::size_t size = 0;
  };

  void received(std::string_view bytes) override;
  void ended() override { finish(); }
  void failed(const Error&) override { finish(); }
  void drained() override;

  void take_soon(std::string first);
  void write();
  void write_soon();
  void part();
  void finish();
  void limit(std::chrono::milliseconds time);
  nghttp2_data_provider provider();
  ssize_t read_body(std::int32_t stream, std::uint8_t* to, std::size_t size, std::uint32_t* flags);
  void resume(std::int32_t stream, Body& body);
  int frame(const nghttp2_frame* frame);
  int invalid_frame(int error);
  int sent(const nghttp2_frame* frame);
  int stream_closed(std::int32_t stream, std::uint32_t error);
  int field(const nghttp2_frame* frame, std::string_view name, std::string_view value);

  static nghttp2_session_callbacks* callbacks();

  loop::Loop& loop_;
  ProxyLimits limits_;
  std::unique_ptr<streams::Stream> stream_;
  Events& events_;
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Body> bodies_;
  std::map<std::int32_t, Incoming> incoming_;
  bool write_pending_ = false;
  bool faulted_ = false;  // what came last was malformed, and that was told
  bool parting_ = false;  // all is said; what comes is thrown away
  bool over_ = false;
  loop::Loop::Timer timer_;
  loop::Lifeline lifeline_;
};

}  // namespace sbx::proxy
