// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

namespace sbx {

// An enum that is written as a word lists its words beside it, each once:
//   enum class Pull { kMissing, kAlways, kNever };
//   constexpr auto choices(Pull) {
//     return std::to_array<Choice<Pull>>({{Pull::kMissing, "missing"}, {Pull::kAlways, "always"}, ...});
//   }
// word_of(Pull::kNever) is "never" then, and from_word<Pull>("never") the other way round.
template <class E>
struct Choice {
  E value;
  std::string_view word;
};

template <class E>
concept Chosen = std::is_enum_v<E> && requires(E value) {
  choices(value);
};

template <Chosen E>
constexpr std::string_view word_of(E value) {
  for (const auto& choice : choices(value))
    if (choice.value == value) return choice.word;
  return {};
}

template <Chosen E>
constexpr std::optional<E> from_word(std::string_view word) {
  for (const auto& choice : choices(E{}))
    if (choice.word == word) return choice.value;
  return std::nullopt;
}

}  // namespace sbx
