// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/verbs.h"
#include "cli/grammar/help.h"
#include "cli/views/output.h"

namespace sbx::cli::verbs {

Result<int> docs_markdown(Context&, const Arguments&) {
  print(markdown("sandbox"));
  return 0;
}

}  // namespace sbx::cli::verbs
