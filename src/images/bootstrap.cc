// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/bootstrap.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/descriptor_limit.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::images {
namespace {

struct Program {
  const char* name;
  const char* package;
};

constexpr std::array<Program, 4> kPrograms = {{
    {"mmdebstrap", "mmdebstrap"},
    {"apt-config", "apt"},
    {"tar", "tar"},
    {"unshare", "util-linux"},
}};

// What of our environment a build sees: how to reach the mirror, and nothing private.
constexpr std::array<const char*, 6> kKeptVariables = {"http_proxy", "https_proxy", "no_proxy",
                                                       "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"};

std::vector<std::string> build_environment(const std::string& directory) {
  const char* path = std::getenv("PATH");
  std::vector<std::string> environment = {
      sbx::format("PATH={}:/usr/local/sbin:/usr/sbin:/sbin", path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"),
      // The chroot is made here, so that removing the directory removes everything.
      "TMPDIR=" + directory,
      "HOME=" + directory,
      // Its words are parsed.
      "LC_ALL=C.UTF-8",
      "DEBIAN_FRONTEND=noninteractive",
  };
  for (const char* name : kKeptVariables)
    if (const char* value = std::getenv(name)) environment.push_back(sbx::format("{}={}", name, value));
  return environment;
}

// In the order in which they run, after everything is installed. "$1" is the chroot; mmdebstrap hands these to a shell,
// so nothing but constants may stand in them.
std::vector<std::string> finishing_hooks() {
  const std::vector<std::string> hooks = {
      // The settings of the build are not those of the guest.
      "rm -f \"$1\"/etc/apt/apt.conf.d/99mmdebstrap \"$1\"/etc/apt/sources.list \"$1\"/etc/apt/sources.list.d/*",
      sbx::format("upload {} /etc/apt/sources.list.d/host.sources", kGuestSources),
      sbx::format("upload {} /etc/apt/apt.conf.d/90host", kGuestOptions),
      // Copies of the host's that mmdebstrap leaves behind.
      "rm -f \"$1\"/etc/resolv.conf \"$1\"/etc/hostname && : > \"$1\"/etc/machine-id",
      // What sandbox-init would else add at the first start of each sandbox (src/guest: agent.cc, hostname.cc,
      // resolver.cc).
      "chroot \"$1\" groupadd --system docker",
      "chroot \"$1\" useradd --create-home --uid 1000 --user-group --groups sudo,docker --shell /bin/bash agent",
      "echo '#1000 ALL=(ALL:ALL) NOPASSWD:ALL' > \"$1\"/etc/sudoers.d/agent && chmod 0440 \"$1\"/etc/sudoers.d/agent",
      "echo 'nameserver 198.18.0.1' > \"$1\"/etc/resolv.conf",
      "printf '%s\\t%s\\n' 127.0.0.1 localhost ::1 'localhost ip6-localhost ip6-loopback' "
      "198.18.0.1 host.docker.internal > \"$1\"/etc/hosts",
      "echo LANG=C.UTF-8 > \"$1\"/etc/default/locale",
      // Every sandbox would have the same.
      "rm -f \"$1\"/etc/ssh/ssh_host_*",
  };
  std::vector<std::string> out;
  for (const std::string& hook : hooks) out.push_back("--customize-hook=" + hook);
  return out;
}

const std::string& main_suite(const BuildHost& host) {
  for (const AptSource& source : host.sources)
    for (const std::string& suite : source.suites)
      if (suite == host.distribution.codename) return suite;
  return host.sources.front().suites.front();
}

// Only async-signal-safe calls.
std::function<int()> die_with_us() {
  return [parent = ::getpid()] {
    lower_descriptor_limit();
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    return ::getppid() == parent ? 0 : ESRCH;  // it went before we asked
  };
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Result<> check_programs() {
  for (const Program& program : kPrograms)
    if (!find_program(program.name))
      return fail(Code::kUnavailable, sbx::format("{} is not installed", program.name),
                  sbx::format("sudo apt-get install {}", program.package));
  return Ok{};
}

Result<BuildHost> read_host() {
  TRY_ASSIGN(Distribution distribution, host_distribution());
  TRY_ASSIGN(auto sources, host_sources("/etc/apt", distribution.codename));
  TRY_ASSIGN(AptOptions options, host_options());
  return BuildHost{std::move(distribution), std::move(sources), std::move(options)};
}

Result<> write_inputs(const BuildHost& host, const std::string& directory) {
  TRY(write_file_atomically(directory + "/" + kBuildSources, to_deb822(host.sources)));
  TRY(write_file_atomically(directory + "/" + kGuestSources, to_deb822(without_credentials(host.sources)), 0644));
  std::string settings = "// From the host's apt configuration.\n";
  for (const std::string& option : host.options.guest) settings += option + ";\n";
  return write_file_atomically(directory + "/" + kGuestOptions, settings, 0644);
}

Command bootstrap_command(const Recipe& recipe, const BuildHost& host, const std::string& directory) {
  Command command;
  command.argv = {"unshare",    "--pid",     "--fork",         "--kill-child",
                  "mmdebstrap", "--verbose", "--mode=unshare", "--format=tar"};
  command.argv.push_back(sbx::format("--variant={}", recipe.variant));
  command.argv.push_back(sbx::format("--include={}", join(recipe.packages, ",")));
  for (const std::string& option : host.options.build) command.argv.push_back("--aptopt=" + option);
  command.argv.emplace_back("--aptopt=Acquire::Languages \"none\"");
  for (const std::string_view path : recipe.left_out)
    command.argv.push_back(sbx::format("--dpkgopt=path-exclude={}", path));
  append(command.argv, finishing_hooks());
  append(command.argv, {main_suite(host), "-", sbx::format("./{}", kBuildSources)});
  command.directory = directory;
  command.environment = build_environment(directory);
  command.before_exec = die_with_us();
  return command;
}

}  // namespace sbx::images
