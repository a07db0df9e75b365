// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include "cli/program.h"

namespace {

// So that no file or socket of ours ever gets a number below 3 and is taken for a standard stream.
void open_standard_streams() {
  while (true) {
    const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd > STDERR_FILENO || fd < 0) {
      if (fd >= 0) ::close(fd);
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  return sbx::cli::run_program(argc > 0 ? argv[0] : "sandbox", {argv + (argc > 0 ? 1 : 0), argv + argc});
}
