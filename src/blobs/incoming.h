// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "blobs/blob_store.h"
#include "loop/loop.h"
#include "streams/socket_stream.h"

namespace sbx::blobs {

// A blob on its way from a shim into the store.
class Incoming final : private streams::Stream::Listener {
 public:
  // It is decided: kept, or not. It may be destroyed, but not from inside the call.
  using OnDone = std::function<void()>;

  Incoming(loop::Loop& loop, const BlobStore& store, BlobId id, Fd socket, OnDone on_done);

 private:
  void received(std::string_view bytes) override;
  void ended() override;
  void failed(const Error&) override { finish(); }
  void drained() override {}
  Result<> take(std::string_view bytes);
  void finish();

  const BlobStore& store_;
  BlobId id_;
  OnDone on_done_;
  std::string prefix_;           // the size, as far as it has come
  std::optional<NewBlob> blob_;  // since its size is known
  streams::SocketStream socket_;
};

}  // namespace sbx::blobs
