// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fd.h"

namespace sbx::cli {

// Standard input, output and error, owned by main for as long as the process lives.
struct Streams {
  Fd in{0};
  Fd out{1};
  Fd err{2};
};

}  // namespace sbx::cli
