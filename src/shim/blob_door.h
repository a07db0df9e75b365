// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string_view>

#include "gate/line.h"
#include "loop/lifeline.h"
#include "loop/loop.h"
#include "proxy/blob_cache.h"

namespace sbx::shim {

// The shim's end of the line to the cache of blobs. When that is gone nothing is found and nothing is kept, and all
// goes on as without it.
class BlobDoor final : public proxy::BlobCache {
 public:
  BlobDoor(loop::Loop& loop, Fd line);

  Ticket find(const blobs::BlobId& id, OnFound done) override;
  void cancel(Ticket ticket) override { asked_.erase(ticket); }
  void finish(std::unique_ptr<streams::Stream> copy) override;

 private:
  // A copy that is on its way, until the cache closes it.
  struct Finishing final : streams::Stream::Listener {
    void received(std::string_view) override {}
    void ended() override { on_end(); }
    void failed(const Error&) override { on_end(); }
    void drained() override {}

    std::unique_ptr<streams::Stream> copy;
    std::function<void()> on_end;
  };

  void answered(std::string_view bytes, Fd attached);
  void lost();
  void give(Ticket ticket, Found found);

  loop::Loop& loop_;
  std::map<Ticket, OnFound> asked_;
  Ticket next_ = 1;
  bool is_lost_ = false;
  std::list<Finishing> finishing_;
  loop::Lifeline lifeline_;
  gate::Line line_;
};

}  // namespace sbx::shim
