// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/members.h"
#include "wire/frame.h"

namespace sbx::wire {

using Environment = std::vector<std::pair<std::string, std::string>>;

// Init's own programs. For sandbox cp: pack writes a tar of `path` to stdout, unpack reads one from stdin and makes its
// entries under the directory `path`, stat describes `path` as JSON on stdout, list what is in the directory `path` as
// a line of JSON each, read writes the file `path` to stdout, from the byte `offset` on. For sandbox save, as root and
// with the path "/": hold stops all other processes, says kHeld, and lets them go on at the end of stdin; changes does
// the same and writes what the guest has changed as a layer to stdout, in a machine whose files are not the host's. For
// logins: connect passes bytes on between stdin and stdout and the port that is the path's name ("/1455") on the
// loopback, and listens succeeds if a program listens on it.
enum class Builtin { kNone, kPack, kUnpack, kStat, kList, kRead, kHold, kChanges, kConnect, kListens };
constexpr auto choices(Builtin) {
  return std::to_array<Choice<Builtin>>({{Builtin::kNone, ""},
                                         {Builtin::kPack, "pack"},
                                         {Builtin::kUnpack, "unpack"},
                                         {Builtin::kStat, "stat"},
                                         {Builtin::kList, "list"},
                                         {Builtin::kRead, "read"},
                                         {Builtin::kHold, "hold"},
                                         {Builtin::kChanges, "changes"},
                                         {Builtin::kConnect, "connect"},
                                         {Builtin::kListens, "listens"}});
}
inline constexpr std::string_view kHeld = "held\n";

// What a client asks for, what the daemon checks, what the shim forwards and what init runs: one value all the way.
struct ExecRequest {
  std::vector<std::string> command;  // empty only with a builtin
  Builtin builtin = Builtin::kNone;
  std::string path;
  bool follow_link = false;  // pack: if `path` is a symbolic link, what it points to
  std::int64_t offset = 0;   // read: the first byte
  Environment environment;   // over the sandbox's own
  Environment preferences;  // of the user's terminal (LANG, TZ, ...): below the sandbox's own, where the guest has them
  std::string user;         // name|uid[:group|gid]; empty: agent
  std::string directory;    // empty: the workspace
  bool tty = false;
  bool interactive = false;  // stdin is connected; otherwise it is /dev/null
  bool detach = false;       // no client is attached; output goes to the sandbox's log
  bool privileged = false;   // every capability that the guest's user namespace has
  bool agent = false;        // it is the sandbox's agent: of a session, that `run` goes back to it
  WindowSize window;
};
void describe(Members& members, ExecRequest& request);

// The program runs.
struct ExecOpened {
  std::int64_t pid = 0;
};
void describe(Members& members, ExecOpened& opened);

// How an exec ended. `code` is what the CLI exits with. When init could not start the program, `error` says why and
// code is 127 (not found), 126 (found, cannot run) or 125 (anything else).
struct ExecExit {
  int code = 0;
  int signal = 0;
  std::string error;
};
void describe(Members& members, ExecExit& exit);

}  // namespace sbx::wire
