// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/http2_peer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace sbx::proxy {
namespace {

constexpr std::uint32_t kStreamWindow = 256u << 10;
constexpr std::int32_t kConnectionWindow = 4 << 20;
constexpr std::uint32_t kMostStreams = 100;
constexpr std::size_t kLargestHead = 64u << 10;
constexpr std::size_t kFieldOverhead = 32;  // RFC 9113, 6.5.2
constexpr std::size_t kSendPiece = 64u << 10;

std::vector<nghttp2_nv> fields_of(const http::Headers& headers) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(headers.size());
  // nghttp2 copies them; its type has no const.
  for (const auto& [name, value] : headers)
    fields.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                      reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
                      NGHTTP2_NV_FLAG_NONE});
  return fields;
}

std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

nghttp2_session_callbacks* Http2Peer::callbacks() {
  static nghttp2_session_callbacks* const made = [] {
    nghttp2_session_callbacks* table = nullptr;
    if (nghttp2_session_callbacks_new(&table) != 0) return table;
    nghttp2_session_callbacks_set_on_frame_recv_callback(table,
                                                         [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
                                                           return static_cast<Http2Peer*>(self)->frame(frame);
                                                         });
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(
        table, [](nghttp2_session*, const nghttp2_frame*, int error, void* self) {
          return static_cast<Http2Peer*>(self)->invalid_frame(error);
        });
    nghttp2_session_callbacks_set_on_frame_send_callback(table,
                                                         [](nghttp2_session*, const nghttp2_frame* frame, void* self) {
                                                           return static_cast<Http2Peer*>(self)->sent(frame);
                                                         });
    nghttp2_session_callbacks_set_on_header_callback(
        table, [](nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                  const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* self) {
          return static_cast<Http2Peer*>(self)->field(frame, view(name, name_size), view(value, value_size));
        });
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        table, [](nghttp2_session* session, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes,
                  std::size_t size, void* self) {
          auto* peer = static_cast<Http2Peer*>(self);
          if (!peer->events_.data(*peer, stream, view(bytes, size))) nghttp2_session_consume(session, stream, size);
          return 0;
        });
    nghttp2_session_callbacks_set_on_stream_close_callback(
        table, [](nghttp2_session*, std::int32_t stream, std::uint32_t error, void* self) {
          return static_cast<Http2Peer*>(self)->stream_closed(stream, error);
        });
    return table;
  }();
  return made;
}

Http2Peer::Http2Peer(loop::Loop& loop, const ProxyLimits& limits, Role role, std::unique_ptr<streams::Stream> stream,
                     Events& events, std::string first)
    : loop_(loop), limits_(limits), stream_(std::move(stream)), events_(events), lifeline_(loop) {
  nghttp2_option* options = nullptr;
  nghttp2_option_new(&options);
  nghttp2_option_set_no_auto_window_update(options, 1);
  nghttp2_option_set_peer_max_concurrent_streams(options, kMostStreams);
  if (role == Role::kServer)
    nghttp2_session_server_new2(&session_, callbacks(), this, options);
  else
    nghttp2_session_client_new2(&session_, callbacks(), this, options);
  nghttp2_option_del(options);
  const std::array<nghttp2_settings_entry, 4> settings = {{{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams},
                                                           {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
                                                           {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kLargestHead},
                                                           {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}}};
  const std::size_t count = role == Role::kServer ? settings.size() - 1 : settings.size();
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), count);
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kConnectionWindow);
  stream_->listen(*this);
  if (first.empty())
    stream_->resume();
  else
    take_soon(std::move(first));
  write_soon();
}

// Not before our owner has us, and before anything else that comes.
void Http2Peer::take_soon(std::string first) {
  stream_->pause();
  lifeline_.later([this, first = std::move(first)] {
    const loop::Lifeline::Witness witness(lifeline_);
    received(first);
    if (!witness.gone()) stream_->resume();
  });
}

Http2Peer::~Http2Peer() { nghttp2_session_del(session_); }

void Http2Peer::received(std::string_view bytes) {
  if (over_ || parting_) return;
  faulted_ = false;
  const loop::Lifeline::Witness witness(lifeline_);
  const auto taken =
      nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (witness.gone() || over_) return;
  if (taken < 0) {
    invalid_frame(static_cast<int>(taken));
    return finish();
  }
  write();
}

// One write for what belongs together, and no more than the other side takes.
void Http2Peer::write() {
  if (over_ || parting_) return;
  std::string piece;
  while (stream_->queued() + piece.size() < streams::kHighWater) {
    const std::uint8_t* bytes = nullptr;
    const auto size = nghttp2_session_mem_send(session_, &bytes);
    if (size < 0) return finish();
    if (size == 0) break;
    piece += view(bytes, static_cast<std::size_t>(size));
    if (piece.size() >= kSendPiece) stream_->send(std::exchange(piece, {}));
  }
  if (!piece.empty()) stream_->send(piece);
  if (nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0) part();
}

// A peer that still sends would lose our last words to a reset: it is heard out for a moment.
void Http2Peer::part() {
  parting_ = true;
  stream_->finish();
  stream_->resume();
  limit(stream_->queued() == 0 ? limits_.last_words : limits_.idle);
}

void Http2Peer::drained() {
  if (!parting_) return write();
  limit(limits_.last_words);
}

void Http2Peer::write_soon() {
  if (std::exchange(write_pending_, true)) return;
  lifeline_.later([this] {
    write_pending_ = false;
    write();
  });
}

// Later, because it may be nghttp2 that calls.
void Http2Peer::finish() {
  timer_.cancel();
  if (std::exchange(over_, true)) return;
  lifeline_.later([this] { events_.over(*this); });
}

void Http2Peer::limit(std::chrono::milliseconds time) {
  timer_ = loop_.after(time, [this] { finish(); });
}

