// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/members.h"
#include "base/result.h"
#include "layers/tar_stream.h"

namespace sbx::layers {

// The files by which an archive says what it is; empty where it has none of that name.
struct Documents {
  std::string manifest;  // "manifest.json": `docker save` has made it
  std::string layout;    // "oci-layout" and
  std::string index;     // "index.json": it is an OCI image layout
  // What may be configurations of images: files that hold JSON and have a digest for a name, as far as there is room.
  // Whether they have that digest is not looked at here.
  std::vector<std::string> configs;
  bool has_entries = false;
  bool is_compressed = false;
};
void describe(Members& members, Documents& documents);

// "<hex>.json", as docker names an image's configuration, or "blobs/sha256/<hex>": the 64 digits; otherwise empty.
std::string_view digest_in_name(std::string_view path);

// Reads through an archive that may be compressed. kInvalid beyond `most` bytes, uncompressed; kTooLarge for a document
// that is larger than any that we need.
Result<Documents> documents_in(TarStream& stream, std::int64_t most);

// Writes the archive, uncompressed, to the file kPlainName in the working directory. kInvalid beyond `most` bytes.
inline constexpr const char* kPlainName = "plain";
struct Plain {
  std::int64_t bytes = 0;
};
void describe(Members& members, Plain& plain);
Result<Plain> write_plain(TarStream& stream, std::int64_t most);

}  // namespace sbx::layers
