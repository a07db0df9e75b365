// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/packer.h"

#include <fcntl.h>
#include <signal.h>

#include "base/text.h"
#include "base/value.h"
#include "idmap/idmap.h"
#include "wire/error.h"

namespace sbx::images {
namespace {

constexpr int kPipeSize = 1 << 20;
constexpr std::size_t kMostComplaints = 64u << 10;

}  // namespace

Result<Packer> Packer::start(const std::string& program, const layers::PackJob& job,
                             const std::function<int()>& before_exec) {
  TRY_ASSIGN(Pipe output, make_pipe());
  TRY_ASSIGN(Pipe complaints, make_pipe());
  (void)::fcntl(output.read.get(), F_SETPIPE_SZ, kPipeSize);  // a smaller one means more switches, nothing else
  Command command;
  command.argv = {program, "pack", text_of(job)};
  command.environment.emplace();
  command.stdout_fd = output.write.get();
  command.stderr_fd = complaints.write.get();
  command.before_exec = before_exec;
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  return Packer(std::move(child), std::move(output.read), std::move(complaints.read));
}

Result<> Packer::finish() {
  output_.reset();
  TRY_ASSIGN(const std::string said, read_all(complaints_, kMostComplaints));
  TRY_ASSIGN(const Exit exit, child_.wait());
  if (exit.code == 0 || exit.signal == SIGPIPE) return Ok{};
  if (const auto json = parse_json(trimmed(said))) return fail(wire::decode_error(*json, 500));
  return fail(Code::kInternal, "sandbox-layer ended " + (exit.signal != 0 ? "by signal " + std::to_string(exit.signal)
                                                                          : "with " + std::to_string(exit.code)));
}

}  // namespace sbx::images
