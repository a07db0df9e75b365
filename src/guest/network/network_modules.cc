// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/network/network_modules.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "guest/boot/kernel_module.h"

namespace sbx::guest {
namespace {

constexpr const char* kDirectory = "/network-modules";

// A table of connections for 131072 of them, eight to a bucket. The kernel's own choice, from 4 GiB of memory on, is
// sixteen times as large: 2 MiB to fill at every boot, and for a worker to walk through for ever after.
constexpr const char* kTableOfConnections = "hashsize=16384";

const char* parameters_of(const std::string& name) {
  return name.ends_with("-nf_conntrack.ko") ? kTableOfConnections : "";
}

// Its memory is given back: the file is in it.
Result<> load_module(const Fd& directory, const std::string& name) {
  const Fd file(::openat(directory.get(), name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail_errno("open module " + name);
  TRY(insert_module(file, name, parameters_of(name)));
  ::unlinkat(directory.get(), name.c_str(), 0);
  return Ok{};
}

Result<> load_modules(const Fd& directory, const std::vector<std::string>& names) {
  for (const std::string& name : names) TRY(load_module(directory, name));
  return Ok{};
}

}  // namespace

// Opened and listed here, because the root may change while the thread runs.
NetworkModules::NetworkModules() : directory_(::open(kDirectory, O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (!directory_) return;  // all of them are built in
  thread_ = std::thread([this, names = names_in(kDirectory)] {
    const SteadyTime begin = steady_now();
    result_ = load_modules(directory_, names);
    duration_us_ = std::chrono::duration_cast<std::chrono::microseconds>(steady_now() - begin).count();
  });
}

NetworkModules::~NetworkModules() {
  if (thread_.joinable()) thread_.join();
}

Result<> NetworkModules::wait() {
  if (thread_.joinable()) thread_.join();
  return result_;
}

}  // namespace sbx::guest
