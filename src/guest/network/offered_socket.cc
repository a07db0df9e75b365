// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/offered_socket.h"

#include <unistd.h>

#include "base/file.h"
#include "base/socket.h"
#include "guest/boot/accounts.h"

namespace sbx::guest {

Result<> OfferedSocket::start() {
  TRY(make_directories(path_.substr(0, path_.rfind('/')), 0755));
  TRY_ASSIGN(Fd listener, listen_unix(path_, 0600));
  TRY(set_nonblocking(listener));
  if (::chown(path_.c_str(), kAgentUid, kAgentUid) != 0) return fail_errno("give the socket to the agent");
  acceptor_.serve(std::move(listener));
  return Ok{};
}

}  // namespace sbx::guest
