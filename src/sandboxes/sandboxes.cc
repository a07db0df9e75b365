// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/sandboxes.h"

namespace sbx::sandboxes {

Result<std::unique_ptr<Sandboxes>> Sandboxes::create(Parts parts) {
  auto made = std::make_unique<Sandboxes>(std::move(parts));
  TRY(made->runs.watch());
  return made;
}

}  // namespace sbx::sandboxes
