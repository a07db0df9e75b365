// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "gate/confine.h"

#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <fstream>

#include "base/capabilities.h"
#include "base/log.h"
#include "base/text.h"
#include "gate/jail.h"
#include "world.h"

namespace sbx::gate {
namespace {

using testing::World;

constexpr unsigned kNobody = 65534;

// Does something in a process that is confined as a gate is, and tells what it returned. 255: it could not be confined.
int confined(const std::string& directory, std::uint32_t id, const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto ready = enter_jail(directory, id != 0);
    if (ready) ready = give_up_privileges(id);
    if (ready) ready = filter_system_calls();
    if (!ready) log_error("{}", ready.error().what());
    ::_exit(ready ? act() : 255);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 254;
}

// 0, or the error number of a system call that should have failed.
int error_of(long result) { return result < 0 ? errno : 0; }

// The same as root, who becomes somebody without rights, and as an ordinary user, who stays who he is.
class Confined : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "changes identities, which only root may";
    secret_ = directory_ / "secret";
    ASSERT_TRUE(make_directories(directory_ / "network"));
    ASSERT_TRUE(write_file(secret_, "the user's"));
    const unsigned owner = GetParam() ? 0 : kNobody;
    for (const std::string& path : {directory_.path(), secret_}) ASSERT_EQ(::chown(path.c_str(), owner, owner), 0);
    const unsigned gate = GetParam() ? kId : kNobody;
    ASSERT_EQ(::chown((directory_ / "network").c_str(), gate, gate), 0);
  }

  int acting(const std::function<int()>& act) {
    if (GetParam()) return confined(directory_ / "network", kId, act);
    const pid_t user = ::fork();
    if (user == 0) {
      const bool changed = become(kNobody) && ::prctl(PR_SET_DUMPABLE, 1) == 0;  // as after an exec
      ::_exit(changed ? confined(directory_ / "network", 0, act) : 253);
    }
    int status = 0;
    ::waitpid(user, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 254;
  }

  static constexpr std::uint32_t kId = 3'900'000'000u;
  sbx::testing::TemporaryDirectory directory_;
  std::string secret_;
};

TEST_P(Confined, FindsNoFileOfTheUsers) {
  const std::string secret = secret_;
  EXPECT_EQ(acting([&] { return error_of(::open(secret.c_str(), O_RDONLY)); }), ENOENT);
  for (const char* path :
       {"/root", "/home", "/tmp/x", "/proc/self/status", "/dev/null", "/var", "/usr/bin/env", "/run/docker.sock"})
    EXPECT_EQ(acting([&] { return error_of(::open(path, O_RDONLY)); }), ENOENT) << path;
  EXPECT_EQ(acting([] { return error_of(::open("../../../../proc/1/root/etc/shadow", O_RDONLY)); }), ENOENT);
}

TEST_P(Confined, ReadsNoSecretOfTheSystemsAndWritesOnlyToItsDirectory) {
  EXPECT_EQ(acting([] { return error_of(::open("/etc/shadow", O_RDONLY)); }), EACCES);
  EXPECT_EQ(acting([] { return error_of(::open("/etc/hosts", O_RDONLY)); }), 0);
  for (const char* path : {"/etc/new", "/new", "/usr/lib/new"}) {
    const int error = acting([&] { return error_of(::open(path, O_WRONLY | O_CREAT, 0600)); });
    EXPECT_TRUE(error == EROFS || error == EACCES) << path << " " << error;
  }
  EXPECT_EQ(acting([] { return error_of(::open("/network/new", O_WRONLY | O_CREAT, 0600)); }), 0);
  EXPECT_TRUE(exists(directory_ / "network/new"));
}

TEST_P(Confined, MakesNoLinksAndNoSpecialFiles) {
  EXPECT_EQ(acting([] { return error_of(::symlink("/etc/shadow", "/network/network.db")); }), EPERM);
  EXPECT_EQ(acting([] { return error_of(::link("/etc/hosts", "/network/network.db")); }), EPERM);
  EXPECT_EQ(acting([] { return error_of(::mknod("/network/network.db", S_IFIFO | 0600, 0)); }), EPERM);
  EXPECT_EQ(acting([] { return error_of(::mkdir("/network/network.db", 0700)); }), EPERM);
}

TEST_P(Confined, OpensSocketsOfTheInternetOnly) {
  for (const int family : {AF_INET, AF_INET6})
    EXPECT_EQ(acting([&] { return error_of(::socket(family, SOCK_STREAM, 0)); }), 0);
  // Also where a bit that the kernel does not read makes it another number.
  for (const long family : {AF_UNIX, AF_PACKET, AF_VSOCK, AF_ALG, AF_BLUETOOTH})
    for (const long high : {0l, 1l << 32, 0x7fffffffl << 32})
      EXPECT_EQ(acting([&] { return error_of(::syscall(SYS_socket, family | high, SOCK_STREAM, 0)); }), EPERM)
          << family;
  EXPECT_EQ(acting([] { return error_of(::socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }), EPERM);
}

TEST_P(Confined, StartsNothingAndTouchesNobody) {
  struct Forbidden {
    const char* what;
    std::function<long()> act;
  };
  const Forbidden kForbidden[] = {
      {"exec", [] { return ::execl("/bin/true", "true", nullptr); }},
      {"fork", [] { return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }},
      {"clone3", [] { return ::syscall(SYS_clone3, nullptr, 0); }},
      {"kill", [] { return ::kill(::getpid(), 0); }},
      {"tgkill", [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0); }},
      {"tgkill by a longer number", [] { return ::syscall(SYS_tgkill, 1l << 32 | ::getppid(), ::getppid(), 0); }},
      {"a socket's owner, who is signalled", [] { return ::fcntl(2, F_SETOWN, ::getppid()); }},
      {"the same by a longer number", [] { return ::syscall(SYS_fcntl, 2, 1l << 32 | F_SETOWN, ::getppid()); }},
      {"the signal of an owner", [] { return ::fcntl(2, F_SETSIG, SIGKILL); }},
      {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, 0, 0); }},
      {"mount", [] { return ::mount("t", "/network", "tmpfs", 0, nullptr); }},
      {"unshare", [] { return ::unshare(CLONE_NEWUSER); }},
      {"bpf", [] { return ::syscall(SYS_bpf, 0, nullptr, 0); }},
      {"io_uring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"prctl", [] { return ::syscall(SYS_prctl, 0, 0, 0, 0, 0); }},
      {"setuid", [] { return ::syscall(SYS_setuid, 0); }},
      {"process_vm_readv", [] { return ::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0); }},
  };
  for (const Forbidden& each : kForbidden) EXPECT_EQ(acting([&] { return error_of(each.act()); }), EPERM) << each.what;
}

