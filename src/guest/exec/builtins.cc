// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/builtins.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "archive/changes.h"
#include "archive/pack.h"
#include "archive/unpack.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "guest/exec/connect.h"
#include "guest/exec/hold.h"

namespace sbx::guest {
namespace {

void complain(std::string_view line) {
  std::string text(line);
  text += '\n';
  (void)!::write(STDERR_FILENO, text.data(), text.size());  // nowhere left to complain to
}

struct Split {
  std::string parent;
  std::string leaf;
};

// "/a/b/" is b in /a. The root, and whatever ends in "." or "..", is "." in itself.
Split split_path(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const auto slash = path.find_last_of('/');
  const std::string leaf = slash == std::string::npos ? path : path.substr(slash + 1);
  if (leaf.empty() || leaf == "." || leaf == "..") return {path, "."};
  if (slash == std::string::npos) return {".", leaf};
  return {slash == 0 ? "/" : path.substr(0, slash), leaf};
}

Result<> pack(const wire::ExecRequest& request) {
  const Fd out(STDOUT_FILENO);
  const Split where = split_path(request.path);
  TRY_ASSIGN(const Fd parent, open_path(where.parent, O_PATH | O_DIRECTORY));
  return archive::pack(parent, where.leaf, archive::sink_of(out),
                       {.as = {}, .follow_link = request.follow_link, .warn = complain});
}

Result<> unpack(const wire::ExecRequest& request) {
  const Fd in(STDIN_FILENO);
  TRY_ASSIGN(const Fd directory, open_path(request.path, O_PATH | O_DIRECTORY));
  return archive::unpack(archive::source_of(in), directory, {.rename = {}, .warn = complain});
}

Result<> read_to_end(const Fd& in) {
  std::array<char, 256> ignored;
  for (;;) {
    const ssize_t n = ::read(in.get(), ignored.data(), ignored.size());
    if (n == 0) return Ok{};
    if (n < 0 && errno != EINTR) return fail_errno("wait for the end of input");
  }
}

const char* type_name(mode_t mode) {
  if (S_ISREG(mode)) return "file";
  if (S_ISDIR(mode)) return "directory";
  return S_ISLNK(mode) ? "link" : "other";
}

std::string link_target(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t n = ::readlink(path.c_str(), target.data(), target.size());
  target.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return target;
}

Json description_of(const struct stat& info) {
  return {{"exists", true},
          {"type", type_name(info.st_mode)},
          {"size", info.st_size},
          {"mode", info.st_mode & 07777},
          {"modified", info.st_mtim.tv_sec}};
}

Result<> describe(const wire::ExecRequest& request) {
  const Fd out(STDOUT_FILENO);
  struct stat info {};
  const char* path = request.path.c_str();
  if ((request.follow_link ? ::stat(path, &info) : ::lstat(path, &info)) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return fail_errno("stat " + request.path);
    return write_all(out, dump({{"exists", false}}) + "\n");
  }
  Json json = description_of(info);
  if (S_ISLNK(info.st_mode)) json["link"] = link_target(request.path);
  return write_all(out, dump(json) + "\n");
}

Result<> list(const wire::ExecRequest& request) {
  const Fd out(STDOUT_FILENO);
  TRY_ASSIGN(const Fd directory, open_path(request.path, O_RDONLY | O_DIRECTORY));
  std::vector<std::string> names = names_in(request.path);
  std::ranges::sort(names);
  std::string lines;
  for (const std::string& name : names) {
    struct stat info {};
    if (::fstatat(directory.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;  // it has gone
    Json json = description_of(info);
    json["name"] = name;
    if (S_ISLNK(info.st_mode)) json["link"] = link_target(request.path + "/" + name);
    lines += dump(json) + "\n";
  }
  return write_all(out, lines);
}

// Never a pipe or a device, which could hold us up for ever. A client that has enough kills us.
Result<> read_on(const wire::ExecRequest& request) {
  const Fd out(STDOUT_FILENO);
  TRY_ASSIGN(const Fd file, open_path(request.path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("stat " + request.path);
  if (!S_ISREG(info.st_mode)) return fail(Code::kInvalid, request.path + " is no file");
  std::array<char, 65536> buffer;
  for (off_t position = request.offset;;) {
    const ssize_t n = ::pread(file.get(), buffer.data(), buffer.size(), position);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("read " + request.path);
    if (n == 0) return Ok{};
    TRY(write_all(out, {buffer.data(), static_cast<std::size_t>(n)}));
    position += n;
  }
}

// Until the end of input, which also comes when the client has gone.
Result<> hold() {
  const Fd in(STDIN_FILENO);
  const Fd out(STDOUT_FILENO);
  TRY_ASSIGN(const Hold hold, Hold::all());
  TRY(write_all(out, wire::kHeld));
  return read_to_end(in);
}

// A client that has gone has no use for the rest: what it would have written is thrown away by init.
Result<> check_client(const Fd& in) {
  pollfd input{in.get(), POLLIN, 0};
  char byte = 0;
  if (::poll(&input, 1, 0) > 0 && ::read(in.get(), &byte, 1) == 0)
    return fail(Code::kUnavailable, "the client has gone");
  return Ok{};
}

Result<> changes(const OwnChanges& own) {
  if (own.directory == nullptr)
    return fail(Code::kUnsupported, "the changes of this sandbox are among the host's files");
  const Fd in(STDIN_FILENO);
  const Fd out(STDOUT_FILENO);
  const archive::Sink to_client = [&](std::string_view bytes) -> Result<> {
    TRY(check_client(in));
    return write_all(out, bytes);
  };
  TRY_ASSIGN(const Hold hold, Hold::all());
  TRY(archive::pack_changes(*own.directory, to_client, {.left_out = archive::LeftOut::of_sandbox(own.mount_points)}));
  return Ok{};
}

Result<std::uint16_t> port_of(const wire::ExecRequest& request) {
  const auto port = parse_integer(std::string_view(request.path).substr(1));
  if (!port || *port < 1 || *port > 65535) return fail(Code::kInvalid, "that is no port");
  return static_cast<std::uint16_t>(*port);
}

Result<> connect(const wire::ExecRequest& request) {
  const Fd in(STDIN_FILENO);
  const Fd out(STDOUT_FILENO);
  TRY_ASSIGN(const std::uint16_t port, port_of(request));
  TRY_ASSIGN(const Fd socket, connect_inside(port));
  return relay(in, out, socket);
}

Result<> listens(const wire::ExecRequest& request) {
  TRY_ASSIGN(const std::uint16_t port, port_of(request));
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"})
    if (const auto text = read_file(table); text && has_listener(*text, port)) return Ok{};
  return fail(Code::kNotFound, "nothing listens on port " + std::to_string(port));
}

Result<> result_of(const wire::ExecRequest& request, const OwnChanges& own) {
  switch (request.builtin) {
    case wire::Builtin::kPack:
      return pack(request);
    case wire::Builtin::kUnpack:
      return unpack(request);
    case wire::Builtin::kStat:
      return describe(request);
    case wire::Builtin::kList:
      return list(request);
    case wire::Builtin::kRead:
      return read_on(request);
    case wire::Builtin::kHold:
      return hold();
    case wire::Builtin::kChanges:
      return changes(own);
    case wire::Builtin::kConnect:
      return connect(request);
    case wire::Builtin::kListens:
      return listens(request);
    case wire::Builtin::kNone:
      break;
  }
  return fail(Code::kInvalid, "no builtin is asked for");
}

}  // namespace

int run_builtin(const wire::ExecRequest& request, const OwnChanges& own) {
  const auto done = result_of(request, own);
  if (!done) complain(done.error().what());
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace sbx::guest
