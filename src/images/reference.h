// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sbx::images {

// The name of an image, as docker reads it: "ubuntu" is docker.io/library/ubuntu:latest.
struct Reference {
  std::string registry;    // "docker.io", "localhost:5000"
  std::string repository;  // "library/ubuntu"
  std::string tag;         // "latest"; empty with a digest only
  std::string digest;      // "sha256:..."; usually empty

  std::string whole() const;  // "docker.io/library/ubuntu:latest"
  std::string shown() const;  // "ubuntu:latest", as docker shows it
};

// kInvalid says which part is wrong.
Result<Reference> parse_reference(std::string_view text);

}  // namespace sbx::images
