// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/build.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fault.h"
#include "base/file.h"
#include "base/poll.h"
#include "idmap/idmap.h"

namespace sbx::images {
namespace {

// What mmdebstrap and its tar say when the unpacker has gone before the end; its locale is C.
constexpr std::string_view kNoReader = "Broken pipe";

struct Bootstrap {
  Child child;
  Fd archive;
  Fd log;
};

Result<Bootstrap> start_bootstrap(const Recipe& recipe, const BuildHost& host, const std::string& work,
                                  const Fd& lock) {
  TRY_ASSIGN(Pipe archive, make_pipe());
  TRY_ASSIGN(Pipe log, make_pipe());
  Command command = bootstrap_command(recipe, host, work);
  command.stdout_fd = archive.write.get();
  command.stderr_fd = log.write.get();
  command.passed_fds = {lock.get()};
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  return Bootstrap{std::move(child), std::move(archive.read), std::move(log.read)};
}

// One read; false at EOF.
Result<bool> listen(const Fd& fd, BuildLog& log) {
  std::array<char, 1 << 16> buffer;
  const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR ? Result<bool>(true) : fail_errno("read from mmdebstrap");
  log.append({buffer.data(), static_cast<std::size_t>(n)});
  return n > 0;
}

// What both say, until both have ended.
Result<> listen_to(Bootstrap& bootstrap, Unpacker& unpacker, BuildLog& log) {
  const auto unpacked = [&log](std::int64_t bytes) { log.unpacked(bytes); };
  bool building = true;
  bool unpacking = true;
  while (building || unpacking) {
    std::array<pollfd, 2> ready{
        {{building ? bootstrap.log.get() : -1, POLLIN, 0}, {unpacking ? unpacker.output().get() : -1, POLLIN, 0}}};
    TRY(poll_until(ready, SteadyTime::max()));
    if (ready[0].revents != 0) {
      TRY_ASSIGN(building, listen(bootstrap.log, log));
    }
    if (ready[1].revents != 0) {
      TRY_ASSIGN(unpacking, unpacker.listen(unpacked));
    }
    // mmdebstrap would wait for a reader that is gone: it gets SIGPIPE, and ends.
  }
  return Ok{};
}

// Ends it and waits until the last of its processes is gone, so that none writes into a directory being removed.
void end(Bootstrap& bootstrap, BuildLog& log) {
  (void)bootstrap.child.signal(SIGKILL);
  for (auto more = listen(bootstrap.log, log); more && *more;) more = listen(bootstrap.log, log);
}

}  // namespace

Result<layers::Unpacked> build_layer(const Recipe& recipe, const Scratch& scratch, LayerStore& store, BuildLog& log) {
  TRY(check_programs());
  const std::string work = scratch.path() + "/work";
  TRY(make_directories(work));
  TRY_ASSIGN(const BuildHost host, read_host());
  TRY(write_inputs(host, work));
  TRY_ASSIGN(Bootstrap bootstrap, start_bootstrap(recipe, host, work, scratch.lock()));
  auto unpacker = store.start_unpacking(bootstrap.archive, scratch);
  bootstrap.archive.reset();
  if (fault_here("images.building")) return fail(Code::kInternal, "fault injected at images.building");
  const auto heard = unpacker ? listen_to(bootstrap, *unpacker, log) : fail(unpacker.error());
  if (!heard) {
    end(bootstrap, log);
    return fail(heard.error());
  }
  TRY_ASSIGN(const Exit exit, bootstrap.child.wait());
  auto layer = unpacker->finish({});
  // Of the two the unpacker knows more, unless it is only that the archive broke off.
  const bool unpacker_failed_first = exit.signal == SIGPIPE || log.complaint().find(kNoReader) != std::string::npos;
  if (exit.code != 0 && !(unpacker_failed_first && !layer))
    return fail(Code::kInternal, "mmdebstrap: " + log.complaint());
  TRY(layer);
  TRY(store.adopt(scratch, *layer));
  return layer;
}

}  // namespace sbx::images
