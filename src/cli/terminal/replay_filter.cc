// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/replay_filter.h"

#include <algorithm>
#include <array>

#include "wire/session.h"

namespace sbx::cli {
namespace {

constexpr char kBell = '\x07';
constexpr char kEnquiry = '\x05';

// Of ESC [ N t: those that report.
constexpr std::array kWindowReports{11, 13, 14, 15, 16, 18, 19, 20, 21};

bool asks(const ControlSequence& sequence) {
  switch (sequence.final) {
    case 'c':
      return sequence.prefix != '?';  // with it, the shape of a console's cursor
    case 'n':
      return sequence.prefix != '>';  // with it, a way of typing is switched off
    case 'x':
      return sequence.intermediate == 0;
    case 'y':
      return sequence.intermediate == '*';
    case 'p':
      return sequence.intermediate == '$';
    case 'q':
      return sequence.prefix == '>';
    case 'u':
      return sequence.prefix == '?';
    case 'S':
      return sequence.prefix == '?';
    case 't':
      return std::ranges::find(kWindowReports, sequence.parameters[0]) != kWindowReports.end();
    default:
      return false;
  }
}

bool begins(std::string_view text, std::string_view first, std::string_view second) {
  return text.starts_with(first) || text.starts_with(second);
}

// ESC ] N ; text: the clipboard, notifications, and whatever has a question mark for a value.
bool asks_or_acts(std::string_view command) {
  if (begins(command, "52;", "9;") || begins(command, "777;", "99;") || command.starts_with(wire::kOpenLink))
    return true;
  return command.ends_with(";?") || command.find(";?;") != std::string_view::npos;
}

bool is_once_only(std::string_view sequence) {
  if (sequence == "\033Z") return true;
  if (const auto parsed = ControlSequence::parse(sequence)) return asks(*parsed);
  if (sequence.size() < 4) return false;
  const std::string_view inner = sequence.substr(2, sequence.size() - (sequence.back() == kBell ? 3 : 4));
  if (sequence[1] == ']') return asks_or_acts(inner);
  if (sequence[1] == 'P') return begins(inner, "$q", "+q");
  return sequence[1] == '_' && inner.starts_with('G') && inner.find("a=q") != std::string_view::npos;
}

}  // namespace

std::string ReplayFilter::shown(std::string_view bytes) {
  std::string text;
  scanner_.feed(bytes);
  while (const auto piece = scanner_.next()) {
    if (piece->is_sequence && !is_once_only(piece->bytes)) text += piece->bytes;
    if (piece->is_sequence) continue;
    std::ranges::copy_if(piece->bytes, std::back_inserter(text), [](char c) { return c != kBell && c != kEnquiry; });
  }
  return text;
}

}  // namespace sbx::cli
