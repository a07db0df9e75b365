// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace sbx {

// Where state lives: $SANDBOXES_HOME, or ~/.docker/sandboxes. The layout is in ARCHITECTURE.md.
class Home {
 public:
  static Result<Home> find();
  explicit Home(std::string root) : root_(std::move(root)) {}

  const std::string& root() const { return root_; }
  std::string socket() const { return root_ + "/sandboxd.sock"; }
  std::string log() const { return root_ + "/sandboxd.log"; }
  std::string lock() const { return root_ + "/sandboxd.lock"; }  // held (flock) by the running daemon
  std::string templates() const { return root_ + "/templates"; }
  // By digests, "sha256:<64 hex>": the tree of a layer of a template, and a template as one image of a file system.
  std::string layer(const std::string& digest) const { return templates() + "/layers/" + hex(digest) + "/root"; }
  std::string template_image(const std::string& digest) const {
    return templates() + "/erofs/" + hex(digest) + ".erofs";
  }
  std::string cache() const { return root_ + "/cache"; }    // what backends make once for all machines
  std::string blobs() const { return cache() + "/blobs"; }  // of registries (src/blobs)
  std::string machines() const { return root_ + "/vm"; }
  std::string machine(const std::string& name) const { return machines() + "/" + name; }

 private:
  static std::string hex(const std::string& digest) { return digest.substr(digest.find(':') + 1); }

  std::string root_;
};

// The user's home directory: $HOME, else the one in the password database.
Result<std::string> user_home();

// One of our own programs ("sandboxd", "sandbox-shim", "sandbox-init", "sandbox-layer"): beside the running one, or in
// ../libexec/sandboxd of it.
Result<std::string> own_program(const std::string& name);

}  // namespace sbx
