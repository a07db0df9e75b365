// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/file.h"
#include "guest/fake_host.h"
#include "support/paths.h"
#include "support/temporary_directory.h"

namespace sbx::testing {

inline const std::string kInit = built_program("sandbox-init");

// The program itself, as PID 1 of namespaces that bubblewrap makes, with the host's end of its channel.
class Init : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "a guest that changes users takes root";
    if (!exists("/usr/bin/bwrap")) GTEST_SKIP() << "bwrap is not installed";
    ::signal(SIGPIPE, SIG_IGN);
    ASSERT_EQ(::chmod(root_.path().c_str(), 0755), 0);
    ASSERT_TRUE(make_directories(root_ / "etc", 0755));
    ASSERT_TRUE(write_file_atomically(root_ / "etc/passwd", "root:x:0:0::/root:/bin/sh\n", 0644));
    loop_ = std::move(*loop::Loop::create());
    auto pair = std::move(*make_socket_pair());
    host_ = std::make_unique<FakeHost>(*loop_, std::move(pair.ours));
    init_ = std::make_unique<Child>(std::move(*Child::start(machine(pair.theirs))));
  }

  // What a user mounts: words for bwrap.
  virtual std::vector<std::string> more_mounts() const { return {}; }

  Command machine(const Fd& channel) const {
    Command command;
    const std::vector<std::string> before{"env",
                                          "--ignore-signal=HUP,USR1",  // what a runtime may have left behind
                                          "prlimit",
                                          "--nofile=1024:",  // what a system usually has
                                          "bwrap",
                                          "--unshare-pid",
                                          "--as-pid-1",
                                          "--die-with-parent",
                                          "--unshare-uts",
                                          "--unshare-net",
                                          "--cap-add",
                                          "ALL",
                                          "--bind",
                                          root_.path(),
                                          "/",
                                          "--ro-bind",
                                          "/usr",
                                          "/usr",
                                          "--symlink",
                                          "usr/bin",
                                          "/bin",
                                          "--symlink",
                                          "usr/lib",
                                          "/lib",
                                          "--symlink",
                                          "usr/lib64",
                                          "/lib64",
                                          "--proc",
                                          "/proc",
                                          "--dev",
                                          "/dev"};
    const std::vector<std::string> after{"--ro-bind", kInit, "/init", "/init", "--channel-fd", "3"};
    for (const auto& words : {before, more_mounts(), after})
      command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.stderr_fd = STDERR_FILENO;
    command.passed_fds = {channel.get()};
    return command;
  }

  static wire::GuestConfig config() {
    wire::GuestConfig config;
    config.id = "id";
    config.name = "box";
    config.hostname = "box-7";
    return config;
  }
  void configure(const wire::GuestConfig& config = Init::config()) {
    host_->configure(config);
    host_->until([&] { return host_->ready || !host_->failed.empty() || host_->closed; });
    ASSERT_TRUE(host_->ready) << host_->failed;
  }

  std::uint32_t open(const std::string& script) {
    wire::ExecRequest request;
    request.command = {"sh", "-c", script};
    return host_->open(request);
  }
  std::string output_of(const std::string& script) {
    const auto stream = open(script);
    host_->until_exit(stream);
    return host_->execs[stream].out + host_->execs[stream].err;
  }

  TemporaryDirectory root_;
  std::unique_ptr<loop::Loop> loop_;
  std::unique_ptr<FakeHost> host_;
  std::unique_ptr<Child> init_;
};

}  // namespace sbx::testing
