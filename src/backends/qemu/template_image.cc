// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/template_image.h"

#include "backends/mkfs.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

// Without compression: the host's page cache holds what is read often, and under emulation decompression is dear. No
// fixed time (-T), because it would be that of every file, and programs compare them (Python its caches').
Result<> write_image(const std::string& root, const Fd& file, const std::string& path) {
  return run_mkfs({"mkfs.erofs", "--quiet", "-U", "00000000-0000-0000-0000-000000000000", path, root}, file,
                  As::kGuestRoot, "erofs-utils");
}

}  // namespace

std::string template_image(const std::string& template_root) { return template_root + ".erofs"; }

Result<> ready_template_image(const std::string& template_root, const Progress& progress) {
  const std::string image = template_image(template_root);
  if (exists(image)) return Ok{};
  if (progress) progress("making the template's disk", 0, 0);
  TRY_WITHIN("make " + image, make_once(image, 0644, [&](const Fd& file, const std::string& path) {
               return write_image(template_root, file, path);
             }));
  return Ok{};
}

}  // namespace sbx::backends::qemu