std::int32_t Http2Peer::send_request(const http::Headers& headers, bool last) {
  const auto fields = fields_of(headers);
  const nghttp2_data_provider data = provider();
  const std::int32_t stream =
      nghttp2_submit_request(session_, nullptr, fields.data(), fields.size(), last ? nullptr : &data, nullptr);
  if (stream > 0 && !last) bodies_[stream];
  write_soon();
  return stream;
}

void Http2Peer::send_head(std::int32_t stream, const http::Headers& headers, bool last) {
  const auto fields = fields_of(headers);
  const bool interim = !headers.empty() && headers.front().second.starts_with('1');
  const nghttp2_data_provider data = provider();
  if (interim) {
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, fields.data(), fields.size(), nullptr);
  } else {
    nghttp2_submit_response(session_, stream, fields.data(), fields.size(), last ? nullptr : &data);
    if (!last) bodies_[stream];
  }
  write_soon();
}

bool Http2Peer::send_data(std::int32_t stream, std::string_view bytes) {
  const auto it = bodies_.find(stream);
  if (it == bodies_.end()) return false;
  it->second.bytes += bytes;
  resume(stream, it->second);
  return true;
}

void Http2Peer::send_end(std::int32_t stream, const http::Headers& trailers) {
  const auto it = bodies_.find(stream);
  if (it == bodies_.end()) return;
  it->second.ended = true;
  it->second.trailers = trailers;
  resume(stream, it->second);
}

void Http2Peer::resume(std::int32_t stream, Body& body) {
  if (std::exchange(body.waiting, false)) nghttp2_session_resume_data(session_, stream);
  write_soon();
}

void Http2Peer::reset(std::int32_t stream, std::uint32_t error) {
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, error);
  write_soon();
}

void Http2Peer::give_window(std::int32_t stream, std::size_t bytes) {
  nghttp2_session_consume(session_, stream, bytes);
  write_soon();
}

void Http2Peer::shut_down() {
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, nghttp2_session_get_last_proc_stream_id(session_),
                        NGHTTP2_NO_ERROR, nullptr, 0);
  write_soon();
}

nghttp2_data_provider Http2Peer::provider() {
  nghttp2_data_provider data{};
  data.source.ptr = this;
  data.read_callback = [](nghttp2_session*, std::int32_t stream, std::uint8_t* to, std::size_t size,
                          std::uint32_t* flags, nghttp2_data_source* source, void*) -> ssize_t {
    return static_cast<Http2Peer*>(source->ptr)->read_body(stream, to, size, flags);
  };
  return data;
}

// What is taken is dropped now and then, because a reader who is always a little behind never takes the last of it.
void Http2Peer::Body::take(std::uint8_t* to, std::size_t size) {
  std::memcpy(to, bytes.data() + taken, size);
  taken += size;
  if (left() != 0 && (taken < kSendPiece || taken < left())) return;
  bytes.erase(0, taken);
  taken = 0;
}

ssize_t Http2Peer::read_body(std::int32_t stream, std::uint8_t* to, std::size_t size, std::uint32_t* flags) {
  const auto it = bodies_.find(stream);
  if (it == bodies_.end()) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  Body& body = it->second;
  size = std::min(size, body.left());
  if (size == 0 && !body.ended) {
    body.waiting = true;
    return NGHTTP2_ERR_DEFERRED;
  }
  body.take(to, size);
  if (body.left() == 0 && body.ended) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!body.trailers.empty()) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const auto fields = fields_of(body.trailers);
      nghttp2_submit_trailer(session_, stream, fields.data(), fields.size());
    }
  }
  if (size != 0) events_.consumed(*this, stream, size);
  return static_cast<ssize_t>(size);
}

int Http2Peer::field(const nghttp2_frame* frame, std::string_view name, std::string_view value) {
  if (frame->hd.type != NGHTTP2_HEADERS) return 0;
  Incoming& incoming = incoming_[frame->hd.stream_id];
  incoming.size += name.size() + value.size() + kFieldOverhead;
  if (incoming.size > kLargestHead) {
    events_.malformed(*this, "a head is larger than 64 KiB");
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // resets the stream
  }
  incoming.headers.emplace_back(name, value);
  return 0;
}

int Http2Peer::frame(const nghttp2_frame* frame) {
  const std::int32_t stream = frame->hd.stream_id;
  const bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  if (frame->hd.type == NGHTTP2_GOAWAY) events_.shut_down(*this);
  if (frame->hd.type == NGHTTP2_DATA && last) events_.end(*this, stream);
  if (frame->hd.type != NGHTTP2_HEADERS) return 0;
  Incoming incoming = std::move(incoming_[stream]);
  incoming_.erase(stream);
  events_.head(*this, stream, std::move(incoming.headers), last);
  return 0;
}

int Http2Peer::invalid_frame(int error) {
  faulted_ = true;
  events_.malformed(*this, nghttp2_strerror(error));
  return 0;
}

// nghttp2 gives up some connections without another word: a head that cannot be unpacked.
int Http2Peer::sent(const nghttp2_frame* frame) {
  if (frame->hd.type != NGHTTP2_GOAWAY || frame->goaway.error_code == NGHTTP2_NO_ERROR || faulted_) return 0;
  faulted_ = true;
  events_.malformed(*this, nghttp2_http2_strerror(frame->goaway.error_code));
  return 0;
}

int Http2Peer::stream_closed(std::int32_t stream, std::uint32_t error) {
  incoming_.erase(stream);
  const auto body = bodies_.extract(stream);
  if (!body.empty() && body.mapped().left() != 0) events_.consumed(*this, stream, body.mapped().left());
  events_.closed(*this, stream, error);
  return 0;
}

}  // namespace sbx::proxy
