// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "images/old_layout.h"

#include <stdio.h>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/value.h"
#include "images/image_config.h"
#include "layers/unpack.h"

namespace sbx::images {
namespace {

Result<> adopt(const std::string& templates, const std::string& hex) {
  const std::string old = templates + "/" + hex;
  layers::Unpacked layer;
  layer.diff_id = "sha256:" + hex;
  TRY(make_directories(templates + "/layers"));
  TRY(write_file_atomically(old + "/layer.json", text_of(layer)));
  if (::rename(old.c_str(), (templates + "/layers/" + hex).c_str()) != 0) return fail_errno("move " + old);
  return Ok{};
}

}  // namespace

void adopt_old_templates(const std::string& templates) {
  for (const std::string& name : names_in(templates)) {
    if (!is_digest("sha256:" + name) || !exists(templates + "/" + name + "/root")) continue;
    if (const auto adopted = adopt(templates, name); !adopted) log_warning("{}", adopted.error().what());
  }
}

}  // namespace sbx::images
