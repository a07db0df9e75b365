// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/descriptors.h"

#include <algorithm>

namespace sbx::guest {
namespace {

constexpr rlim_t kEnough = 65'536;

}  // namespace

DescriptorLimit::DescriptorLimit() {
  if (::getrlimit(RLIMIT_NOFILE, &ordinary_) != 0) ordinary_ = {1024, 4096};
}

// Where it may not, fewer connections are served at once.
void DescriptorLimit::raise() const {
  const rlimit more{std::max(ordinary_.rlim_cur, kEnough), std::max(ordinary_.rlim_max, kEnough)};
  if (::setrlimit(RLIMIT_NOFILE, &more) == 0) return;
  const rlimit most{ordinary_.rlim_max, ordinary_.rlim_max};
  (void)::setrlimit(RLIMIT_NOFILE, &most);
}

void DescriptorLimit::restore() const { (void)::setrlimit(RLIMIT_NOFILE, &ordinary_); }

}  // namespace sbx::guest
