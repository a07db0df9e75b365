// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dockerfile/dockerfile.h"
#include "dockerfile/words.h"
#include "images/image_config.h"

namespace sbx::builds {

// What a stage of a Dockerfile has come to: an image, and what the variables of its instructions stand for.
struct StageImage {
  images::ImageConfig image;
  dockerfile::Scope arguments;  // ARG; those before the first FROM are not among them until a stage asks for them
  char escape = '\\';

  dockerfile::Scope scope() const;  // arguments and the image's environment, which wins
  std::string user() const { return image.config.user.empty() ? "root" : image.config.user; }
  std::string directory() const { return image.config.directory.empty() ? "/" : image.config.directory; }
};

// Whether an instruction changes files, and so has to be run; the others are applied.
bool changes_files(std::string_view word);

// ENV, LABEL, USER, WORKDIR (its directory is made by the instruction that needs it), CMD, ENTRYPOINT, SHELL, ARG, and
// those that mean something to docker only. `given` has the values of --build-arg and of ARGs before the first FROM.
Result<> apply(const dockerfile::Instruction& instruction, const dockerfile::Scope& given, StageImage& stage);

// The command of a RUN: ["/bin/sh", "-c", text], with the heredocs where they were.
std::vector<std::string> run_command(const dockerfile::Instruction& instruction, const StageImage& stage);

}  // namespace sbx::builds
