// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/secrets_file.h"

#include <algorithm>
#include <cctype>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/words/steering_variables.h"

namespace sbx::cli {
namespace {

constexpr const char* kFileName = ".secrets.json";
constexpr std::int64_t kNanoseconds = 1'000'000'000;

bool is_variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

Result<std::int64_t> ttl_in(const Json* ttl) {
  if (ttl == nullptr) return 0;
  if (ttl->is_number_integer() && ttl->get<std::int64_t>() >= kNanoseconds)
    return ttl->get<std::int64_t>() / kNanoseconds;
  const auto seconds = ttl->is_string() ? parse_duration(ttl->get<std::string>()) : std::nullopt;
  if (!seconds || *seconds <= 0) return fail(Code::kInvalid, "\"ttl\" is not a time such as \"1h\"");
  return *seconds;
}

Result<SecretsFile::Wanted> wanted_in(const Json& json) {
  SecretsFile::Wanted wanted;
  Fields fields(json, "secret");
  wanted.name = fields.text("name");
  wanted.variable = fields.text("env_var");
  const Json* ttl = fields.value("ttl");
  TRY(fields.finish());
  TRY_ASSIGN(wanted.ttl_s, ttl_in(ttl));
  if (!is_variable_name(wanted.variable))
    return fail(Code::kInvalid, "\"" + printable(wanted.variable) + "\" is not the name of a variable");
  // SECURITY: a sandbox may have written the file, and the value of a captured secret, too.
  if (steers_programs(wanted.variable))
    return fail(Code::kInvalid, wanted.variable + " is a variable that programs take orders from, and holds no secret");
  return wanted;
}

}  // namespace

Result<SecretsFile> parse_secrets_file(std::string_view text) {
  TRY_ASSIGN(const Json json, parse_json(text));
  Fields fields(json, kFileName);
  SecretsFile file;
  file.client_id = fields.text("client_id", "");
  const auto list = fields.list("secrets");
  TRY(fields.finish());
  for (const Json* item : list) {
    auto wanted = wanted_in(*item);
    if (!wanted) return fail(std::move(wanted).error().within(kFileName));
    file.secrets.push_back(std::move(*wanted));
  }
  if (file.secrets.empty()) return fail(Code::kInvalid, std::string(kFileName) + ": it names no secrets");
  return file;
}

Result<std::string> find_secrets_file(std::string directory) {
  for (;; directory.erase(directory.find_last_of('/'))) {
    if (exists(directory + "/" + kFileName)) return directory + "/" + kFileName;
    if (directory.empty())
      return fail(Code::kNotFound, std::string("no ") + kFileName + " here or in a directory above",
                  R"(echo '{"secrets":[{"name":"github","env_var":"GITHUB_TOKEN"}]}' > .secrets.json)");
  }
}

std::string env_line(const std::string& variable, const std::string& value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return variable + "='" + quoted + "'\n";
}

}  // namespace sbx::cli
