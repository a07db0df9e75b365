// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace sbx::guest {

Result<Terminal> open_terminal(wire::WindowSize window) {
  TRY_ASSIGN(Fd master, open_path("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK));
  int locked = 0;
  if (::ioctl(master.get(), TIOCSPTLCK, &locked) != 0) return fail_errno("unlock a terminal");
  // By descriptor and not by the name under /dev/pts, which the guest's root may have mounted over.
  Fd slave(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!slave) return fail_errno("open a terminal");
  resize(master, window);
  return Terminal{std::move(master), std::move(slave)};
}

void resize(const Fd& master, wire::WindowSize window) {
  if (window.rows == 0 || window.columns == 0) return;
  winsize size{};
  size.ws_row = window.rows;
  size.ws_col = window.columns;
  ::ioctl(master.get(), TIOCSWINSZ, &size);  // fails only for what is no terminal
}

Result<> take_terminal(const Fd& slave, const Identity& identity) {
  // So that the user can open /dev/tty and its name under /dev/pts again; the group stays devpts' own.
  if (::fchown(slave.get(), identity.uid, static_cast<gid_t>(-1)) != 0)
    return fail_errno("give the terminal to the user");
  if (::ioctl(slave.get(), TIOCSCTTY, 0) != 0) return fail_errno("take the terminal");
  return Ok{};
}

}  // namespace sbx::guest
