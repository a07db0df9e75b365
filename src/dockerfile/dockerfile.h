// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// Dockerfiles (https://docs.docker.com/reference/dockerfile/): read, not run.
namespace sbx::dockerfile {

// "<<EOF" in an instruction and the lines up to EOF.
struct Heredoc {
  std::string name;     // EOF
  std::string content;  // tabs at the beginning of lines are gone with <<-
  bool expand = true;   // false with quotes: <<"EOF"
};

struct Instruction {
  std::string word;                                        // "RUN", in capitals
  std::vector<std::pair<std::string, std::string>> flags;  // --from=build
  std::string text;                                        // all that follows the flags, lines joined, as it stands
  std::vector<std::string> arguments;                      // of ["a", "b"], else empty
  bool is_json = false;
  std::vector<Heredoc> heredocs;
  std::size_t line = 0;  // where it begins, from 1

  std::optional<std::string> flag(std::string_view name) const;
};

// FROM and what belongs to it.
struct Stage {
  std::string base;      // an image or an earlier stage; variables are not replaced yet
  std::string platform;  // --platform
  std::string name;      // AS
  std::vector<Instruction> instructions;
  std::size_t line = 0;
};

struct Dockerfile {
  std::vector<Instruction> arguments;  // ARG before the first FROM
  std::vector<Stage> stages;           // at least one
  char escape = '\\';
};

// kInvalid says in which line, and what is wrong there.
Result<Dockerfile> parse(std::string_view text);

}  // namespace sbx::dockerfile
