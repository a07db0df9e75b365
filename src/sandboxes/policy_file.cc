// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/policy_file.h"

#include "base/file.h"
#include "base/log.h"
#include "policy/rules_file.h"

namespace sbx::sandboxes {
namespace {

std::string directory_of(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

Result<> make_default_file(const std::string& path) {
  TRY(make_directories(directory_of(path)));
  return create_file(path, policy::write_rules(policy::default_rules()));
}

}  // namespace

Result<policy::Rules> rules_of_new_sandboxes(const std::string& path) {
  auto rules = read_policy_file(path);
  if (rules || rules.error().code() != Code::kNotFound) return rules;
  const auto made = make_default_file(path);
  if (made) return policy::default_rules();
  if (made.error().code() == Code::kConflict) return read_policy_file(path);  // another process won the race
  log_warning("{}", made.error().what());
  return policy::default_rules();
}

Result<policy::Rules> read_policy_file(const std::string& path) {
  TRY_ASSIGN(const std::string text, read_file(path, policy::kLargestRulesFile));
  return policy::read_rules(text, path);
}

Result<> write_policy_file(const std::string& path, const policy::Rules& rules) {
  return write_file_atomically(path, policy::write_rules(rules));
}

}  // namespace sbx::sandboxes
