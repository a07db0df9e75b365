// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/members.h"
#include "base/result.h"
#include "images/image_config.h"

namespace sbx::images {

// What a name stands for.
struct Name {
  std::string name;      // Reference::whole(), or "recipe/<key>"
  std::string image;     // the digest of its configuration
  std::string source;    // where it came from: "docker://localhost:5000/box@sha256:...", "sandbox box", "recipe shell"
  std::string added_at;  // RFC 3339
};
void describe(Members& members, Name& name);

// The images in one directory: configurations, by their digest, and names.
//   images/<hex>.json   the configuration, to the letter
//   names/<name>        a Name; the file's name is the name with %2F for /
// The layers are elsewhere (layer_store.h), and an image is put here when all of its layers are there.
class ImageStore {
 public:
  explicit ImageStore(std::string templates) : templates_(std::move(templates)) {}

  Result<std::string> put(const std::string& config);  // its digest
  Result<ImageConfig> get(const std::string& digest) const;
  Result<std::string> text(const std::string& digest) const;
  std::vector<std::string> list() const;  // digests
  Result<> remove(const std::string& digest);

  Result<> set_name(const Name& name);
  std::optional<Name> find_name(const std::string& name) const;
  std::vector<Name> names() const;  // sorted
  Result<> remove_name(const std::string& name);

 private:
  std::string image_file(const std::string& digest) const;
  std::string name_file(const std::string& name) const;

  std::string templates_;
};

}  // namespace sbx::images
