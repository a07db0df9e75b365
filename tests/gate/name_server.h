// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#include <map>
#include <string>

#include "base/child.h"
#include "base/file.h"
#include "world.h"

namespace sbx::gate::testing {

// Names and their IPv4 addresses; the empty address is never answered. Other names do not exist.
using Zone = std::map<std::string, std::string>;

inline std::string answer_to(const std::string& query, const Zone& zone) {
  std::string name;
  std::size_t at = 12;
  while (at < query.size() && query[at] != 0) {
    const auto size = static_cast<std::size_t>(query[at]);
    name += (name.empty() ? "" : ".") + query.substr(at + 1, size);
    at += size + 1;
  }
  const std::string question = query.substr(12, at + 5 - 12);
  const bool wants_v4 = query.at(at + 2) == 1;
  const auto found = zone.find(name);
  if (found != zone.end() && found->second.empty()) return {};
  const bool answered = found != zone.end() && wants_v4;
  std::string reply = query.substr(0, 2);
  reply += std::string("\x81", 1) + static_cast<char>(found == zone.end() ? 0x83 : 0x80);
  reply += std::string("\0\1\0", 3) + static_cast<char>(answered ? 1 : 0) + std::string(4, '\0') + question;
  if (!answered) return reply;
  in_addr address{};
  ::inet_pton(AF_INET, found->second.c_str(), &address);
  return reply + std::string("\xc0\x0c\0\1\0\1\0\0\0\0\0\4", 12) + std::string(reinterpret_cast<char*>(&address), 4);
}

// A process that answers on 127.0.0.1:53 for as long as its parent lives.
inline pid_t start_name_server(const Zone& zone) {
  const Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(bind_to(socket, {address("127.0.0.1"), 53}), 0);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    std::string query(512, '\0');
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t n =
        ::recvfrom(socket.get(), query.data(), query.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
    if (n < 17) continue;
    query.resize(static_cast<std::size_t>(n));
    const std::string reply = answer_to(query, zone);
    if (!reply.empty()) ::sendto(socket.get(), reply.data(), reply.size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }
}

inline bool command(std::vector<std::string> argv) {
  const auto output = run({.argv = std::move(argv)});
  EXPECT_TRUE(output && output->exit.code == 0);
  return output && output->exit.code == 0;
}

// A host of its own: a network of only a loopback with these addresses, and a resolver that asks our name server.
inline void become_a_host(const std::string& directory, const std::vector<std::string>& addresses) {
  ASSERT_EQ(::unshare(CLONE_NEWNET | CLONE_NEWNS), 0);
  ASSERT_EQ(::mount("", "/", nullptr, MS_PRIVATE | MS_REC, nullptr), 0);
  const std::map<std::string, std::string> files = {
      {"resolv.conf", "nameserver 127.0.0.1\nsearch corp.example\noptions ndots:1\n"},
      {"hosts", "127.0.0.1 localhost\n10.1.2.3 nas\n"},
      {"nsswitch.conf", "hosts: files dns\n"}};
  for (const auto& [name, content] : files) {
    ASSERT_TRUE(write_file(directory + "/" + name, content, 0644));
    ASSERT_EQ(::mount((directory + "/" + name).c_str(), ("/etc/" + name).c_str(), nullptr, MS_BIND, nullptr), 0)
        << name;
  }
  ASSERT_TRUE(command({"ip", "link", "set", "lo", "up"}));
  for (const auto& each : addresses) ASSERT_TRUE(command({"ip", "address", "add", each + "/32", "dev", "lo"}));
}

// Runs the claims of a test in a process that is such a host.
inline void on_a_host(const Zone& zone, const std::vector<std::string>& addresses,
                      const std::function<void()>& claims) {
  if (::geteuid() != 0) GTEST_SKIP() << "makes a network of its own, which only root may";
  const sbx::testing::TemporaryDirectory directory;
  const pid_t child = ::fork();
  if (child == 0) {
    become_a_host(directory.path(), addresses);
    const pid_t server = start_name_server(zone);
    if (!::testing::Test::HasFailure()) claims();
    ::kill(server, SIGKILL);
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace sbx::gate::testing
