// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The daemon as a program: locks, sockets, signals.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/fault_points.h"
#include "base/file.h"
#include "base/home.h"
#include "base/json.h"
#include "base/poll.h"
#include "base/socket.h"
#include "base/text.h"
#include "support/api_client.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::daemon {
namespace {

using sbx::testing::ApiClient;

class Program : public ::testing::Test {
 protected:
  Command command(std::vector<std::string> arguments) {
    Command started;
    started.argv = {sbx::testing::built_program("sandboxd")};
    started.argv.insert(started.argv.end(), arguments.begin(), arguments.end());
    return started;
  }

  Child start(const Home& where) {
    Command started = command({"--home", where.root()});
    auto child = Child::start(started);
    EXPECT_TRUE(child);
    return std::move(*child);
  }

  // Returns when the daemon serves (or has ended without).
  Child start_and_wait(const Home& where) {
    auto pipe = make_pipe();
    Command started = command({"--home", where.root(), "--ready-fd", "3"});
    started.passed_fds = {pipe->write.get()};
    auto child = Child::start(started);
    EXPECT_TRUE(child);
    pipe->write.reset();
    EXPECT_EQ(read_all(pipe->read, 16).value_or(""), "\n");
    return std::move(*child);
  }

  std::int64_t pid_that_serves(const Home& where) {
    const auto version = parse_json(ApiClient(where.socket()).call("GET", "/version").body);
    return version ? (*version)["pid"].get<std::int64_t>() : 0;
  }

  sbx::testing::TemporaryDirectory directory;
  const Home home{directory / "home"};
};

TEST_F(Program, ServesAPrivateHomeAndSocket) {
  const Child daemon = start_and_wait(home);
  EXPECT_EQ(pid_that_serves(home), daemon.pid());
  struct stat info {};
  ASSERT_EQ(::stat(home.root().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0700u);
  ASSERT_EQ(::stat(home.socket().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
}

// A datagram socket in the directory, as systemd's is.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path)
      : path_(path), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  std::string variable() const { return "NOTIFY_SOCKET=" + path_; }
  std::string next() const {
    char text[64];
    const ssize_t length = ::recv(socket_.get(), text, sizeof text, 0);
    return length < 0 ? "" : std::string(text, static_cast<std::size_t>(length));
  }
  bool is_silent() const { return !*wait_readable(socket_, steady_now()); }

 private:
  std::string path_;
  Fd socket_;
};

TEST_F(Program, TellsSystemdWhenItServes) {
  const NotifySocket systemd(directory / "notify");
  Command started = command({"--home", home.root()});
  started.environment = {{systemd.variable(), "PATH=/usr/bin:/bin"}};
  const auto daemon = Child::start(started);
  ASSERT_TRUE(daemon);
  EXPECT_EQ(systemd.next(), "READY=1");
  EXPECT_EQ(pid_that_serves(home), daemon->pid());
  // One that finds another at work does not say that it serves.
  auto second = Child::start(started);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->wait()->code, 0);
  EXPECT_TRUE(systemd.is_silent());
}

TEST_F(Program, TwoAtOnceAreOneDaemon) {
  for (int round = 0; round < 3; ++round) {
    auto one = start_and_wait(home);
    auto two = start_and_wait(home);
    EXPECT_EQ(pid_that_serves(home), one.pid());
    EXPECT_EQ(two.wait()->code, 0);
    ASSERT_TRUE(one.signal(SIGTERM));
    EXPECT_EQ(one.wait()->code, 0);
  }
}

TEST_F(Program, OfManyStartedTogetherOneStays) {
  std::vector<Child> all;
  for (int i = 0; i < 5; ++i) all.push_back(start(home));
  const Child last = start_and_wait(home);  // by now one serves
  const std::int64_t winner = pid_that_serves(home);
  for (auto& child : all) {
    if (child.pid() == winner) continue;
    EXPECT_EQ(child.wait()->code, 0);
  }
}

TEST_F(Program, EndsInOrderAndTakesItsSocketAlong) {
  for (const int number : {SIGTERM, SIGINT}) {
    auto daemon = start_and_wait(home);
    ASSERT_TRUE(daemon.signal(number));
    EXPECT_EQ(daemon.wait()->code, 0);
    EXPECT_FALSE(exists(home.socket()));
  }
}

TEST_F(Program, EndsWhenAskedByTheApi) {
  auto daemon = start_and_wait(home);
  EXPECT_EQ(ApiClient(home.socket()).call("POST", "/shutdown").status, 204);
  EXPECT_EQ(daemon.wait()->code, 0);
}

TEST_F(Program, ReplacesTheSocketOfAKilledOne) {
  {
    const auto killed = start_and_wait(home);  // by the destructor
  }
  ASSERT_TRUE(exists(home.socket()));
  const auto daemon = start_and_wait(home);
  EXPECT_EQ(pid_that_serves(home), daemon.pid());
}

TEST_F(Program, TheHomeMayHaveALongPath) {
  const Home deep{directory / (std::string(100, 'd') + "/" + std::string(60, 'e'))};
  const auto daemon = start_and_wait(deep);
  EXPECT_EQ(pid_that_serves(deep), daemon.pid());
}

TEST_F(Program, ALogThatHasGrownIsPutAside) {
  ASSERT_TRUE(make_directories(home.root()));
  ASSERT_TRUE(replace_file(home.log(), std::string((10u << 20) + 1, 'x')));
  const auto daemon = start_and_wait(home);
  EXPECT_TRUE(exists(home.log() + ".1"));
  EXPECT_LT(read_file(home.log())->size(), 1024u);
}

TEST_F(Program, PrintsItsFaultPoints) {
  const auto output = run(command({"--fault-points"}));
  ASSERT_TRUE(output);
  const auto lines = split(trimmed(output->out), '\n');
  EXPECT_EQ(lines.size(), fault_points().size());
  EXPECT_EQ(lines.front(), "create.reserved sandboxd");
}

TEST_F(Program, ABadOptionIsAUsageError) {
  const auto output = run(command({"--bad"}));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->exit.code, 2);
  EXPECT_NE(output->err.find("--bad"), std::string::npos);
}

}  // namespace
}  // namespace sbx::daemon
