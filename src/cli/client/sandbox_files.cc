// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/client/sandbox_files.h"

#include <csignal>

#include "base/text.h"
#include "base/value.h"
#include "cli/client/remote.h"

namespace sbx::cli {
namespace {

constexpr std::size_t kLargestStat = 64u << 10;  // of a few numbers and words in JSON
constexpr std::size_t kLargestList = 16u << 20;

wire::ExecRequest builtin_request(wire::Builtin which, std::string path, bool follow = false) {
  wire::ExecRequest request;
  request.builtin = which;
  request.path = std::move(path);
  request.follow_link = follow;
  return request;
}

}  // namespace

void describe(Members& members, FileInfo& info) {
  members.sparse("name", info.name);
  members.optional("exists", info.exists);
  members.sparse("type", info.type);
  members.optional("size", info.size);
  members.optional("mode", info.mode);
  members.sparse("modified", info.modified);
  members.sparse("link", info.link);
}

Result<FileInfo> SandboxFiles::look(const std::string& path, bool follow) const {
  TRY_ASSIGN(exchange::ExecStream stream, open(builtin_request(wire::Builtin::kStat, path, follow)));
  TRY_ASSIGN(const std::string text, stream.read_all(kLargestStat));
  TRY(stream.finish());
  return value_in<FileInfo>(text, "stat", Unknown::kIgnored);
}

Result<std::vector<FileInfo>> SandboxFiles::list(const std::string& directory) const {
  TRY_ASSIGN(exchange::ExecStream stream, open(builtin_request(wire::Builtin::kList, directory)));
  TRY_ASSIGN(const std::string text, stream.read_all(kLargestList));
  TRY(stream.finish());
  std::vector<FileInfo> entries;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    TRY_ASSIGN(FileInfo entry, value_in<FileInfo>(line, "list", Unknown::kIgnored));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<SandboxFiles::Part> SandboxFiles::read(const std::string& file, std::int64_t offset, std::int64_t most) const {
  TRY_ASSIGN(const FileInfo found, look(file, true));
  if (!found.exists) return fail(Code::kNotFound, "no such file: " + printable(file));
  if (found.type != "file") return fail(Code::kInvalid, printable(file) + " is no file, but a " + found.type);
  wire::ExecRequest request = builtin_request(wire::Builtin::kRead, file);
  request.offset = offset;
  TRY_ASSIGN(exchange::ExecStream stream, open(request));
  Part part{.bytes = {}, .size = found.size};
  const auto wanted = static_cast<std::size_t>(most);
  while (part.bytes.size() < wanted) {
    TRY_ASSIGN(const std::string_view piece, stream.read());
    if (piece.empty()) break;
    part.bytes += piece.substr(0, wanted - part.bytes.size());
  }
  if (part.bytes.size() < wanted) TRY(stream.finish());  // the sandbox's own reason, if it could not be read
  if (!stream.exit()) (void)stream.signal(SIGKILL);      // the rest is not wanted
  return part;
}

Result<> SandboxFiles::receive(const std::string& directory,
                               const std::function<Result<>(const archive::Sink&)>& produce) const {
  wire::ExecRequest request = builtin_request(wire::Builtin::kUnpack, directory);
  request.interactive = true;
  TRY_ASSIGN(exchange::ExecStream stream, open(request));
  bool gave_up = false;
  const Result<> produced = produce([&](std::string_view bytes) {
    Result<> written = stream.write(bytes);
    gave_up = !written;
    return written;
  });
  if (!produced && !gave_up) return produced;
  // A sandbox that has given up reads no more (EPIPE); its own reason follows, and is the one that matters.
  const Result<> ended = produced ? stream.end_input() : produced;
  TRY(stream.finish());
  show_warnings(stream);
  return ended;
}

Result<> SandboxFiles::send(const std::string& path, bool follow,
                            const std::function<Result<>(const archive::Source&)>& consume) const {
  TRY_ASSIGN(exchange::ExecStream stream, open(builtin_request(wire::Builtin::kPack, path, follow)));
  TRY(consume([&](std::span<char> buffer) { return stream.read(buffer); }));
  TRY(stream.finish());
  show_warnings(stream);
  return Ok{};
}

Result<exchange::ExecStream> SandboxFiles::open(const wire::ExecRequest& request) const {
  TRY_ASSIGN(exchange::Upgraded upgraded, open_exec(client_, sandbox_, request));
  return exchange::ExecStream(std::move(upgraded));
}

void SandboxFiles::show_warnings(const exchange::ExecStream& stream) const {
  for (const std::string& line : split(stream.said(), '\n'))
    if (!line.empty()) warn_(line);
}

}  // namespace sbx::cli
