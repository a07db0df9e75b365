// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sbx {
namespace {

// How many characters have to be put in, left out or changed.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words) {
  constexpr std::size_t kFar = 3;
  std::string_view nearest;
  std::size_t best = kFar;
  for (const std::string_view one : words) {
    // A length that differs by so much is so far away already, however long the word is.
    if (one.size() + kFar <= word.size()) continue;
    if (const std::size_t d = distance(word, one); d < best && d < one.size()) {
      best = d;
      nearest = one;
    }
  }
  return nearest;
}

}  // namespace sbx
