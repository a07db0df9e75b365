// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"

namespace sbx {

// Strict RFC 8259, nothing after the value, at most 64 levels deep, at most 4096 members in one object, no duplicate
// keys. Takes time in proportion to the text (and to the logarithm of an object's members). Never throws.
Result<Json> parse_json(std::string_view text);

// Compact form; bytes that are not UTF-8 are replaced, so it never throws.
std::string dump(const Json& value);
std::string dump_pretty(const Json& value);

// Reads the members of one JSON object into typed values and names what is wrong: a missing or mistyped member,
// and, at finish(), every member that the caller did not ask for. Errors stick: the first one is reported by finish().
//   Fields f(json, "exec request");
//   request.tty = f.boolean("tty", false);
//   TRY(f.finish());
class Fields {
 public:
  // `json` must outlive the Fields.
  Fields(const Json& json, std::string_view what);

  std::string text(const char* name);                              // required
  std::string text(const char* name, std::string_view otherwise);  // optional
  bool boolean(const char* name, bool otherwise);
  std::int64_t integer(const char* name, std::int64_t otherwise);  // refuses fractions and overflow
  double number(const char* name, double otherwise);
  std::vector<std::string> texts(const char* name);                          // optional array of strings
  std::vector<std::pair<std::string, std::string>> pairs(const char* name);  // optional {"k":"v"}
  const Json* value(const char* name);                                       // optional, any type; null if absent
  std::vector<const Json*> list(const char* name);                           // optional array

  bool has(const char* name) const;
  void reject(std::string why);  // the caller found something wrong
  Result<> finish(bool allow_unknown = false);

 private:
  const Json* find(const char* name);
  void mistyped(const char* name, std::string_view wanted);

  const Json& json_;
  std::string what_;
  std::vector<bool> asked_;  // for each member in turn
  std::optional<Error> error_;
};

}  // namespace sbx
