// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace sbx::backends {

struct FoundSocket {
  Fd place;          // O_PATH, on the socket itself
  std::string path;  // below the directory that was searched
};

struct SearchBounds {
  std::size_t entries = 200'000;  // names looked at: a fraction of a second
  std::size_t sockets = 1024;
};

struct SocketSearch {
  std::vector<FoundSocket> found;
  std::size_t entries = 0;
  bool whole = true;  // false: a bound was reached, or a directory could not be read
};

// The unix sockets below a directory that a process listens on or receives from. The rest of them are only names: no
// process can be reached by them, and a program that left one behind wants to remove it when it starts again.
//
// Breadth first, because sockets are seldom deep. No link is followed, and another process, a guest's too, may change
// the tree meanwhile: nothing outside of it is ever opened. Other file systems that are mounted in it are searched,
// too.
SocketSearch find_sockets(const Fd& top, const SearchBounds& bounds = {});

// Whether a process can be reached by this socket. Nothing is sent, and a server does not notice.
bool is_alive(const Fd& socket);

}  // namespace sbx::backends
