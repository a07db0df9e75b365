// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// The template as an EROFS image, at spec.template_image, for all machines to share read-only: made once, of the whole
// tree as a guest sees it, all layers in one: owners (guest ids), modes, times, links, devices, extended attributes. It
// belongs to the user and all may read it. An image that is there costs one stat.
Result<> ready_template_image(const MachineSpec& spec, const Progress& progress);

}  // namespace sbx::backends::qemu