INSTANTIATE_TEST_SUITE_P(Gate, Confined, ::testing::Values(true, false),
                         [](const auto& test) { return test.param ? "AsRoot" : "AsAnOrdinaryUser"; });

std::string field(pid_t pid, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::string(trimmed(line.substr(name.size() + 1)));
  return {};
}

TEST(GateProcess, HasNoCapabilityAndGetsNone) {
  World world;
  world.start();
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_EQ(field(world.pid_, set), "0000000000000000") << set;
  EXPECT_EQ(field(world.pid_, "NoNewPrivs"), "1");
  EXPECT_EQ(field(world.pid_, "Seccomp"), "2");
  if (::geteuid() != 0) return;
  EXPECT_EQ(field(world.pid_, "Uid"), "3900000000\t3900000000\t3900000000\t3900000000");
  EXPECT_EQ(field(world.pid_, "Groups"), "");
}

std::map<std::string, int> descriptors_of(pid_t pid) {
  const std::string directory = "/proc/" + std::to_string(pid) + "/fd/";
  std::map<std::string, int> kinds;
  for (int number = STDERR_FILENO + 1; number < 1024; ++number) {
    std::array<char, 256> target{};
    if (::readlink((directory + std::to_string(number)).c_str(), target.data(), target.size() - 1) <= 0) continue;
    const std::string text = target.data();
    ++kinds[text.starts_with("socket:") ? "socket" : text];
  }
  return kinds;
}

// What a shim has open when it starts its gate: its own sockets, the daemon's pipe, a lock.
TEST(GateProcess, HasNoDescriptorButItsOwn) {
  if (::geteuid() != 0) GTEST_SKIP() << "looks into a process that hides from its user";
  const sbx::testing::TemporaryDirectory other;
  const Fd file = *open_path(other / "shim.lock", O_RDWR | O_CREAT);
  const Pipe pipe = *make_pipe();
  World world;
  world.publish({"127.0.0.1", 0, 80}).start();
  // The line, those of the keeper and the signer, network.sock and the port. The pipe to the maker of its log is closed
  // when that is done.
  const std::map<std::string, int> expected = {
      {"socket", 5}, {"anon_inode:[eventpoll]", 1}, {"anon_inode:[eventfd]", 2}, {world.state_.path() + "/network", 1}};
  std::map<std::string, int> found;
  EXPECT_TRUE(world.until([&] { return (found = descriptors_of(world.pid_)) == expected; })) << [&] {
    std::string text;
    for (const auto& [kind, count] : found) text += kind + " " + std::to_string(count) + "\n";
    return text;
  }();
}

}  // namespace
}  // namespace sbx::gate
