// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/backend.h"
#include "base/result.h"

namespace sbx::backends::qemu {

// Where the image of a template is: beside its tree, and so gone with it.
std::string template_image(const std::string& template_root);

// The template as an EROFS image, for all machines to share read-only: made once, of the whole tree as a guest sees it:
// owners (guest ids), modes, times, links, devices, extended attributes. It belongs to the user and all may read
// it. An image that is there costs one stat.
Result<> ready_template_image(const std::string& template_root, const Progress& progress);

}  // namespace sbx::backends::qemu
