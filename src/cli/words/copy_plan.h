// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

// The rules of `docker cp`, without any file system. Pure.
namespace sbx::cli {

// An operand of cp. Without a sandbox it is a path of the host's.
struct CopyOperand {
  std::string sandbox;
  std::string path;
  bool is_remote() const { return !sandbox.empty(); }
};

// As docker: SANDBOX:PATH, unless the part before the colon is a path itself (/a:b, ./a:b). A path in a sandbox that is
// not absolute begins at its working directory.
CopyOperand parse_copy_operand(const std::string& text);

// What is at a path.
struct Found {
  bool exists = false;
  bool is_directory = false;
};

// "/a/b/." and "." mean what is in the directory, not the directory.
bool means_content(const std::string& path);
// The last component, without slashes; empty for the root.
std::string base_name(const std::string& path);
std::string parent_of(const std::string& path);

// Where the source goes: as `name` in `directory`, or, with the name ".", into `directory` itself.
struct Placement {
  std::string directory;
  std::string name;
};
Result<Placement> place(const std::string& source, const Found& at_source, const std::string& destination,
                        const Found& at_destination);

}  // namespace sbx::cli
