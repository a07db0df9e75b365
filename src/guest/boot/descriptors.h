// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

namespace sbx::guest {

// Init holds a descriptor for every connection of every program, and takes as many as it may. Its children get back
// what it had: programs close all that they could have, one by one, or use select().
class DescriptorLimit {
 public:
  // Reads what it is now.
  DescriptorLimit();

  void raise() const;
  void restore() const;

 private:
  rlimit ordinary_{};
};

}  // namespace sbx::guest
