// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/filter.h"

#include <algorithm>
#include <span>

#include "base/format.h"
#include "base/text.h"

namespace sbx::cli {
namespace {

using wire::SandboxInfo;

enum class Several { kAny, kAll };

struct Key {
  std::string_view name;
  Several several;  // what is asked of several values
  bool (*matches)(const SandboxInfo& sandbox, const std::string& value);
};

// KEY, whatever its value, or KEY=VALUE.
bool has_label(const SandboxInfo& sandbox, const std::string& label) {
  return std::ranges::any_of(
      sandbox.labels, [&](const auto& has) { return has.first == label || has.first + "=" + has.second == label; });
}

constexpr Key kKeys[] = {
    {"agent", Several::kAny,
     [](const SandboxInfo& sandbox, const std::string& value) { return sandbox.agent == value; }},
    {"backend", Several::kAny,
     [](const SandboxInfo& sandbox, const std::string& value) { return sandbox.backend == value; }},
    {"label", Several::kAll, has_label},
    {"name", Several::kAny,
     [](const SandboxInfo& sandbox, const std::string& value) {
       return sandbox.name.find(value) != std::string::npos;
     }},
    {"status", Several::kAny,
     [](const SandboxInfo& sandbox, const std::string& value) { return word_of(sandbox.status) == value; }},
};

std::string known_keys() {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  return join(names, ", ");
}

Failure wrong(const std::string& text, const std::string& why) {
  return fail(Code::kInvalid, sbx::format("--filter {}: {}", printable(text), why));
}

// A status that there is not would match nothing for ever.
Result<> check(const Key& key, const std::string& text, const std::string& value) {
  if (key.name != "status" || from_word<wire::Status>(value)) return Ok{};
  std::vector<std::string_view> words;
  for (const auto& choice : choices(wire::Status{}))
    if (choice.value != wire::Status::kUnknown) words.push_back(choice.word);
  return wrong(text, "must be one of " + join(words, ", "));
}

}  // namespace

Result<Filters> Filters::parse(const std::vector<std::string>& texts) {
  Filters filters;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto* const key = std::ranges::find(kKeys, name, &Key::name);
    if (equals == std::string::npos) return wrong(text, "must be KEY=VALUE");
    if (key == std::end(kKeys))
      return wrong(text, sbx::format("no key \"{}\" (there are: {})", printable(name), known_keys()));
    TRY(check(*key, text, text.substr(equals + 1)));
    filters.wanted_.push_back({static_cast<std::size_t>(key - std::begin(kKeys)), text.substr(equals + 1)});
  }
  return filters;
}

bool Filters::pass(const SandboxInfo& sandbox) const {
  for (std::size_t row = 0; row < std::size(kKeys); ++row) {
    const auto is_of_row = [&](const Wanted& wanted) { return wanted.row == row; };
    const auto is_met = [&](const Wanted& wanted) { return kKeys[row].matches(sandbox, wanted.value); };
    const auto given = std::ranges::count_if(wanted_, is_of_row);
    const auto met = std::ranges::count_if(wanted_, [&](const auto& one) { return is_of_row(one) && is_met(one); });
    if (kKeys[row].several == Several::kAll ? met < given : (given > 0 && met == 0)) return false;
  }
  return true;
}

}  // namespace sbx::cli
