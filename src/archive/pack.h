// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "archive/stream.h"
#include "base/fd.h"
#include "base/result.h"

namespace sbx::archive {

struct PackOptions {
  std::string as;            // what the top of the tree is called in the archive; empty: its name
  bool follow_link = false;  // if the top is a symbolic link: what it leads to. Links below are always kept
  std::function<void(std::string_view)> warn = [](std::string_view) {};
  // What is not packed, by its path below the top, and with a directory all that is in it.
  std::function<bool(std::string_view path)> leave_out{};
};

// Writes the file or tree `name` (one component, or ".") in `directory` as a tar archive. Files with several names are
// stored once; sockets, pipes and devices are left out with a warning. A file that changes meanwhile is cut or filled
// up with zeros to the size it had, as tar does; one that vanishes is left out.
Result<> pack(const Fd& directory, const std::string& name, const Sink& sink, const PackOptions& options = {});

}  // namespace sbx::archive
