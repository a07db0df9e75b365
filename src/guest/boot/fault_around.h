// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbx::guest {

// At a page fault in a file the kernel also maps the pages around it, 64 KiB, because a fault costs far more than a
// page. In an emulated machine each page costs, too, when it is mapped and when the program ends, and a short program
// uses few of them: there, fewer are taken. A kernel that does not let us (debugfs) keeps its own number.
void map_fewer_pages_around();

}  // namespace sbx::guest
