// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_id.h"

#include "digest/sha256.h"

namespace sbx::blobs {
namespace {

constexpr std::size_t kDigits = 64;
constexpr std::size_t kLongestOrigin = 300;

}  // namespace

bool is_file_name(const std::string& name) {
  return name.size() == kDigits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_well_formed(const BlobId& id) {
  return !id.origin.empty() && id.origin.size() <= kLongestOrigin && is_file_name(id.digest);
}

std::string file_name(const BlobId& id) { return digest::sha256_of(id.origin + " sha256:" + id.digest); }

}  // namespace sbx::blobs
