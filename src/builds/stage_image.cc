// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/stage_image.h"

#include <algorithm>
#include <array>

#include "base/format.h"
#include "base/text.h"

namespace sbx::builds {
namespace {

using dockerfile::Instruction;
using dockerfile::Scope;

using Pairs = std::vector<std::pair<std::string, std::string>>;

void set(std::vector<std::string>& environment, const std::string& key, const std::string& value) {
  const std::string variable = key + "=" + value;
  const auto same = std::ranges::find_if(environment, [&](const auto& one) { return one.starts_with(key + "="); });
  if (same != environment.end())
    *same = variable;
  else
    environment.push_back(variable);
}

void set(Pairs& labels, const std::string& key, const std::string& value) {
  const auto same = std::ranges::find(labels, key, &std::pair<std::string, std::string>::first);
  if (same != labels.end())
    same->second = value;
  else
    labels.emplace_back(key, value);
}

// A command in brackets, or a line for the shell.
std::vector<std::string> command_of(const Instruction& instruction, const StageImage& stage) {
  if (instruction.is_json) return instruction.arguments;
  std::vector<std::string> command = stage.image.config.shell;
  if (command.empty()) command = {"/bin/sh", "-c"};
  command.push_back(instruction.text);
  return command;
}

Result<> env(const Instruction& instruction, const Scope&, StageImage& stage) {
  TRY_ASSIGN(const Pairs pairs, dockerfile::expand_pairs(instruction.text, stage.scope(), stage.escape));
  for (const auto& [key, value] : pairs) set(stage.image.config.environment, key, value);
  return Ok{};
}

Result<> label(const Instruction& instruction, const Scope&, StageImage& stage) {
  TRY_ASSIGN(const Pairs pairs, dockerfile::expand_pairs(instruction.text, stage.scope(), stage.escape));
  for (const auto& [key, value] : pairs) set(stage.image.config.labels, key, value);
  return Ok{};
}

// "ARG A B=1": what is given wins over the default.
Result<> arg(const Instruction& instruction, const Scope& given, StageImage& stage) {
  TRY_ASSIGN(const auto words, dockerfile::expand_words(instruction.text, stage.scope(), stage.escape));
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const auto value = given.find(key);
    if (value != given.end())
      stage.arguments[key] = value->second;
    else if (equals != std::string::npos)
      stage.arguments[key] = word.substr(equals + 1);
  }
  return Ok{};
}

Result<> user(const Instruction& instruction, const Scope&, StageImage& stage) {
  TRY_ASSIGN(stage.image.config.user, dockerfile::expand(instruction.text, stage.scope(), stage.escape));
  return Ok{};
}

Result<> workdir(const Instruction& instruction, const Scope&, StageImage& stage) {
  TRY_ASSIGN(const std::string path, dockerfile::expand(instruction.text, stage.scope(), stage.escape));
  const std::string before = stage.directory();
  stage.image.config.directory = path.starts_with('/') ? path : (before == "/" ? "" : before) + "/" + path;
  return Ok{};
}

Result<> cmd(const Instruction& instruction, const Scope&, StageImage& stage) {
  stage.image.config.command = command_of(instruction, stage);
  return Ok{};
}

Result<> entrypoint(const Instruction& instruction, const Scope&, StageImage& stage) {
  stage.image.config.entrypoint = command_of(instruction, stage);
  stage.image.config.command.clear();
  return Ok{};
}

Result<> shell(const Instruction& instruction, const Scope&, StageImage& stage) {
  if (!instruction.is_json || instruction.arguments.empty())
    return fail(Code::kInvalid, "SHELL needs its command in brackets: SHELL [\"/bin/bash\", \"-c\"]");
  stage.image.config.shell = instruction.arguments;
  return Ok{};
}

Result<> refuse_onbuild(const Instruction&, const Scope&, StageImage&) {
  return fail(Code::kUnsupported, "ONBUILD is not supported", "write the instruction where it is to be run");
}

// Ports are published by the user, volumes are directories like any other, and the rest is for dockerd.
Result<> pass_over(const Instruction&, const Scope&, StageImage&) { return Ok{}; }

// All that an image's programs could be given anyway is less.
constexpr std::size_t kMostVariables = 1u << 20;

std::size_t size_of(const StageImage& stage) {
  std::size_t bytes = 0;
  for (const std::string& variable : stage.image.config.environment) bytes += variable.size();
  for (const auto& [key, value] : stage.image.config.labels) bytes += key.size() + value.size();
  for (const auto& [key, value] : stage.arguments) bytes += key.size() + value.size();
  return bytes;
}

struct Row {
  std::string_view word;
  Result<> (*apply)(const Instruction&, const Scope&, StageImage&);
};

constexpr std::array kRows{
    Row{"ARG", arg},
    Row{"CMD", cmd},
    Row{"ENTRYPOINT", entrypoint},
    Row{"ENV", env},
    Row{"EXPOSE", pass_over},
    Row{"HEALTHCHECK", pass_over},
    Row{"LABEL", label},
    Row{"MAINTAINER", pass_over},
    Row{"ONBUILD", refuse_onbuild},
    Row{"SHELL", shell},
    Row{"STOPSIGNAL", pass_over},
    Row{"USER", user},
    Row{"VOLUME", pass_over},
    Row{"WORKDIR", workdir},
};

}  // namespace

Scope StageImage::scope() const {
  Scope all = arguments;
  for (const auto& [key, value] : images::environment_of(image.config)) all[key] = value;
  return all;
}

bool changes_files(std::string_view word) { return word == "RUN" || word == "COPY" || word == "ADD"; }

Result<> apply(const Instruction& instruction, const Scope& given, StageImage& stage) {
  const auto row = std::ranges::find(kRows, instruction.word, &Row::word);
  if (row == kRows.end()) return fail(Code::kUnsupported, instruction.word + " is not supported here");
  TRY(row->apply(instruction, given, stage));
  if (size_of(stage) > kMostVariables)
    return fail(Code::kTooLarge, "variables and labels are larger than 1 MiB together");
  return Ok{};
}

// A shell reads heredocs by itself; one that is all of the instruction is the script.
std::vector<std::string> run_command(const Instruction& instruction, const StageImage& stage) {
  std::vector<std::string> command = command_of(instruction, stage);
  if (instruction.is_json || instruction.heredocs.empty()) return command;
  const auto& heredocs = instruction.heredocs;
  const bool is_script = heredocs.size() == 1 && trimmed(instruction.text).starts_with("<<") &&
                         trimmed(instruction.text).find_first_of(" \t") == std::string_view::npos;
  if (is_script) {
    command.back() = heredocs.front().content;
    return command;
  }
  command.back() += "\n";
  for (const auto& heredoc : heredocs) command.back() += heredoc.content + heredoc.name + "\n";
  return command;
}

}  // namespace sbx::builds
