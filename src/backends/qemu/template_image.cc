// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/qemu/template_image.h"

#include "backends/layers_view.h"
#include "backends/mkfs.h"
#include "base/file.h"

namespace sbx::backends::qemu {
namespace {

// Without compression: the host's page cache holds what is read often, and under emulation decompression is dear. No
// fixed time (-T), because it would be that of every file, and programs compare them (Python its caches').
Result<> write_image(const std::vector<std::string>& layers, const Fd& file, const std::string& path) {
  Mkfs mkfs{{"mkfs.erofs", "--quiet", "-U", "00000000-0000-0000-0000-000000000000", path, layers.front()},
            "erofs-utils"};
  mkfs.who = As::kGuestRoot;
  if (layers.size() == 1) return run_mkfs(mkfs, file);
  TRY_ASSIGN(const LayersView view, LayersView::of(layers));
  mkfs.before_exec = view.mounting_on(layers.front());
  return run_mkfs(mkfs, file);
}

}  // namespace

Result<> ready_template_image(const MachineSpec& spec, const Progress& progress) {
  const std::string& image = spec.template_image;
  if (exists(image)) return Ok{};
  TRY(make_directories(image.substr(0, image.rfind('/'))));
  if (progress) progress("making the template's disk", 0, 0);
  TRY_WITHIN("make " + image, make_once(image, 0644, [&](const Fd& file, const std::string& path) {
               return write_image(spec.template_layers, file, path);
             }));
  return Ok{};
}

}  // namespace sbx::backends::qemu
