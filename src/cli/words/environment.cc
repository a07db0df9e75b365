// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/environment.h"

#include <algorithm>
#include <cstdlib>

#include "base/format.h"
#include "base/found_path.h"
#include "base/text.h"
#include "cli/client/remote.h"
#include "cli/views/output.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLargestFile = 16u << 20;
constexpr std::string_view kPlaceholderWord = "proxy-managed";

Result<std::string> read_users_file(const std::string& path, const SharedDirectories& shared) {
  TRY_ASSIGN(const Fd file, open_to_read(path, shared));
  auto content = read_all(file, kLargestFile);
  if (!content) return fail(std::move(content).error().within("read " + path));
  return content;
}

}  // namespace

std::optional<std::string> own_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<> EnvironmentBuilder::add(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string key = assignment.substr(0, equals);
  if (key.empty()) return fail(Code::kInvalid, noun_ + " without a name: \"" + assignment + "\"");
  if (key.find_first_of(" \t") != std::string::npos)
    return fail(Code::kInvalid, noun_ + " with a blank in its name: \"" + key + "\"");
  const auto value = equals == std::string::npos ? lookup_(key) : assignment.substr(equals + 1);
  if (!value) return Ok{};
  for (auto& [known, old] : variables_)
    if (known == key) {
      old = *value;
      return Ok{};
    }
  variables_.emplace_back(key, *value);
  return Ok{};
}

Result<> EnvironmentBuilder::add_file(std::string_view content, const std::string& name) {
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);  // a byte order mark
  std::size_t number = 0;
  for (std::string& line : split(content, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.find('\0') != std::string::npos) return fail(Code::kInvalid, name + ": not a text file");
    TRY_WITHIN(name + ", line " + std::to_string(number), add(line));
  }
  return Ok{};
}

Result<wire::Environment> read_environment(const std::vector<std::string>& files,
                                           const std::vector<std::string>& assignments, const SharedDirectories& shared,
                                           EnvironmentBuilder builder, std::string_view file_flag) {
  for (const std::string& file : files) {
    auto content = read_users_file(file, shared);
    if (!content) return fail(std::move(content).error().within(file_flag).as(Code::kInvalid));
    TRY(builder.add_file(*content, file));
  }
  for (const std::string& assignment : assignments) TRY(builder.add(assignment));
  return std::move(builder).take();
}

namespace {

Result<wire::Environment> from_flags(const Context& context, const Arguments& arguments, const std::string& flag,
                                     EnvironmentBuilder builder) {
  const auto& files = arguments.list(flag + "-file");
  SharedDirectories shared;
  if (!files.empty()) {
    TRY_ASSIGN(const Client client, context.client());
    TRY_ASSIGN(shared, shared_directories(client));
  }
  return read_environment(files, arguments.list(flag), shared, std::move(builder), "--" + flag + "-file");
}

}  // namespace

bool is_key_variable(std::string_view name) {
  return name.ends_with("_API_KEY") || name == "CLAUDE_CODE_OAUTH_TOKEN" || name == "GH_TOKEN" ||
         name == "GITHUB_TOKEN";
}

Result<wire::Environment> environment_from(const Context& context, const Arguments& arguments) {
  TRY_ASSIGN(auto environment, from_flags(context, arguments, "env", EnvironmentBuilder()));
  for (const auto& [name, value] : environment)
    if (is_key_variable(name) && !value.empty() && value.find(kPlaceholderWord) == std::string::npos)
      note(
          sbx::format("warning: {0} enters the sandbox, where the agent can read it; `{1} secret add {0}` keeps it out",
                      printable(name), context.program));
  return environment;
}

Result<wire::Labels> labels_from(const Context& context, const Arguments& arguments) {
  return from_flags(context, arguments, "label", EnvironmentBuilder([](const std::string&) { return ""; }, "label"));
}

}  // namespace sbx::cli
