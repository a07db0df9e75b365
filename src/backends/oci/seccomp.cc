// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/seccomp.h"

#include <cerrno>
#include <utility>

#include "backends/oci/allowed_calls.h"

namespace sbx::backends::oci {
namespace {

Json rule(Json names, const char* action) { return {{"names", std::move(names)}, {"action", action}}; }

Json rule_on(const char* name, const char* action, unsigned argument, const Masked& wanted) {
  Json json = rule(Json::array({name}), action);
  json["args"] = Json::array(
      {{{"index", argument}, {"value", wanted.mask}, {"valueTwo", wanted.value}, {"op", "SCMP_CMP_MASKED_EQ"}}});
  return json;
}

// Several rules for one call are alternatives.
void add_restricted(Json& rules) {
  for (const RestrictedArgument& call : restricted_calls())
    for (const Masked& value : call.values) rules.push_back(rule_on(call.name, "SCMP_ACT_ALLOW", call.argument, value));
}

void add_refused(Json& rules) {
  for (const RefusedArgument& call : refused_calls()) {
    Json refused = rule_on(call.name, "SCMP_ACT_ERRNO", call.argument, call.value);
    refused["errnoRet"] = call.error;
    rules.push_back(std::move(refused));
  }
}

}  // namespace

Json seccomp_profile(const std::string& architecture) {
  Json names = Json::array();
  for (const char* name : allowed_calls()) names.push_back(name);
  Json rules = Json::array({rule(std::move(names), "SCMP_ACT_ALLOW")});
  add_restricted(rules);
  add_refused(rules);
  Json clone3 = rule(Json::array({"clone3"}), "SCMP_ACT_ERRNO");
  clone3["errnoRet"] = ENOSYS;  // its flags are behind a pointer; libc falls back to clone
  rules.push_back(std::move(clone3));
  return {{"defaultAction", "SCMP_ACT_ERRNO"},
          {"defaultErrnoRet", ENOSYS},
          {"architectures", Json::array({architecture})},
          {"syscalls", std::move(rules)}};
}

}  // namespace sbx::backends::oci
