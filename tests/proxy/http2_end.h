// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "http/fields.h"
#include "proxy/pipe.h"

namespace sbx::testing {

// One end of HTTP/2 over a Pipe, for a test: nghttp2, driven by step().
class Http2End {
 public:
  enum class Role { kClient, kServer };
  struct Message {  // what came on a stream
    http::Headers headers;
    http::Headers trailers;
    std::string body;
    std::size_t body_size = 0;
    bool ended = false;
    std::optional<std::uint32_t> closed;  // with which error

    std::string field(std::string_view name) const { return std::string(http::find(headers, name).value_or("")); }
    std::string trailer(std::string_view name) const { return std::string(http::find(trailers, name).value_or("")); }
  };

  // `window`: how much of a stream it takes before it has looked at it.
  Http2End(Pipe& pipe, Role role, std::uint32_t window = 65535) : pipe_(pipe), is_server_(role == Role::kServer) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_option* option = nullptr;
    nghttp2_option_new(&option);
    nghttp2_option_set_no_http_messaging(option, 1);  // hostile messages, too
    nghttp2_option_set_max_send_header_block_length(option, 1u << 20);
    if (is_server_)
      nghttp2_session_server_new2(&session_, callbacks, this, option);
    else
      nghttp2_session_client_new2(&session_, callbacks, this, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry setting{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window};
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &setting, 1);
  }
  ~Http2End() { nghttp2_session_del(session_); }
  Http2End(const Http2End&) = delete;

  // Called when the head of a stream is there, and then for everything that comes on it.
  std::function<void(std::int32_t stream)> on_event;
  bool keep_bodies = true;
  bool told_to_leave = false;  // GOAWAY
  std::map<std::int32_t, Message> streams;

  static http::Headers request(std::string method = "GET", std::string path = "/", std::string host = "good.test") {
    return {{":method", std::move(method)},
            {":scheme", "https"},
            {":authority", std::move(host)},
            {":path", std::move(path)}};
  }

