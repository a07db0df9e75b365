// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "base/members.h"
#include "base/result.h"
#include "base/value_reader.h"
#include "base/value_schema.h"
#include "base/value_writer.h"

// Values with a description (base/members.h) as JSON and back.
namespace sbx {

template <Described T>
Json json_of(const T& value) {
  ValueWriter writer;
  describe(writer, const_cast<T&>(value));  // a writer changes nothing
  return writer.take();
}

template <Described T>
std::string text_of(const T& value) {
  return dump(json_of(value));
}

// `what` begins the error: "create: \"agent\" is missing".
template <Described T>
Result<T> value_of(const Json& json, std::string_view what, Unknown unknown = Unknown::kRefused) {
  T value;
  ValueReader reader(json, what, unknown);
  describe(reader, value);
  TRY(reader.finish());
  return value;
}

// The same from text.
template <Described T>
Result<T> value_in(std::string_view text, std::string_view what, Unknown unknown = Unknown::kRefused) {
  TRY_ASSIGN(const Json json, parse_json(text));
  return value_of<T>(json, what, unknown);
}

// A value and the members that this program does not know, of it and of the objects in it (but not of those in lists).
template <class T>
struct Kept {
  T value;
  Json unknown;
};

// For what a newer program may have written and this one writes again: json_with(json_of(value), unknown).
template <Described T>
Result<Kept<T>> value_and_unknown_of(const Json& json, std::string_view what) {
  Kept<T> kept;
  ValueReader reader(json, what, Unknown::kKept);
  describe(reader, kept.value);
  TRY(reader.finish());
  kept.unknown = reader.take_unknown();
  return kept;
}

// What a JSON schema says of these values.
template <Described T>
Json schema_of(SchemaOf form = SchemaOf::kRead) {
  T value;
  ValueSchema schema(form);
  describe(schema, value);
  return schema.take();
}

}  // namespace sbx
