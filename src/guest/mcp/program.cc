// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/mcp/program.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "base/file.h"
#include "base/format.h"
#include "base/socket.h"
#include "base/text.h"
#include "wire/mcp.h"

namespace sbx::guest {
namespace {

constexpr std::size_t kLongestAnswer = 4096;

// One byte after the other, because what follows the line is the server's.
Result<std::string> first_line(const Fd& socket) {
  std::string line;
  while (!line.ends_with('\n') && line.size() < kLongestAnswer) {
    char c = 0;
    const ssize_t n = ::read(socket.get(), &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(Code::kUnavailable, "the host has closed the connection: it did not reach the server");
    line += c;
  }
  return line;
}

// Until there is no more. A reader that is gone is an end, too.
void pass_all(int from, int to) {
  std::array<char, 64u << 10> buffer;
  for (;;) {
    const ssize_t n = ::read(from, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    for (ssize_t sent = 0; sent < n;) {
      const ssize_t written = ::write(to, buffer.data() + sent, static_cast<std::size_t>(n - sent));
      if (written < 0 && errno != EINTR) return;
      sent += std::max<ssize_t>(written, 0);
    }
  }
}

// A thread for each direction, because both may be full: a server that answers while it is asked would wait for us, and
// we for it. What the program still reads when the server has ended is of no use: the process ends.
[[noreturn]] void speak(const Fd& server) {
  std::thread([&server] {
    pass_all(STDIN_FILENO, server.get());
    ::shutdown(server.get(), SHUT_WR);
  }).detach();
  pass_all(server.get(), STDOUT_FILENO);
  ::_exit(0);
}

Result<> speak_with(const std::string& name) {
  const std::string socket = sbx::format("{}/{}.sock", wire::kMcpSockets, name);
  if (!wire::is_mcp_name(name) || !exists(socket))
    return fail(Code::kNotFound, "no MCP server of this name was granted to this sandbox",
                "on the host: sandbox run --mcp NAME");
  TRY_ASSIGN(const Fd server, connect_unix(socket));
  TRY_ASSIGN(const std::string answer, first_line(server));
  if (answer != wire::kMcpConnected) return fail(Code::kUnavailable, std::string(trimmed(answer)));
  speak(server);
}

}  // namespace

bool is_mcp_program(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "";
  return name == "sandbox-mcp" || name.ends_with("/sandbox-mcp");
}

int run_mcp_program(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: sandbox-mcp NAME\n", stderr);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  const auto spoken = speak_with(argv[1]);
  if (spoken) return 0;
  std::fprintf(stderr, "sandbox-mcp: %s: %s\n", printable(argv[1]).c_str(), spoken.error().what().c_str());
  if (!spoken.error().hint().empty()) std::fprintf(stderr, "try: %s\n", spoken.error().hint().c_str());
  return 1;
}

}  // namespace sbx::guest
