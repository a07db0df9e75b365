// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/boot.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "guest/boot/await.h"
#include "guest/boot/kernel_module.h"
#include "guest/boot/timing.h"

namespace sbx::guest {
namespace {

constexpr const char* kModules = "/modules";

Result<> mount_kernel_file_systems() {
  for (const auto& [target, type] : {std::pair{"/proc", "proc"}, {"/sys", "sysfs"}, {"/dev", "devtmpfs"}}) {
    TRY(make_directories(target, 0755));
    if (::mount(type, target, type, MS_NOSUID | MS_NOEXEC, nullptr) != 0)
      return fail_errno(std::string("mount ") + target);
  }
  return Ok{};
}

// A driver's devices are looked at while the next module is loaded.
Result<> load_boot_module(const std::string& path) {
  TRY_ASSIGN(const Fd file, open_path(path, O_RDONLY));
  return insert_module(file, path, kProbeLater);
}

// Their memory is given back: the files are in it.
Result<> load_boot_modules() {
  for (const std::string& name : names_in(kModules)) TRY(load_boot_module(std::string(kModules) + "/" + name));
  return remove_tree(kModules);
}

// The entry of a class in /sys whose attribute says this.
std::optional<std::string> device_where(const std::string& sys, const std::string& attribute,
                                        const std::string& value) {
  for (const std::string& name : names_in(sys)) {
    const auto text = read_file(sys + "/" + name + "/" + attribute, 4096);
    if (text && trimmed(*text) == value) return "/dev/" + name;
  }
  return std::nullopt;
}

// Until the host's end is connected the port looks like one whose host has hung up.
bool host_is_connected(const Fd& port) {
  pollfd state{port.get(), 0, 0};
  return ::poll(&state, 1, 0) == 0;
}

Result<Fd> open_channel() {
  TRY_ASSIGN(const std::string path, look_until_found("the channel's port", [] {
               return device_where("/sys/class/virtio-ports", "name", kChannelPort);
             }));
  TRY_ASSIGN(Fd port, open_path(path, O_RDWR | O_NONBLOCK));
  TRY(look_until_found("the host's end of the channel",
                       [&] { return host_is_connected(port) ? std::optional(Ok{}) : std::nullopt; }));
  return port;
}

Result<> mount_template() {
  TRY_ASSIGN(const std::string disk, find_disk(kTemplateDisk));
  TRY(make_directories("/lower", 0755));
  if (::mount(disk.c_str(), "/lower", "erofs", MS_RDONLY | MS_NODEV, nullptr) != 0)
    return fail_errno("mount the template");
  return Ok{};
}

}  // namespace

Result<std::string> find_disk(const std::string& serial) {
  return look_until_found("disk " + serial, [&] { return device_where("/sys/block", "serial", serial); });
}

Result<Booted> boot() {
  Booted booted;
  // Since the kernel has a clock, which is not its first instruction: what comes before is the host's to measure.
  booted.timings.emplace_back("kernel", uptime_us());
  TRY(mount_kernel_file_systems());
  TRY(timed(booted.timings, "modules", load_boot_modules));
  TRY(timed(booted.timings, "template", mount_template));
  TRY_ASSIGN(booted.channel, timed(booted.timings, "port", open_channel));
  return booted;
}

}  // namespace sbx::guest
