// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "backends/backend.h"
#include "backends/host_changes.h"
#include "base/result.h"

// Where a container's own files are: <state>/disk/upper over the template, with disk/work beside it. What bounds it is
// chosen at create and kept in the record (wire::DiskBound):
//   project quota   disk/ is a directory that the file system holds to its size
//   loop image      <state>/disk.raw is an ext4 file system of that size, mounted at disk/ in the shim's mount
//   namespace only nothing         disk/ is a directory: for an ordinary user, who may have neither, and for sandboxes
//   of before
//
// SECURITY: the host's kernel parses the file system in the image. A guest writes to it through that file system only,
// never to its blocks: no device node, no path leads a guest to image or device.
namespace sbx::backends::oci {

// The best that this user can have below `home`; the error says why there is none.
Result<wire::DiskBound> disk_bound_for(const std::string& home);

// In the daemon, before each start; costs a stat when all is there.
Result<> ready_layer(const MachineSpec& spec);
// In the shim, in its own mount namespace: afterwards disk/ is the bounded layer.
Result<> mount_layer(const MachineSpec& spec);
Result<> remove_layer(const MachineSpec& spec);

// In the daemon: for a program that reads the layer, of a machine that runs (`shim`) or does not. A loop image is seen
// by that program only, in a mount namespace that is the shim's or its own.
Result<HostDirectory> layer_for_reading(const MachineSpec& spec, std::optional<pid_t> shim);

}  // namespace sbx::backends::oci
