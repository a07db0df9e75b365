// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "cli/commands/verbs.h"
#include "cli/grammar/manual.h"

namespace sbx::cli::verbs {

Result<int> docs_man(Context&, const Arguments& arguments) {
  const std::string& directory = arguments.operands().front();
  TRY(make_directories(directory, 0755));
  for (const ManualPage& page : manual_pages()) TRY(write_file(directory + "/" + page.file, page.text, 0644));
  return 0;
}

}  // namespace sbx::cli::verbs
