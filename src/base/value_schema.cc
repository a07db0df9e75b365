// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/value_schema.h"

namespace sbx {

ValueSchema::ValueSchema(SchemaOf form) : form_(form) {
  places_.push_back(&root_);
  begin_object();
}

bool ValueSchema::enter(const char* name, Presence presence, bool) {
  const bool always_written = form_ == SchemaOf::kWritten && presence == Presence::kOptional;
  if (presence == Presence::kRequired || always_written) here()["required"].push_back(name);
  places_.push_back(&here()["properties"][name]);
  return true;
}

void ValueSchema::leave() { places_.pop_back(); }

void ValueSchema::text(std::string&) { here() = {{"type", "string"}}; }
void ValueSchema::boolean(bool&) { here() = {{"type", "boolean"}}; }
void ValueSchema::number(double&) { here() = {{"type", "number"}}; }
void ValueSchema::integer(std::int64_t&, std::int64_t, std::int64_t) { here() = {{"type", "integer"}}; }
void ValueSchema::word(std::string&, const std::vector<std::string_view>& words) {
  here() = {{"type", "string"}, {"enum", words}};
}
void ValueSchema::json(Json&) { here() = {{"type", "object"}}; }
void ValueSchema::begin_object() { here() = {{"type", "object"}, {"properties", Json::object()}}; }

// Of one item, which stands for all.
std::size_t ValueSchema::begin_list(std::size_t) {
  here() = {{"type", "array"}, {"items", Json::object()}};
  places_.push_back(&here()["items"]);
  return 1;
}

std::size_t ValueSchema::begin_map(std::size_t) {
  here() = {{"type", "object"}, {"additionalProperties", Json::object()}};
  places_.push_back(&here()["additionalProperties"]);
  return 1;
}

}  // namespace sbx
