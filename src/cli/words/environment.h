// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flags.h"
#include "base/result.h"
#include "base/shared_directories.h"
#include "cli/context.h"
#include "wire/settings.h"

namespace sbx::cli {

// The caller's own value of a variable; nothing if it is unset.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> own_variable(const std::string& name);

// Variables, or labels, in the order in which they were first named; a later value replaces an earlier one.
class EnvironmentBuilder {
 public:
  // `noun`: what an error calls one.
  explicit EnvironmentBuilder(Lookup lookup = own_variable, std::string noun = "environment variable")
      : lookup_(std::move(lookup)), noun_(std::move(noun)) {}

  // K=V, or K for what the lookup says: the caller's own value (nothing, if that is unset).
  Result<> add(const std::string& assignment);
  // Docker's env-file: one assignment a line as above, taken verbatim; blank lines and lines that begin with # are not.
  Result<> add_file(std::string_view content, const std::string& name);

  wire::Environment take() && { return std::move(variables_); }

 private:
  wire::Environment variables_;
  Lookup lookup_;
  std::string noun_;
};

// --env-file (a later file wins) and then --env, which wins over any file. A file is not read through a link in a
// shared directory: a guest would choose which of the user's files it is.
Result<wire::Environment> read_environment(const std::vector<std::string>& files,
                                           const std::vector<std::string>& assignments, const SharedDirectories& shared,
                                           EnvironmentBuilder builder = EnvironmentBuilder(),
                                           std::string_view file_flag = "--env-file");

// Whether a variable usually holds a credential, of a service or of another: that is better kept out of a sandbox.
bool is_key_variable(std::string_view name);

// What the flags of a command ask for. The daemon is asked what is shared if there is a file to read. A value that
// looks like a credential is taken, with a warning.
Result<wire::Environment> environment_from(const Context& context, const Arguments& arguments);
// The same of --label-file and --label. A key alone has an empty value.
Result<wire::Labels> labels_from(const Context& context, const Arguments& arguments);

}  // namespace sbx::cli
