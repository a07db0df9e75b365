// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/terminal_modes.h"

#include <algorithm>

#include "base/format.h"

namespace sbx {
namespace {

struct Mode {
  int number;
  bool usual = false;
};

// Those of ESC [ ? N h that outlast what is on the screen. The other screen is first: what follows is of that one.
constexpr std::array<Mode, TerminalModes::kModes> kTable{{
    {1049},    {1047},     {47},  // the other screen
    {1},                          // cursor keys as applications want them
    {5},       {6},               // reverse video, origin
    {7, true}, {25, true},        // wrap at the margin, show the cursor
    {9},       {1000},     {1002}, {1003}, {1004}, {1005}, {1006}, {1007}, {1015}, {1016},  // mouse and focus
    {2004},                                                                                 // pasted text in brackets
    {2031},                                                                                 // tell when colours change
}};
constexpr int kMostPushes = 16;

std::string switched(int number, bool on) { return sbx::format("\x1b[?{}{}", number, on ? 'h' : 'l'); }

}  // namespace

TerminalModes::State TerminalModes::usual() {
  State state;
  for (std::size_t i = 0; i < kTable.size(); ++i) state.modes[i] = kTable[i].usual;
  return state;
}

void TerminalModes::feed(std::string_view bytes) {
  scanner_.feed(bytes);
  while (const auto piece = scanner_.next())
    if (piece->is_sequence) take(piece->bytes);
}

void TerminalModes::take(std::string_view sequence) {
  if (sequence == "\x1b=" || sequence == "\x1b>") state_.keypad = sequence[1] == '=';
  if (sequence.size() == 3 && sequence.starts_with("\x1b(")) state_.line_drawing = sequence[2] == '0';
  if (sequence == "\033c") state_ = usual();
  if (const auto parsed = ControlSequence::parse(sequence)) take(*parsed);
}

void TerminalModes::take(const ControlSequence& sequence) {
  const char final = sequence.final;
  if (sequence.prefix == '?' && sequence.intermediate == 0 && (final == 'h' || final == 'l'))
    return switch_modes(sequence, final == 'h');
  if (sequence.prefix != 0 && sequence.intermediate == 0 && final == 'u') return take_keyboard(sequence);
  if (sequence.prefix == '>' && final == 'm' && sequence.parameters[0] == 4)
    state_.modify_keys = sequence.parameters[1];
  if (sequence.prefix != 0) return;
  if (sequence.intermediate == '!' && final == 'p') return reset_softly();
  if (sequence.intermediate == ' ' && final == 'q') state_.cursor_style = std::min(sequence.parameters[0], 6);
  if (sequence.intermediate == 0 && final == 'r') {
    state_.region_top = std::max(sequence.parameters[0], 1);
    state_.region_bottom = sequence.parameters[1];
    if (state_.region_top == 1 && state_.region_bottom == 0) state_.region_top = 0;
  }
}

void TerminalModes::take_keyboard(const ControlSequence& sequence) {
  if (sequence.prefix == '>') {
    state_.keyboard_pushes = std::min(state_.keyboard_pushes + 1, kMostPushes);
    state_.keyboard_flags = sequence.parameters[0];
  } else if (sequence.prefix == '<') {
    const int pops = std::max(sequence.parameters[0], 1);
    state_.keyboard_pushes = std::max(state_.keyboard_pushes - pops, 0);
    if (state_.keyboard_pushes == 0) state_.keyboard_flags = 0;
  } else if (sequence.prefix == '=' && state_.keyboard_pushes > 0) {
    state_.keyboard_flags = sequence.parameters[0];
  }
}

void TerminalModes::switch_modes(const ControlSequence& sequence, bool on) {
  for (std::size_t i = 0; i < sequence.count; ++i)
    for (std::size_t mode = 0; mode < kTable.size(); ++mode)
      if (kTable[mode].number == sequence.parameters[i]) state_.modes[mode] = on;
}

// ESC [ ! p
void TerminalModes::reset_softly() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (const int number = kTable[i].number; number == 1 || number == 6 || number == 25)
      state_.modes[i] = kTable[i].usual;
  state_.keypad = state_.line_drawing = false;
  state_.region_top = state_.region_bottom = 0;
}

std::string TerminalModes::to_set() const {
  std::string text;
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (state_.modes[i] != kTable[i].usual) text += switched(kTable[i].number, state_.modes[i]);
  if (state_.keypad) text += "\x1b=";
  if (state_.line_drawing) text += "\x1b(0";
  if (state_.cursor_style != 0) text += sbx::format("\x1b[{} q", state_.cursor_style);
  if (state_.modify_keys != 0) text += sbx::format("\x1b[>4;{}m", state_.modify_keys);
  if (state_.keyboard_pushes != 0) text += sbx::format("\x1b[>{}u", state_.keyboard_flags);
  if (state_.region_top != 0 && state_.region_bottom != 0)
    text += sbx::format("\x1b[{};{}r", state_.region_top, state_.region_bottom);
  if (state_.region_top != 0 && state_.region_bottom == 0) text += sbx::format("\x1b[{}r", state_.region_top);
  return text;
}

// The screen last, so that the cursor is where it was when the program began.
std::string TerminalModes::to_reset() const {
  std::string text;
  if (state_.keyboard_pushes != 0) text += sbx::format("\x1b[<{}u", state_.keyboard_pushes);
  if (state_.modify_keys != 0) text += "\x1b[>4m";
  if (state_.cursor_style != 0) text += "\x1b[0 q";
  if (state_.region_top != 0) text += "\0337\033[r\0338";  // without moving the cursor
  if (state_.line_drawing) text += "\x1b(B";
  if (state_.keypad) text += "\x1b>";
  for (std::size_t i = kTable.size(); i-- > 0;)
    if (state_.modes[i] != kTable[i].usual) text += switched(kTable[i].number, kTable[i].usual);
  return text;
}

}  // namespace sbx
