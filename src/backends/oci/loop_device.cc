// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/loop_device.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>

#include <cerrno>

namespace sbx::backends::oci {
namespace {

constexpr const char* kControl = "/dev/loop-control";
// Others may take the device that we were told is free; each such loss is another's success.
constexpr int kMostLoopDevices = 1000;

Result<LoopDevice> open_free(int flags) {
  TRY_ASSIGN(const Fd control, open_path(kControl, O_RDWR));
  const int number = ::ioctl(control.get(), LOOP_CTL_GET_FREE);
  if (number < 0) return fail_errno("find a free loop device");
  std::string path = "/dev/loop" + std::to_string(number);
  TRY_ASSIGN(Fd device, open_path(path, flags));
  return LoopDevice{std::move(path), std::move(device)};
}

}  // namespace

Result<> loop_devices_work() {
  TRY(open_free(O_RDONLY));  // udev would look through one that was open for writing
  return Ok{};
}

Result<LoopDevice> attach_loop_device(const Fd& image) {
  loop_config config{};
  config.fd = static_cast<__u32>(image.get());
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
  for (int attempt = 0; attempt < kMostLoopDevices; ++attempt) {
    TRY_ASSIGN(LoopDevice loop, open_free(O_RDWR));
    if (::ioctl(loop.device.get(), LOOP_CONFIGURE, &config) == 0) return loop;
    if (errno != EBUSY) return fail_errno("set up " + loop.path);
  }
  return fail(Code::kUnavailable, "every loop device was taken by others");
}

}  // namespace sbx::backends::oci
