// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/file.h"
#include "base/home.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::config {
namespace {

constexpr std::size_t kLargestFile = 64u << 10;

// Weakest first. Emulation is below gVisor although it has a kernel of its own, because QEMU's authors promise no
// isolation without hardware virtualization: a hole in the emulator is an ordinary bug to them.
constexpr std::array<std::string_view, 4> kGrades{"container", "microvm-emulated", "gvisor", "microvm"};

// One more than its place in the order, 0 if it has none.
std::ptrdiff_t rank_of(std::string_view grade) {
  const auto* const at = std::ranges::find(kGrades, grade);
  return at == kGrades.end() ? 0 : at - kGrades.begin() + 1;
}

std::string absolute_path(Fields& fields, const char* key) {
  std::string path = fields.text(key, "");
  if (fields.has(key) && !path.starts_with('/')) fields.reject("\"" + std::string(key) + "\" must be an absolute path");
  return path;
}

std::string grade(Fields& fields, const char* key) {
  std::string grade = fields.text(key, "");
  if (fields.has(key) && rank_of(grade) == 0)
    fields.reject("\"" + std::string(key) + "\" must be one of " +
                  join(std::vector<std::string_view>(kGrades.begin(), kGrades.end()), ", "));
  return grade;
}

Result<Config> decode(const Json& json, const std::string& path) {
  Fields fields(json, path);
  Config config;
  config.path = path;
  config.backend = fields.text("backend", "");
  config.minimum_isolation = grade(fields, "minimumIsolation");
  config.kernel = absolute_path(fields, "kernel");
  config.modules = absolute_path(fields, "modules");
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

Result<Config> read_config(const std::string& path) {
  const auto text = read_file(path, kLargestFile);
  if (!text && text.error().code() == Code::kNotFound) return Config{path, {}, {}, {}, {}};
  TRY(text);
  auto json = parse_json(*text);
  if (!json) return fail(std::move(json).error().within(path));
  return decode(*json, path);
}

Result<Config> read_config() {
  TRY_ASSIGN(const std::string path, config_path());
  return read_config(path);
}

Result<> check_isolation(const Config& config, std::string_view grade) {
  if (config.minimum_isolation.empty() || rank_of(grade) >= rank_of(config.minimum_isolation)) return Ok{};
  return fail(Code::kForbidden,
              "isolation would be \"" + std::string(grade) + "\", and \"minimumIsolation\" in " + config.path +
                  " is \"" + config.minimum_isolation + "\"",
              "sandbox diagnose");
}

}  // namespace sbx::config
