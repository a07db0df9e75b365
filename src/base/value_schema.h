// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/members.h"

namespace sbx {

// What "required" means in a schema: what a reader misses, or what a writer always writes.
enum class SchemaOf { kRead, kWritten };

// Writes the JSON schema of a value that is there to be looked at and means nothing. Rules of check() are not in it.
class ValueSchema : public Members {
 public:
  explicit ValueSchema(SchemaOf form);
  Json take() { return std::move(root_); }

  void check(bool, std::string_view) override {}

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
  void end_object() override {}
  std::size_t begin_list(std::size_t size) override;
  void item(std::size_t) override {}
  void end_list() override { leave(); }
  std::size_t begin_map(std::size_t size) override;
  void key(std::size_t, std::string&) override {}
  void end_map() override { leave(); }

 private:
  Json& here() { return *places_.back(); }

  const SchemaOf form_;
  Json root_;
  std::vector<Json*> places_;  // the schemas from the whole value inwards
};

}  // namespace sbx
