// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

namespace sbx {
namespace {

// As strconv.ParseBool, which docker's users know.
std::optional<bool> parse_boolean(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return std::nullopt;
}

const Flag* find_long(const Flags& flags, std::string_view name) {
  for (const Flag* flag : flags)
    if (flag->name == name) return flag;
  return nullptr;
}

const Flag* find_letter(const Flags& flags, char letter) {
  for (const Flag* flag : flags)
    if (flag->letter == letter) return flag;
  return nullptr;
}

Failure needs_argument(const std::string& as_given) {
  return fail(Code::kInvalid, "flag needs an argument: " + as_given);
}

}  // namespace

class FlagParser {
 public:
  FlagParser(std::span<const std::string> words, const Flags& flags) : words_(words), flags_(flags) {
    for (const Flag* flag : flags_) result_.fallbacks_.emplace(flag->name, flag->fallback);
  }

  Result<Arguments> run(Grammar grammar) {
    if (grammar == Grammar::kLiteral) next_ = words_.size(), result_.operands_.assign(words_.begin(), words_.end());
    while (next_ < words_.size()) {
      const std::string& word = words_[next_];
      if (word == "--") return take_rest(grammar);
      if (is_flag(word)) {
        TRY(take_flag());
        continue;
      }
      result_.operands_.push_back(word);
      ++next_;
      if (grammar == Grammar::kStopAtOperand) return take_rest(grammar);
    }
    return std::move(result_);
  }

  Result<std::size_t> leading() {
    while (next_ < words_.size() && is_flag(words_[next_])) TRY(take_flag());
    return next_;
  }

 private:
  static bool is_flag(const std::string& word) { return word.size() > 1 && word[0] == '-' && word != "--"; }

  Result<Arguments> take_rest(Grammar grammar) {
    if (next_ < words_.size() && words_[next_] == "--") ++next_;
    // `exec -- box command`: the dashes end the flags, and the operand is still to come.
    if (grammar == Grammar::kStopAtOperand && result_.operands_.empty() && next_ < words_.size())
      result_.operands_.push_back(words_[next_++]);
    auto& target = grammar == Grammar::kInterspersed ? result_.operands_ : result_.rest_;
    target.insert(target.end(), words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
    return std::move(result_);
  }

  Result<> take_flag() {
    const std::string& word = words_[next_++];
    return word.starts_with("--") ? take_long(word) : take_bundle(word);
  }

  Result<> take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string as_given = word.substr(0, equals);
    const Flag* flag = find_long(flags_, std::string_view(as_given).substr(2));
    if (flag == nullptr) return fail(Code::kInvalid, "unknown flag: " + as_given);
    if (equals != std::string::npos) return store(*flag, as_given, word.substr(equals + 1));
    if (flag->kind == FlagKind::kSwitch) return store(*flag, as_given, "true");
    if (next_ == words_.size()) return needs_argument(as_given);
    return store(*flag, as_given, words_[next_++]);
  }

  Result<> take_bundle(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Flag* flag = find_letter(flags_, word[i]);
      const std::string as_given = {'-', word[i]};
      if (flag == nullptr)
        return fail(Code::kInvalid,
                    word.size() == 2 ? "unknown flag: " + as_given : "unknown flag: " + as_given + " in " + word);
      const std::string after = word.substr(i + 1);
      if (flag->kind == FlagKind::kSwitch && !after.starts_with('=')) {
        TRY(store(*flag, as_given, "true"));
        continue;
      }
      if (!after.empty()) return store(*flag, as_given, after.substr(after.starts_with('=') ? 1 : 0));
      if (next_ == words_.size()) return needs_argument(as_given);
      return store(*flag, as_given, words_[next_++]);
    }
    return Ok{};
  }

  Result<> store(const Flag& flag, const std::string& as_given, std::string value) {
    if (flag.kind == FlagKind::kSwitch) {
      const auto on = parse_boolean(value);
      if (!on) return fail(Code::kInvalid, as_given + " takes true or false, not \"" + value + "\"");
      value = *on ? "true" : "false";
    }
    result_.in_order_.emplace_back(flag.name, value);
    auto& values = result_.values_[flag.name];
    if (flag.kind != FlagKind::kList) values.clear();
    values.push_back(std::move(value));
    return Ok{};
  }

  std::span<const std::string> words_;
  const Flags& flags_;
  std::size_t next_ = 0;
  Arguments result_;
};

bool Arguments::on(std::string_view flag) const { return text(flag) == "true"; }

std::string Arguments::text(std::string_view flag) const {
  if (const auto it = values_.find(flag); it != values_.end()) return it->second.back();
  const auto it = fallbacks_.find(flag);
  return it == fallbacks_.end() ? std::string() : std::string(it->second);
}

const std::vector<std::string>& Arguments::list(std::string_view flag) const {
  static const std::vector<std::string> none;
  const auto it = values_.find(flag);
  return it == values_.end() ? none : it->second;
}

Flags all_of(std::initializer_list<std::span<const Flag>> tables) {
  Flags flags;
  for (const auto table : tables)
    for (const Flag& flag : table) flags.push_back(&flag);
  return flags;
}

Result<Arguments> parse_flags(std::span<const std::string> words, const Flags& flags, Grammar grammar) {
  return FlagParser(words, flags).run(grammar);
}

Result<std::size_t> leading_flags(std::span<const std::string> words, const Flags& flags) {
  return FlagParser(words, flags).leading();
}

}  // namespace sbx
