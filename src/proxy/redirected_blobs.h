// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "proxy/blob_cache.h"

namespace sbx::proxy {

// Blobs that a registry has sent its clients elsewhere for, to the very address at which each of them will come: what
// the cache has of them, or takes.
class RedirectedBlobs {
 public:
  // `address`: a whole URL. Of more than a few, and after a few minutes, the oldest is forgotten.
  void expect(const std::string& address, BlobCache::Found blob);
  std::optional<BlobCache::Found> take(const std::string& address);  // none is expected there: nullopt

 private:
  struct Deaf final : streams::Stream::Listener {
    void received(std::string_view) override {}
    void ended() override {}
    void failed(const Error&) override {}
    void drained() override {}
  };
  struct Expected {
    BlobCache::Found blob;
    SteadyTime since;
  };
  void forget_old();

  Deaf deaf_;                                 // before its listener comes, a copy has nothing to say that matters
  std::map<std::string, Expected> expected_;  // by address
};

}  // namespace sbx::proxy
