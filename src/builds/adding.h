// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "builds/copy_rule.h"
#include "builds/workbench.h"
#include "images/incoming.h"
#include "images/templates.h"

// What ADD does that COPY does not: it fetches addresses, and unpacks archives of the build's directory.
namespace sbx::builds {

bool is_address(std::string_view source);
// The file name that docker gives to what it fetches: the last part of the path. kInvalid: there is none.
Result<std::string> name_in_address(std::string_view address);
// Makes `file`, with the time that the server says it has.
std::vector<std::string> fetch_command(const std::string& address, const std::string& file);
// Compares the digest of a file in the workbench with `sum`, "sha256:<hex>".
Result<> check_sum(Workbench& bench, const std::string& file, const std::string& sum);

// An archive in the build's directory.
struct AddedArchive {
  std::string path;       // as in the context
  std::string plain;      // a file on the host: the archive without its compression
  images::Incoming kept;  // what `plain` is gone with
};

// The files that the rule names and that are archives, by their content, as with docker: tar, alone or in gzip, bzip2,
// xz or zstd. They are uncompressed in a jail (images/layer_store.h).
Result<std::vector<AddedArchive>> archives_in(const std::string& context, const CopyRule& rule,
                                              images::Templates& store);

// By the first bytes of a file: whether it may be an archive.
bool looks_like_archive(std::string_view beginning);

}  // namespace sbx::builds
