// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "proxy/redirected_blobs.h"

#include <algorithm>
#include <chrono>

namespace sbx::proxy {
namespace {

constexpr std::size_t kMostExpected = 32;
constexpr auto kLongestWait = std::chrono::minutes(2);

}  // namespace

void RedirectedBlobs::expect(const std::string& address, BlobCache::Found blob) {
  forget_old();
  if (blob.copy) blob.copy->listen(deaf_);
  expected_.insert_or_assign(address, Expected{std::move(blob), steady_now()});
}

std::optional<BlobCache::Found> RedirectedBlobs::take(const std::string& address) {
  auto node = expected_.extract(address);
  return node.empty() ? std::nullopt : std::optional(std::move(node.mapped().blob));
}

void RedirectedBlobs::forget_old() {
  std::erase_if(expected_, [](const auto& one) { return steady_now() - one.second.since > kLongestWait; });
  if (expected_.size() < kMostExpected) return;
  expected_.erase(std::ranges::min_element(
      expected_, [](const auto& a, const auto& b) { return a.second.since < b.second.since; }));
}

}  // namespace sbx::proxy
