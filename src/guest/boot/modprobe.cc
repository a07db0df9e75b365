// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/modprobe.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/file.h"
#include "guest/boot/kernel_module.h"
#include "modules/tree.h"
#include "wire/guest.h"

namespace sbx::guest {
namespace {

// SECURITY: a process that opens a socket of a rare family, or names a file system, makes the kernel ask; so only these
// are given, and what they need: the network of nested containers. Root with CAP_SYS_MODULE can load any other.
constexpr std::string_view kOffered[] = {
    "kernel/net/bridge/",          "kernel/net/netfilter/",         "kernel/net/ipv4/netfilter/",
    "kernel/net/ipv6/netfilter/",  "kernel/drivers/net/dummy.",     "kernel/drivers/net/ipvlan/",
    "kernel/drivers/net/macvlan.", "kernel/drivers/net/tun.",       "kernel/drivers/net/veth.",
    "kernel/drivers/net/vxlan/",   "kernel/drivers/net/wireguard/", "kernel/fs/overlayfs/",
};

bool is_offered(const std::string& path) {
  return std::ranges::any_of(kOffered, [&](std::string_view begin) { return path.starts_with(begin); });
}

Result<> load(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY));
  return insert_module(file, path);
}

Result<> load_all(const std::string& directory, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) TRY(load(directory + "/" + path));
  return Ok{};
}

// An alias may be that of several, for processors of which this machine has one: the first that it takes will do.
Result<> load_named(std::string_view name) {
  const std::string directory = wire::kModulesTarget;
  TRY_ASSIGN(auto tree, modules::Tree::read(directory));
  if (tree.is_builtin(name)) return Ok{};
  Result<> loaded = fail(Code::kNotFound, "there is no module " + std::string(name) + " for this sandbox");
  for (const std::string& module : tree.named(name)) {
    std::vector<std::string> order;
    tree.add(module, order);
    if (order.empty() || !is_offered(order.back())) continue;  // it comes after what it needs
    loaded = load_all(directory, order);
    if (loaded) break;
  }
  return loaded;
}

}  // namespace

// By a mount, because the file is on the initramfs, where no path leads any more.
Result<> offer_modules() {
  TRY(make_directories("/run/sandbox", 0755));
  TRY(open_path(kModprobe, O_WRONLY | O_CREAT, 0755));
  if (::mount("/proc/self/exe", kModprobe, nullptr, MS_BIND, nullptr) != 0)
    return fail_errno(std::string("put sandbox-init at ") + kModprobe);
  return write_file("/proc/sys/kernel/modprobe", kModprobe);
}

bool is_modprobe(int argc, char** argv) { return argc > 0 && std::string_view(argv[0]).ends_with("/modprobe"); }

int modprobe(int argc, char** argv) {
  std::string_view name;
  bool quiet = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "-q") {
      quiet = true;
    } else if (word != "--") {
      name = word;
    }
  }
  const auto loaded = load_named(name);
  if (!loaded && !quiet) std::fprintf(stderr, "modprobe: %s\n", loaded.error().what().c_str());
  return loaded ? 0 : 1;
}

}  // namespace sbx::guest
