// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string_view>

#include "agentloop/ralph.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "guest/boot/boot.h"
#include "guest/boot/machine.h"
#include "guest/boot/modprobe.h"
#include "guest/boot/ralph.h"
#include "guest/boot/virtual_machine.h"
#include "guest/docker/container_runtime.h"
#include "guest/exec/privileges.h"
#include "guest/exec/process.h"
#include "guest/mcp/program.h"
#include "guest/server.h"
#include "loop/loop.h"
#include "version.h"

namespace sbx::guest {
namespace {

constexpr int kChannelBuffer = 1 << 20;

// sandbox-init --channel-fd N: in a container the channel is a socket that the runtime passed on. --machine is for
// those who look at us from outside: by it they know whose first process this is.
Result<Fd> channel_from(int argc, char** argv) {
  const bool named = argc == 5 && std::string_view(argv[3]) == "--machine";
  if ((argc != 3 && !named) || std::string_view(argv[1]) != "--channel-fd")
    return fail(Code::kInvalid, "usage: sandbox-init --channel-fd N [--machine ID] | --boot");
  const auto number = parse_integer(argv[2]);
  if (!number || *number < 3 || *number > 1023) return fail(Code::kInvalid, "--channel-fd: not a descriptor");
  Fd channel(static_cast<int>(*number));
  // Before anything else: no program that we start may ever hold it.
  if (::fcntl(channel.get(), F_SETFD, FD_CLOEXEC) != 0) return fail_errno("the channel");
  // Larger than the system's limit only where we may; the default works, with more wake-ups.
  if (::setsockopt(channel.get(), SOL_SOCKET, SO_SNDBUFFORCE, &kChannelBuffer, sizeof kChannelBuffer) != 0)
    (void)::setsockopt(channel.get(), SOL_SOCKET, SO_SNDBUF, &kChannelBuffer, sizeof kChannelBuffer);
  return channel;
}

// A program's pipes are moved to 0, 1 and 2 in its process, which works only if they do not begin there.
void occupy_standard_descriptors() {
  for (int number = 0; number < 3; ++number)
    if (::fcntl(number, F_GETFD) < 0) (void)!::open("/dev/null", O_RDWR);  // takes the lowest free number
}

Result<> serve(loop::Loop& loop, Fd channel, System& system, SteadyTime started) {
  Server server(loop, std::move(channel), system);
  TRY(loop.on_signals({SIGCHLD}, [&](int) { server.reap(); }));
  server.greet(started);
  TRY(loop.run());
  system.leave();
  return Ok{};
}

Result<> serve_container(Fd channel, SteadyTime started) {
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  System system(*loop);
  if (const auto mounted = system.mount_missing(); !mounted) {
    Server(*loop, std::move(channel), system).give_up(mounted.error());
    system.leave();
  }
  return serve(*loop, std::move(channel), system, started);
}

// sandbox-init --boot: the kernel's first process, in the initramfs of a virtual machine.
Result<> serve_virtual_machine(SteadyTime started) {
  TRY_ASSIGN(const auto loop, loop::Loop::create());
  auto booting = boot();
  if (!booting) {
    // The console is the only way out; an exit would bury this line under a kernel's panic.
    std::fprintf(stderr, "sandbox-init: %s\n", booting.error().what().c_str());
    VirtualMachine(*loop, {}).leave();
  }
  Booted booted = std::move(*booting);
  VirtualMachine machine(*loop, std::move(booted.timings));
  return serve(*loop, std::move(booted.channel), machine, started);
}

Result<> start(int argc, char** argv, SteadyTime started) {
  if (::getpid() != 1) return fail(Code::kInvalid, "it must be the first process of a sandbox");
  // Before it stands whatever else the kernel was told and did not understand.
  if (std::string_view(argv[argc - 1]) == "--boot") return serve_virtual_machine(started);
  TRY_ASSIGN(Fd channel, channel_from(argc, argv));
  return serve_container(std::move(channel), started);
}

int run(int argc, char** argv) {
  const SteadyTime started = steady_now();
  if (is_runtime(argc, argv)) return run_runtime(argc, argv);
  if (is_mcp_program(argc, argv)) return run_mcp_program(argc, argv);
  if (is_ralph(argc, argv)) return agentloop::ralph_main({argv + 1, argv + argc});
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    std::puts("sandbox-init " SANDBOXD_VERSION "+" SANDBOXD_COMMIT);
    return 0;
  }
  occupy_standard_descriptors();
  if (is_modprobe(argc, argv)) return modprobe(argc, argv);
  take_own_signals();
  if (const auto hidden = hide_from_tracers(); !hidden)
    return std::fprintf(stderr, "sandbox-init: %s\n", hidden.error().what().c_str()), 1;
  if (const auto served = start(argc, argv, started); !served)
    std::fprintf(stderr, "sandbox-init: %s\n", served.error().what().c_str());
  return 1;
}

}  // namespace
}  // namespace sbx::guest

int main(int argc, char** argv) { return sbx::guest::run(argc, argv); }
