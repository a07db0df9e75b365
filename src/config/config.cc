// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <cstdlib>
#include <vector>

#include "base/file.h"
#include "base/format.h"
#include "base/home.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::config {
namespace {

constexpr std::size_t kLargestFile = 64u << 10;

std::string absolute_path(Fields& fields, const char* key) {
  std::string path = fields.text(key, "");
  if (fields.has(key) && !path.starts_with('/')) fields.reject("\"" + std::string(key) + "\" must be an absolute path");
  return path;
}

wire::Isolation grade(Fields& fields, const char* key) {
  const auto grade = from_word<wire::Isolation>(fields.text(key, "")).value_or(wire::Isolation::kUnknown);
  if (!fields.has(key) || grade != wire::Isolation::kUnknown) return grade;
  std::vector<std::string_view> grades;
  for (const auto& choice : choices(grade))
    if (!choice.word.empty()) grades.push_back(choice.word);
  fields.reject("\"" + std::string(key) + "\" must be one of " + join(grades, ", "));
  return grade;
}

std::int64_t size(Fields& fields, const char* key, std::int64_t otherwise) {
  const std::string text = fields.text(key, "");
  if (!fields.has(key)) return otherwise;
  const auto bytes = text == "0" ? 0 : parse_bytes(text);
  if (!bytes) fields.reject("\"" + std::string(key) + "\" must be a size, such as \"10g\", or \"0\"");
  return bytes.value_or(otherwise);
}

Result<Config> decode(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Config config;
  config.path = path;
  config.backend = fields.text("backend", "");
  config.minimum_isolation = grade(fields, "minimumIsolation");
  config.kernel = absolute_path(fields, "kernel");
  config.modules = absolute_path(fields, "modules");
  config.docker_cache = size(fields, "dockerCache", config.docker_cache);
  TRY(fields.finish());
  return config;
}

}  // namespace

Result<std::string> config_path() {
  if (const char* chosen = std::getenv("SANDBOXD_CONFIG"); chosen != nullptr && *chosen != 0) {
    if (*chosen != '/') return fail(Code::kInvalid, "SANDBOXD_CONFIG must be an absolute path");
    return std::string(chosen);
  }
  TRY_ASSIGN(const std::string home, user_home());
  return home + "/.sandboxd/config.json";
}

Result<std::string> policy_path() {
  TRY_ASSIGN(const std::string config, config_path());
  return config.substr(0, config.find_last_of('/')) + "/proxy-config.json";
}

Result<std::string> agents_path() {
  TRY_ASSIGN(const std::string config, config_path());
  return config.substr(0, config.find_last_of('/')) + "/agents.json";
}

Result<Config> read_config(const std::string& path) {
  const auto text = read_file(path, kLargestFile);
  if (!text && text.error().code() == Code::kNotFound) {
    Config none;
    none.path = path;
    return none;
  }
  TRY(text);
  auto json = parse_json(*text);
  if (!json) return fail(std::move(json).error().within(path));
  return decode(*json, path);
}

Result<Config> read_config() {
  TRY_ASSIGN(const std::string path, config_path());
  return read_config(path);
}

Result<> check_isolation(const Config& config, wire::Isolation grade) {
  if (grade >= config.minimum_isolation) return Ok{};
  return fail(Code::kForbidden,
              sbx::format("isolation would be \"{}\", and \"minimumIsolation\" in {} is \"{}\"", word_of(grade),
                          config.path, word_of(config.minimum_isolation)),
              "sandbox diagnose");
}

}  // namespace sbx::config