  std::int32_t ask(const http::Headers& headers, bool last = true) {
    const auto fields = fields_of(headers);
    const nghttp2_data_provider data = provider();
    const auto stream =
        nghttp2_submit_request(session_, nullptr, fields.data(), fields.size(), last ? nullptr : &data, nullptr);
    if (!last) outgoing_[stream];
    flush();
    return stream;
  }
  void answer(std::int32_t stream, const http::Headers& headers, bool last = false) {
    const auto fields = fields_of(headers);
    const nghttp2_data_provider data = provider();
    if (!last) outgoing_[stream];
    nghttp2_submit_response(session_, stream, fields.data(), fields.size(), last ? nullptr : &data);
  }
  void push(std::int32_t stream, std::string_view bytes, bool last = false, const http::Headers& trailers = {}) {
    Outgoing& out = outgoing_[stream];
    out.bytes += bytes;
    out.ended = last;
    out.trailers = trailers;
    nghttp2_session_resume_data(session_, stream);
    flush();
  }
  // So much, without being held in memory, and then the end.
  void push_zeros(std::int32_t stream, std::size_t size) {
    Outgoing& out = outgoing_[stream];
    out.zeros = size;
    out.ended = true;
    nghttp2_session_resume_data(session_, stream);
    flush();
  }
  void reset(std::int32_t stream, std::uint32_t error = NGHTTP2_CANCEL) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, error);
    flush();
  }
  void cut_off() { pipe_.cut(); }
  void go_away() {
    nghttp2_submit_shutdown_notice(session_);
    nghttp2_session_terminate_session(session_, NGHTTP2_NO_ERROR);
    flush();
  }

  bool flush() {
    for (;;) {
      const std::uint8_t* bytes = nullptr;
      const auto size = nghttp2_session_mem_send(session_, &bytes);
      if (size <= 0) return size == 0;
      const std::string_view view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
      if (pipe_.send(view) != view.size()) return false;
    }
  }
  // Sends what there is, reads once. False: it is over.
  bool step() {
    if (!flush()) return false;
    const std::string bytes = pipe_.some();
    if (bytes.empty()) return false;
    const auto taken =
        nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return taken >= 0 && flush();
  }
  bool until(const std::function<bool()>& done) {
    while (!done())
      if (!step()) return done();
    return true;
  }
  Message& finished(std::int32_t stream) {
    until([&] { return streams[stream].ended || streams[stream].closed; });
    return streams[stream];
  }

 private:
  struct Outgoing {
    std::string bytes;
    std::size_t zeros = 0;
    bool ended = false;
    http::Headers trailers;
  };

  static std::vector<nghttp2_nv> fields_of(const http::Headers& headers) {
    std::vector<nghttp2_nv> fields;
    for (const auto& [name, value] : headers)
      fields.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                        reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
                        NGHTTP2_NV_FLAG_NONE});
    return fields;
  }

  static nghttp2_data_provider provider() {
    nghttp2_data_provider data{};
    data.read_callback = [](nghttp2_session* session, std::int32_t stream, std::uint8_t* to, std::size_t size,
                            std::uint32_t* flags, nghttp2_data_source*, void* self) -> ssize_t {
      Outgoing& out = static_cast<Http2End*>(self)->outgoing_[stream];
      size = std::min(size, out.bytes.size() + out.zeros);
      if (size == 0 && !out.ended) return NGHTTP2_ERR_DEFERRED;
      if (out.bytes.empty()) {
        std::fill_n(to, size, std::uint8_t{0});
        out.zeros -= size;
      } else {
        size = std::min(size, out.bytes.size());
        std::copy_n(out.bytes.data(), size, to);
        out.bytes.erase(0, size);
      }
      if (!out.bytes.empty() || out.zeros != 0 || !out.ended) return static_cast<ssize_t>(size);
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (!out.trailers.empty()) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        const auto fields = fields_of(out.trailers);
        nghttp2_submit_trailer(session, stream, fields.data(), fields.size());
      }
      return static_cast<ssize_t>(size);
    };
    return data;
  }

  void tell(std::int32_t stream) {
    if (on_event) on_event(stream);
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                       const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* self) {
    auto* end = static_cast<Http2End*>(self);
    Message& message = end->streams[frame->hd.stream_id];
    const bool trailing = frame->headers.cat == NGHTTP2_HCAT_HEADERS && end->final_[frame->hd.stream_id];
    http::Headers& headers = trailing ? message.trailers : message.headers;
    headers.emplace_back(std::string(reinterpret_cast<const char*>(name), name_size),
                         std::string(reinterpret_cast<const char*>(value), value_size));
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* self) {
    auto* end = static_cast<Http2End*>(self);
    const std::int32_t stream = frame->hd.stream_id;
    if (frame->hd.type == NGHTTP2_GOAWAY) end->told_to_leave = true;
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    Message& message = end->streams[stream];
    if (frame->hd.type == NGHTTP2_HEADERS) {
      const bool interim = !end->is_server_ && message.headers.back().first == ":status" &&
                           message.headers.back().second.starts_with('1');
      if (!interim) end->final_[stream] = true;
    }
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) message.ended = true;
    end->tell(stream);
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes, std::size_t size,
                     void* self) {
    auto* end = static_cast<Http2End*>(self);
    Message& message = end->streams[stream];
    message.body_size += size;
    if (end->keep_bodies) message.body.append(reinterpret_cast<const char*>(bytes), size);
    end->tell(stream);
    return 0;
  }
  static int on_close(nghttp2_session*, std::int32_t stream, std::uint32_t error, void* self) {
    static_cast<Http2End*>(self)->streams[stream].closed = error;
    return 0;
  }

  Pipe& pipe_;
  bool is_server_;
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Outgoing> outgoing_;
  std::map<std::int32_t, bool> final_;  // the head that is not interim has come
};

}  // namespace sbx::testing
