// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/json_fwd.h"

namespace sbx {

class Members;

// A struct that crosses a process border or lies on disk says once what it consists of, in its own namespace:
//   void describe(Members& members, Mount& mount) {
//     members.required("source", mount.source);
//     members.required("target", mount.target);
//     members.optional("readonly", mount.readonly);
//   }
// Its JSON form, its readers and its schema (base/value.h) come from that.
template <class T>
concept Described = requires(Members& members, T& value) {
  describe(members, value);
};

// Who visits the members of a value: the writer, the reader or the schema's maker. Members are strings, numbers,
// booleans, enums with choices (base/choice.h), described structs, vectors and optionals of these, vectors of pairs
// (written as an object) and Json as it is.
class Members {
 public:
  virtual ~Members() = default;

  // Has to be there when it is read.
  template <class T>
  void required(const char* name, T& value) {
    member(name, Presence::kRequired, value);
  }
  // Keeps its default when it is absent; always written.
  template <class T>
  void optional(const char* name, T& value) {
    member(name, Presence::kOptional, value);
  }
  // Keeps its default when it is absent; written unless it is empty, zero or false.
  template <class T>
  void sparse(const char* name, T& value) {
    member(name, Presence::kSparse, value);
  }
  // What else must hold of members that were read. After them in the description.
  virtual void check(bool holds, std::string_view otherwise) = 0;

 protected:
  enum class Presence { kRequired, kOptional, kSparse };

  virtual bool enter(const char* name, Presence presence, bool blank) = 0;  // false: this member is not visited
  virtual void leave() = 0;

  virtual void text(std::string& value) = 0;
  virtual void boolean(bool& value) = 0;
  virtual void number(double& value) = 0;
  virtual void integer(std::int64_t& value, std::int64_t least, std::int64_t most) = 0;
  virtual void word(std::string& value, const std::vector<std::string_view>& words) = 0;  // "": none of them
  virtual void json(Json& value) = 0;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual std::size_t begin_list(std::size_t size) = 0;  // the size that it has or is to have
  virtual void item(std::size_t index) = 0;
  virtual void end_list() = 0;
  virtual std::size_t begin_map(std::size_t size) = 0;
  virtual void key(std::size_t index, std::string& key) = 0;
  virtual void end_map() = 0;

  void visit(std::string& value) { text(value); }
  void visit(bool& value) { boolean(value); }
  void visit(double& value) { number(value); }
  void visit(Json& value) { json(value); }

  template <std::integral I>
  void visit(I& value) {
    auto wide = static_cast<std::int64_t>(value);
    integer(wide, std::numeric_limits<I>::min(), std::numeric_limits<I>::max());
    value = static_cast<I>(wide);
  }

  template <Chosen E>
  void visit(E& value) {
    std::vector<std::string_view> words;
    for (const auto& choice : choices(value)) words.push_back(choice.word);
    std::string chosen(word_of(value));
    word(chosen, words);
    value = from_word<E>(chosen).value_or(value);
  }

  template <Described T>
  void visit(T& value) {
    begin_object();
    describe(*this, value);
    end_object();
  }

  template <class T>
  void visit(std::vector<T>& list) {
    list.resize(begin_list(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      item(i);
      visit(list[i]);
    }
    end_list();
  }

  template <class T>
  void visit(std::vector<std::pair<std::string, T>>& map) {
    map.resize(begin_map(map.size()));
    for (std::size_t i = 0; i < map.size(); ++i) {
      key(i, map[i].first);
      visit(map[i].second);
    }
    end_map();
  }

 private:
  template <class T>
  void member(const char* name, Presence presence, T& value) {
    if (!enter(name, presence, is_blank(value))) return;
    visit(value);
    leave();
  }

  template <class T>
  void member(const char* name, Presence presence, std::optional<T>& value) {
    if (!enter(name, presence == Presence::kRequired ? presence : Presence::kSparse, !value)) return;
    if (!value) value.emplace();
    visit(*value);
    leave();
  }

  template <class T>
  static bool is_blank(const T& value) {
    if constexpr (requires { value.empty(); })
      return value.empty();
    else if constexpr (std::equality_comparable<T>)
      return value == T{};
    else
      return false;
  }
};

}  // namespace sbx
