// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/toml.h"

#include <sstream>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace sbx::userconfig {
namespace {

Result<Json> json_of_toml(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) {
      TRY_ASSIGN(object[std::string(key.str())], json_of_toml(value));
    }
    return object;
  }
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const auto& value : *array) {
      TRY_ASSIGN(Json item, json_of_toml(value));
      list.push_back(std::move(item));
    }
    return list;
  }
  if (const auto* text = node.as_string()) return Json(text->get());
  if (const auto* number = node.as_integer()) return Json(number->get());
  if (const auto* number = node.as_floating_point()) return Json(number->get());
  if (const auto* flag = node.as_boolean()) return Json(flag->get());
  return fail(Code::kInvalid, "it has a date");
}

toml::table table_of(const Json& object);

toml::array array_of(const Json& list) {
  toml::array array;
  for (const Json& item : list) {
    if (item.is_object())
      array.push_back(table_of(item));
    else if (item.is_array())
      array.push_back(array_of(item));
    else if (item.is_string())
      array.push_back(item.get<std::string>());
    else if (item.is_boolean())
      array.push_back(item.get<bool>());
    else if (item.is_number_integer())
      array.push_back(item.get<std::int64_t>());
    else if (item.is_number())
      array.push_back(item.get<double>());
  }
  return array;
}

toml::table table_of(const Json& object) {
  toml::table table;
  for (const auto& [key, item] : object.items()) {
    if (item.is_object())
      table.insert(key, table_of(item));
    else if (item.is_array())
      table.insert(key, array_of(item));
    else if (item.is_string())
      table.insert(key, item.get<std::string>());
    else if (item.is_boolean())
      table.insert(key, item.get<bool>());
    else if (item.is_number_integer())
      table.insert(key, item.get<std::int64_t>());
    else if (item.is_number())
      table.insert(key, item.get<double>());
  }
  return table;
}

}  // namespace

Result<Json> parse_toml(std::string_view text) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return fail(Code::kInvalid, "it is no TOML: " + std::string(parsed.error().description()));
  return json_of_toml(parsed.table());
}

std::string toml_of(const Json& object) {
  std::ostringstream out;
  out << table_of(object);
  return out.str() + "\n";
}

}  // namespace sbx::userconfig
