// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/hidden_line.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

namespace sbx::cli {
namespace {

// Ctrl-C waits until the terminal shows again what is typed.
class NoEcho {
 public:
  explicit NoEcho(const Fd& terminal) : terminal_(terminal) {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) sigaddset(&ending, number);
    ::sigprocmask(SIG_BLOCK, &ending, &signals_);
    is_on_ = ::tcgetattr(terminal.get(), &before_) == 0;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    silent.c_lflag &= ~static_cast<tcflag_t>(ISIG);  // keys that would stop us are read
    is_on_ = is_on_ && ::tcsetattr(terminal.get(), TCSAFLUSH, &silent) == 0;
  }
  ~NoEcho() {
    if (is_on_) ::tcsetattr(terminal_.get(), TCSADRAIN, &before_);
    ::sigprocmask(SIG_SETMASK, &signals_, nullptr);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

  bool is_on() const { return is_on_; }

 private:
  const Fd& terminal_;
  termios before_{};
  sigset_t signals_{};
  bool is_on_ = false;
};

constexpr char kInterrupt = 3;  // Ctrl-C
constexpr char kQuit = 28;      // Ctrl-backslash

}  // namespace

Result<std::string> read_hidden_line(const Fd& terminal, std::string_view question) {
  // Before the question: what is typed or pasted at once is neither shown nor lost.
  const NoEcho hidden(terminal);
  if (!hidden.is_on()) return fail(Code::kUnavailable, "the terminal would show what you type");
  TRY(write_all(terminal, question));
  std::string line;
  char c = 0;
  while (::read(terminal.get(), &c, 1) == 1 && c != '\n' && c != kInterrupt && c != kQuit) line += c;
  TRY(write_all(terminal, "\n"));
  if (c == kInterrupt || c == kQuit) return fail(Code::kInvalid, "interrupted: nothing was changed");
  return line;
}

}  // namespace sbx::cli
