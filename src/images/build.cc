// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/build.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fault.h"
#include "base/file.h"
#include "base/poll.h"
#include "base/socket.h"
#include "base/text.h"
#include "idmap/idmap.h"
#include "layers/digest.h"

namespace sbx::images {
namespace {

struct Bootstrap {
  Child child;
  Fd archive;
  Fd log;
};

struct Unpacker {
  Child child;
  Fd input;  // a socket, because writing to one whose reader has died need not raise SIGPIPE
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

std::string unpack_log(const std::string& work) { return work + "/unpack.log"; }

Result<Unpacker> start_unpacker(const std::string& work, const std::string& root, const Fd& lock) {
  TRY_ASSIGN(SocketPair input, make_socket_pair());
  TRY_ASSIGN(const Fd log, open_path(unpack_log(work), O_WRONLY | O_CREAT | O_EXCL));
  Command command = unpack_command(root);
  command.stdin_fd = input.theirs.get();
  command.stderr_fd = log.get();
  command.passed_fds = {lock.get()};
  TRY_ASSIGN(Child child, idmap::start_as_guest_root(command));
  return Unpacker{std::move(child), std::move(input.ours)};
}

// One read; an empty view at EOF.
Result<std::string_view> read_some(const Fd& fd, std::array<char, 1 << 16>& buffer) {
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n >= 0) return std::string_view(buffer.data(), static_cast<std::size_t>(n));
    if (errno != EINTR) return fail_errno("read from mmdebstrap");
  }
}

// Moves the archive from one to the other and the log to the listener until both ends are reached.
Result<std::string> pump(Bootstrap& from, Unpacker& to, BuildLog& log) {
  layers::Sha256 hash;
  std::int64_t bytes = 0;
  std::array<char, 1 << 16> buffer;
  while (from.archive || from.log) {
    std::array<pollfd, 2> ready{{{from.archive.get(), POLLIN, 0}, {from.log.get(), POLLIN, 0}}};
    TRY(poll_until(ready, SteadyTime::max()));
    if (ready[1].revents != 0) {
      TRY_ASSIGN(const auto text, read_some(from.log, buffer));
      log.append(text);
      if (text.empty()) from.log.reset();
    }
    if (ready[0].revents != 0) {
      TRY_ASSIGN(const auto part, read_some(from.archive, buffer));
      hash.update(part);
      TRY(send_all(to.input, part, "write to tar"));
      bytes += static_cast<std::int64_t>(part.size());
      if (!part.empty()) log.unpacked(bytes);
      if (part.empty()) from.archive.reset();
    }
  }
  to.input.reset();
  return hash.finish();
}

// Ends it and waits until the last of its processes is gone, so that none writes into a directory being removed.
void end(Bootstrap& bootstrap) {
  (void)bootstrap.child.signal(SIGKILL);
  std::array<char, 1 << 16> buffer;
  for (auto text = read_some(bootstrap.log, buffer); bootstrap.log && text && !text->empty();)
    text = read_some(bootstrap.log, buffer);
}

Result<> finish_unpacking(Unpacker& unpacker, const std::string& work) {
  TRY_ASSIGN(const Exit exit, unpacker.child.wait());
  if (exit.code == 0) return Ok{};
  const auto said = read_file(unpack_log(work));
  const auto lines = split(trimmed(said.value_or("")), '\n');
  return fail(Code::kInternal, "tar: " + printable(lines.front()));
}

}  // namespace

Result<std::string> build_tree(const Recipe& recipe, const std::string& work, const std::string& root, const Fd& lock,
                               BuildLog& log) {
  TRY(check_programs());
  TRY_ASSIGN(const BuildHost host, read_host());
  TRY(write_inputs(host, work));
  TRY_ASSIGN(Bootstrap bootstrap, start_bootstrap(recipe, host, work, lock));
  TRY_ASSIGN(Unpacker unpacker, start_unpacker(work, root, lock));
  if (fault_here("images.building")) return fail(Code::kInternal, "fault injected at images.building");
  auto digest = pump(bootstrap, unpacker, log);
  if (!digest) {
    end(bootstrap);
    // A broken pipe to tar says less than tar does.
    unpacker.input.reset();
    TRY(finish_unpacking(unpacker, work));
    return digest;
  }
  TRY_ASSIGN(const Exit exit, bootstrap.child.wait());
  if (exit.code != 0) return fail(Code::kInternal, "mmdebstrap: " + log.complaint());
  TRY(finish_unpacking(unpacker, work));
  return digest;
}

}  // namespace sbx::images
