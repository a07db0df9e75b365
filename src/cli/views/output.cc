// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/views/output.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/terminal/terminal.h"

namespace sbx::cli {
namespace {

std::string_view code_of(Style style) {
  switch (style) {
    case Style::kError:
      return "\x1b[31m";
    case Style::kGood:
      return "\x1b[32m";
    case Style::kWarning:
      return "\x1b[33m";
    case Style::kBold:
      return "\x1b[1m";
  }
  return "";
}

bool has_colour(const Fd& fd) {
  const char* unwanted = std::getenv("NO_COLOR");
  return (unwanted == nullptr || *unwanted == 0) && is_terminal(fd);
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // UTF-8 continuation bytes
  return width;
}

// Of what dump() wrote, where control characters of ASCII are escaped already and a newline is between members.
std::string without_steering(std::string_view dumped) {
  std::string out;
  out.reserve(dumped.size());
  while (!dumped.empty()) {
    const Character first = first_character(dumped).value_or(Character{0, 1});  // dump() writes nothing but UTF-8
    if (first.code >= 0x7f && steers_display(first.code))
      out += sbx::format("\\u{:04x}", static_cast<unsigned>(first.code));
    else
      out += dumped.substr(0, first.size);
    dumped.remove_prefix(first.size);
  }
  return out;
}

}  // namespace

std::string styled(const Fd& fd, Style style, std::string_view text) {
  if (!has_colour(fd)) return std::string(text);
  return std::string(code_of(style)).append(text).append("\x1b[0m");
}

void print_error(const Error& error, const Fd& err) {
  std::string text = styled(err, Style::kError, "error:") + " " + printable(error.what()) + "\n";
  if (!error.hint().empty()) text += styled(err, Style::kBold, "try:") + " " + printable(error.hint()) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_json(const Json& value) { print(json_lines(value) + "\n"); }

std::string json_line(const Json& value) { return without_steering(dump(value)); }
std::string json_lines(const Json& value) { return without_steering(dump_pretty(value)); }

Json printable_texts(const Json& value) {
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json out = value.is_object() ? Json::object() : Json::array();
  for (const auto& [key, item] : value.items())
    if (value.is_object())
      out[printable(key)] = printable_texts(item);
    else
      out.push_back(printable_texts(item));
  return out;
}

void note(std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }

void note_lines(std::string_view lines) {
  for (const std::string& line : split(lines, '\n')) note(printable(line));
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kGap = 3;
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    auto& line = cells.emplace_back();
    for (const auto& cell : row) line.push_back(printable(cell));
    if (widths.size() < line.size()) widths.resize(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string out;
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += line[i];
      if (i + 1 < line.size()) text.append(widths[i] - width_of(line[i]) + kGap, ' ');
    }
    out += text.erase(text.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace sbx::cli
