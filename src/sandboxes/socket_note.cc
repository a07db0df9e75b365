// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/socket_note.h"

#include "base/text.h"

namespace sbx::sandboxes {
namespace {

constexpr std::size_t kMostSaid = 5;

std::string names(const backends::CoveredSockets& sockets) {
  std::vector<std::string> said;
  for (const std::string& path : sockets.paths)
    if (said.size() < kMostSaid) said.push_back(printable(path));
  if (sockets.count > said.size()) said.emplace_back("...");
  return join(said, ", ");
}

}  // namespace

std::string socket_note(const backends::CoveredSockets& sockets) {
  if (!sockets.all_searched)
    return "What it shares is too large to be searched for sockets of the host's, which a container can reach.";
  if (sockets.count == 0) return {};
  const std::string many = sockets.count == 1 ? "A unix socket" : std::to_string(sockets.count) + " unix sockets";
  return many +
         " of the host's in what it shares will be covered, so that the sandbox cannot reach them: " + names(sockets) +
         ".";
}

}  // namespace sbx::sandboxes
