// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"

// Containers in the guest trust the sandbox's authority, whatever their image is: between containerd (or BuildKit) and
// runc is sandbox-init itself, under the name of runc. It adds to what a container is made from the authority's files,
// mounted in its /dev, which is no part of any image, and the variables by which programs find them
// (guest/network/network_environment.h); a variable of the image's or user's stays as it is. Then it becomes runc.
namespace sbx::guest {

inline constexpr const char* kRuntimeDirectory = "/run/sandbox/bin";

// Puts it there, where the daemon's PATH begins.
Result<> offer_runtime();

// Whether this process was started as runc.
bool is_runtime(int argc, char** argv);
// Does not return, unless there is no runc: the exit status.
int run_runtime(int argc, char** argv);

// Which file of the caller's the words of a runc command are about: config.json of `create` and `run`, the process of
// `exec`; "" if none.
std::string described_in(const std::vector<std::string>& words);
// What is in such a file, with the authority in it.
Json with_authority(Json description);

}  // namespace sbx::guest
