// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sbx::blobs {

// A blob as one registry has it. SECURITY: two registries have two of them, also if the content is the same: the one
// that a blob came from is the one that says who may have it.
struct BlobId {
  std::string origin;  // of the registry: "https://registry.example:443"
  std::string digest;  // SHA-256 of the content, 64 hexadecimal digits
};

bool is_well_formed(const BlobId& id);

// Under which it is kept: 64 hexadecimal digits that say neither.
std::string file_name(const BlobId& id);
bool is_file_name(const std::string& name);

}  // namespace sbx::blobs
