// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/sandbox.h"

// Templates: the root file systems that sandboxes start from. Each is built once, kept by content and shared read-only.
namespace sbx::images {

struct Template {
  std::string name;    // "shell"
  std::string digest;  // "sha256:<64 hex>", of the archive that it was unpacked from
  std::string root;    // absolute path of the directory that is / in the guest; never written to again
};

// What a build is doing now. `total` is 0 when unknown; the unit is the step's own (packages, bytes). It is called
// on the thread that called get(), at most a few times a second.
using Progress = std::function<void(std::string_view step, std::int64_t done, std::int64_t total)>;

// The template cache in one directory (layout in ARCHITECTURE.md), shared by any number of threads and processes.
//   TRY_ASSIGN(const Template found, Templates(home.templates()).get("shell", "missing", progress));
class Templates {
 public:
  // An absolute path. The directory is made when it is first needed; it may be a symbolic link to one.
  explicit Templates(std::string directory);

  // The template, built first where needed. `pull` is "missing" (or empty), "always" (build anew) or "never" (fail when
  // it is not there). One that is there costs a small read and a stat. Of several callers one builds and the others
  // wait for it. A failed or killed build leaves nothing that the next get() does not remove.
  Result<Template> get(const std::string& name, wire::Pull pull, const Progress& progress);

  // The names that get() knows.
  static std::vector<std::string> names();

 private:
  std::string directory_;
};

}  // namespace sbx::images
