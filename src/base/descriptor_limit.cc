// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace sbx {
namespace {

constexpr std::uint64_t kUsual = 4096;
constexpr std::uint64_t kMost = 1u << 19;

}  // namespace

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

void lower_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, kUsual);
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

DescriptorLimits guest_descriptor_limits(std::uint64_t hard) {
  const std::uint64_t most = std::min(hard / 2, kMost);
  return {std::min(most, kUsual), most};
}

DescriptorLimits guest_descriptor_limits() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {kUsual, kUsual};
  return guest_descriptor_limits(limit.rlim_max);
}

}  // namespace sbx
