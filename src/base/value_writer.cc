// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/value_writer.h"

namespace sbx {
namespace {

// Known to be new, so that nothing is searched for.
Json& added(Json& object, std::string name) {
  auto& members = *object.get_ptr<Json::object_t*>();
  members.emplace_back(std::move(name), Json());
  return members.back().second;
}

}  // namespace

ValueWriter::ValueWriter() : root_(Json::object()) { places_.push_back(&root_); }

bool ValueWriter::enter(const char* name, Presence presence, bool blank) {
  if (presence == Presence::kSparse && blank) return false;
  places_.push_back(&added(here(), name));
  return true;
}

void ValueWriter::leave() { places_.pop_back(); }

void ValueWriter::text(std::string& value) { here() = value; }
void ValueWriter::boolean(bool& value) { here() = value; }
void ValueWriter::number(double& value) { here() = value; }
void ValueWriter::integer(std::int64_t& value, std::int64_t, std::int64_t) { here() = value; }
void ValueWriter::word(std::string& value, const std::vector<std::string_view>&) { here() = value; }
void ValueWriter::json(Json& value) { here() = value; }
void ValueWriter::begin_object() { here() = Json::object(); }

// The place of an item or of a map's value is above that of its list.
std::size_t ValueWriter::begin_list(std::size_t size) {
  here() = Json::array();
  here().get_ptr<Json::array_t*>()->resize(size);
  places_.push_back(nullptr);
  return size;
}

void ValueWriter::item(std::size_t index) {
  auto& list = *places_[places_.size() - 2]->get_ptr<Json::array_t*>();
  places_.back() = &list[index];
}

void ValueWriter::end_list() { places_.pop_back(); }

std::size_t ValueWriter::begin_map(std::size_t size) {
  here() = Json::object();
  places_.push_back(nullptr);
  return size;
}

void ValueWriter::key(std::size_t, std::string& key) {
  places_.back() = &(*places_[places_.size() - 2])[key];  // a key that is there twice is written once
}

void ValueWriter::end_map() { places_.pop_back(); }

Json json_with(Json known, const Json& unknown) {
  for (const auto& [name, value] : unknown.items()) {
    const auto there = known.find(name);
    if (there == known.end())
      known[name] = value;
    else if (there->is_object() && value.is_object())
      *there = json_with(std::move(*there), value);
  }
  return known;
}

}  // namespace sbx
