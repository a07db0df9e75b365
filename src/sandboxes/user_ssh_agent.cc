// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/user_ssh_agent.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/socket.h"

namespace sbx::sandboxes {
namespace {

Failure unusable(const std::string& path, const std::string& why) {
  return fail(Code::kInvalid, "ssh-agent " + path + ": " + why, "ssh-add -l; then run it again with --ssh-agent");
}

}  // namespace

Result<Fd> connect_to_ssh_agent(const std::string& path) {
  const auto socket = open_without_links(path, O_PATH | O_NOFOLLOW);
  if (!socket) return unusable(path, socket.error().what());
  struct stat info {};
  if (::fstat(socket->get(), &info) != 0 || !S_ISSOCK(info.st_mode)) return unusable(path, "that is no socket");
  if (info.st_uid != ::getuid()) return unusable(path, "it belongs to another user");
  // By the descriptor, so that what was checked is what is connected to.
  auto connection = connect_unix("/proc/self/fd/" + std::to_string(socket->get()));
  if (!connection) return unusable(path, "no agent listens there any more");
  const auto peer = peer_of(*connection);
  if (!peer || peer->uid != ::getuid()) return unusable(path, "another user listens there");
  return std::move(*connection);
}

Result<> check_ssh_agent(const std::string& path, const SharedDirectories& shared) {
  TRY(connect_to_ssh_agent(path));
  TRY_ASSIGN(const Fd directory, open_without_links(path.substr(0, path.rfind('/') + 1), O_PATH | O_DIRECTORY));
  TRY_ASSIGN(const std::string sandbox, shared.sandbox_around(directory));
  if (!sandbox.empty()) return unusable(path, "sandbox " + sandbox + " can write to its directory");
  return Ok{};
}

}  // namespace sbx::sandboxes
