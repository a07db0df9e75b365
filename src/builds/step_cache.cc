// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "builds/step_cache.h"

#include "base/file.h"
#include "base/text.h"
#include "images/image_config.h"

namespace sbx::builds {
namespace {

constexpr std::size_t kLongest = 256;

}  // namespace

std::optional<std::string> StepCache::find(const std::string& key) const {
  const auto text = read_file(directory_ + "/" + key, kLongest);
  if (!text || !images::is_digest(trimmed(*text))) return std::nullopt;
  return std::string(trimmed(*text));
}

Result<> StepCache::put(const std::string& key, const std::string& image) {
  TRY(make_directories(directory_));
  return write_file_atomically(directory_ + "/" + key, image + "\n");
}

}  // namespace sbx::builds
