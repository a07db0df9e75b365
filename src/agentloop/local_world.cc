// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "agentloop/local_world.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/child.h"
#include "base/fd.h"

namespace sbx::agentloop {
namespace {

constexpr std::chrono::minutes kLongestAsk(10);

// As a file in memory: a pipe would have to be written while the program runs.
Result<Fd> input_of(std::string_view bytes) {
  Fd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file) return fail_errno("make room for the input");
  TRY(write_all(file, bytes));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("rewind the input");
  return file;
}

}  // namespace

Result<World::Answer> LocalWorld::ask(const std::vector<std::string>& command, const std::string& directory,
                                      std::string_view input) {
  TRY_ASSIGN(const Fd in, input_of(input));
  Command asked;
  asked.argv = command;
  asked.directory = directory;
  asked.stdin_fd = in.get();
  TRY_ASSIGN(RunOutput output, sbx::run(std::move(asked), kLongestAsk));
  return Answer{output.exit.code, std::move(output.out), std::move(output.err)};
}

}  // namespace sbx::agentloop
