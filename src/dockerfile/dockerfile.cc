// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "dockerfile/dockerfile.h"

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"

namespace sbx::dockerfile {
namespace {

constexpr std::string_view kKnown[] = {"ADD",    "ARG",   "CMD",         "COPY",  "ENTRYPOINT", "ENV",
                                       "EXPOSE", "FROM",  "HEALTHCHECK", "LABEL", "MAINTAINER", "ONBUILD",
                                       "RUN",    "SHELL", "STOPSIGNAL",  "USER",  "VOLUME",     "WORKDIR"};
constexpr std::string_view kWithHeredoc[] = {"ADD", "COPY", "RUN"};

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

Failure at(std::size_t line, std::string_view what) {
  return fail(Code::kInvalid, sbx::format("line {}: {}", line, what));
}

bool is_comment(std::string_view line) { return trimmed(line).starts_with('#'); }
bool is_blank(std::string_view line) { return trimmed(line).empty(); }

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(split(text, '\n')) {
    for (std::string& line : lines_)
      if (line.ends_with('\r')) line.pop_back();
  }

  Result<Dockerfile> parse() {
    TRY(directives());
    while (next_ < lines_.size()) {
      if (is_blank(lines_[next_]) || is_comment(lines_[next_])) {
        ++next_;
        continue;
      }
      TRY_ASSIGN(Instruction instruction, read_instruction());
      TRY(place(std::move(instruction)));
    }
    if (file_.stages.empty()) return fail(Code::kInvalid, "there is no FROM in it");
    return std::move(file_);
  }

 private:
  // "# escape=`" in the first lines.
  Result<> directives() {
    for (std::size_t i = 0; i < lines_.size() && is_comment(lines_[i]); ++i) {
      const std::string_view text = trimmed(trimmed(lines_[i]).substr(1));
      const auto equals = text.find('=');
      if (equals == std::string_view::npos) break;
      const std::string name = upper(trimmed(text.substr(0, equals)));
      const std::string_view value = trimmed(text.substr(equals + 1));
      if (name == "ESCAPE") {
        if (value != "\\" && value != "`") return at(i + 1, "escape is \\ or `");
        file_.escape = value.front();
      } else if (name != "SYNTAX" && name != "CHECK") {
        break;
      }
    }
    return Ok{};
  }

  // A line and those that it goes on in; comments and empty lines between them are left out, as docker does.
  std::string joined_line() {
    std::string text;
    for (bool more = true; more && next_ < lines_.size(); ++next_) {
      std::string_view line = lines_[next_];
      if (!text.empty() && (is_comment(line) || is_blank(line))) continue;
      const auto last = line.find_last_not_of(" \t");
      more = last != std::string_view::npos && line[last] == file_.escape;
      text += more ? line.substr(0, last) : line;
    }
    return text;
  }

  Result<Instruction> read_instruction() {
    Instruction instruction;
    instruction.line = next_ + 1;
    const std::string text(trimmed(joined_line()));
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    instruction.word = upper(std::string_view(text).substr(0, end));
    if (std::ranges::find(kKnown, instruction.word) == std::end(kKnown))
      return at(instruction.line, "unknown instruction " + printable(text.substr(0, std::min<std::size_t>(end, 40))));
    std::string_view rest = trimmed(std::string_view(text).substr(end));
    take_flags(instruction, rest);
    instruction.text = rest;
    if (rest.empty()) return at(instruction.line, instruction.word + " has no arguments");
    TRY(read_json(instruction));
    TRY(read_heredocs(instruction));
    return instruction;
  }

  static void take_flags(Instruction& instruction, std::string_view& rest) {
    while (rest.starts_with("--")) {
      const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
      const auto equals = std::min(word.find('='), word.size());
      const std::string_view value = equals < word.size() ? word.substr(equals + 1) : std::string_view();
      instruction.flags.emplace_back(word.substr(2, equals - 2), value);
      rest = trimmed(rest.substr(word.size()));
    }
  }

  // What looks like JSON and is none is a line for the shell, as docker has it.
  static Result<> read_json(Instruction& instruction) {
    if (!instruction.text.starts_with('[')) return Ok{};
    const auto json = parse_json(instruction.text);
    if (!json || !json->is_array()) return Ok{};
    for (const Json& word : *json)
      if (!word.is_string()) return Ok{};
    for (const Json& word : *json) instruction.arguments.push_back(word.get<std::string>());
    instruction.is_json = true;
    return Ok{};
  }

  Result<> read_heredocs(Instruction& instruction) {
    if (std::ranges::find(kWithHeredoc, instruction.word) == std::end(kWithHeredoc) || instruction.is_json) return Ok{};
    const std::string& text = instruction.text;
    for (auto found = text.find("<<"); found != std::string::npos; found = text.find("<<", found + 2)) {
      if (found > 0 && std::string_view(" \t").find(text[found - 1]) == std::string_view::npos) continue;
      std::size_t begin = found + 2;
      const bool without_tabs = begin < text.size() && text[begin] == '-';
      if (without_tabs) ++begin;
      const char quote = begin < text.size() && (text[begin] == '"' || text[begin] == '\'') ? text[begin++] : '\0';
      std::size_t end = begin;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
      if (end == begin || (quote != '\0' && (end == text.size() || text[end] != quote))) continue;
      TRY_ASSIGN(Heredoc heredoc, read_heredoc(text.substr(begin, end - begin), without_tabs, instruction.line));
      heredoc.expand = quote == '\0';
      instruction.heredocs.push_back(std::move(heredoc));
    }
    return Ok{};
  }

  Result<Heredoc> read_heredoc(std::string name, bool without_tabs, std::size_t line) {
    Heredoc heredoc{std::move(name), "", true};
    for (; next_ < lines_.size(); ++next_) {
      std::string_view text = lines_[next_];
      if (without_tabs) text.remove_prefix(std::min(text.find_first_not_of('\t'), text.size()));
      if (text == heredoc.name) {
        ++next_;
        return heredoc;
      }
      heredoc.content += std::string(text) + "\n";
    }
    return at(line, "<<" + heredoc.name + " is not closed");
  }

  Result<> place(Instruction instruction) {
    if (instruction.word == "FROM") return begin_stage(instruction);
    if (!file_.stages.empty()) {
      file_.stages.back().instructions.push_back(std::move(instruction));
      return Ok{};
    }
    if (instruction.word != "ARG") return at(instruction.line, instruction.word + " before the first FROM");
    file_.arguments.push_back(std::move(instruction));
    return Ok{};
  }

  Result<> begin_stage(const Instruction& from) {
    std::vector<std::string> words;
    for (const std::string& word : split(from.text, ' '))
      if (!trimmed(word).empty()) words.emplace_back(trimmed(word));
    const bool named = words.size() == 3 && upper(words[1]) == "AS";
    if (words.size() != 1 && !named) return at(from.line, "FROM takes an image, and AS with a name");
    Stage stage;
    stage.base = words[0];
    stage.platform = from.flag("platform").value_or("");
    stage.name = named ? words[2] : "";
    stage.line = from.line;
    file_.stages.push_back(std::move(stage));
    return Ok{};
  }

  std::vector<std::string> lines_;
  std::size_t next_ = 0;
  Dockerfile file_;
};

}  // namespace

std::optional<std::string> Instruction::flag(std::string_view name) const {
  for (const auto& [flag, value] : flags)
    if (flag == name) return value;
  return std::nullopt;
}

Result<Dockerfile> parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace sbx::dockerfile
