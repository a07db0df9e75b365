// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx::images {

// Which image a name stands for in the local Docker (sources.h: docker_host), by the digest of its configuration: a
// question of a millisecond, where skopeo would have Docker write the whole image. kNotFound: it has no such image;
// kUnavailable: there is no Docker; kUnsupported: it is not on a socket of this host.
Result<std::string> image_in_docker(const std::string& name);

}  // namespace sbx::images
