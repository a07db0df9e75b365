// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/members.h"
#include "base/result.h"

namespace sbx {

// What becomes of members that the description does not name.
enum class Unknown {
  kRefused,  // from users and guests: a misspelt option or a lie
  kIgnored,  // between our own programs, of which one may be newer. So are words that an enum does not have
  kKept,     // in files that are written back: see value_and_unknown_of
};

// Fills a value from JSON. finish() tells the first thing that was wrong; the value means nothing then.
class ValueReader : public Members {
 public:
  // `json` must outlive the reader.
  ValueReader(const Json& json, std::string_view what, Unknown unknown);

  Result<> finish();
  Json take_unknown() { return std::move(unknown_members_); }  // once, after finish()

  void check(bool holds, std::string_view otherwise) override;

 protected:
  bool enter(const char* name, Presence presence, bool blank) override;
  void leave() override;
  void text(std::string& value) override;
  void boolean(bool& value) override;
  void number(double& value) override;
  void integer(std::int64_t& value, std::int64_t least, std::int64_t most) override;
  void word(std::string& value, const std::vector<std::string_view>& words) override;
  void json(Json& value) override;
  void begin_object() override;
  void end_object() override;
  std::size_t begin_list(std::size_t size) override;
  void item(std::size_t index) override;
  void end_list() override;
  std::size_t begin_map(std::size_t size) override;
  void key(std::size_t index, std::string& key) override;
  void end_map() override;

 private:
  // A value that is being read: a member, or an item of the list or map that the member is.
  struct Place {
    const Json* value;
    std::string name;  // of the member
    bool is_item;
  };
  // An object whose members are being read.
  struct Level {
    const Json::object_t* members;  // null: it is no object, and no member is found
    std::vector<bool> asked;        // for each member in turn
    std::size_t next;               // where the next one is expected: most come in the order of the description
    Json unknown;
  };

  const Json& here() const { return *places_.back().value; }
  const Json* find(std::string_view name);
  void close();
  void reject(std::string_view why);
  void mistyped(std::string_view wanted);

  Unknown unknown_;
  Json unknown_members_;
  std::vector<Place> places_;  // from the whole value inwards
  std::vector<Level> levels_;
  std::optional<Error> error_;
};

}  // namespace sbx
