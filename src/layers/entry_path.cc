// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "layers/entry_path.h"

#include <limits.h>

#include "base/text.h"

namespace sbx::layers {
namespace {

constexpr std::string_view kWhiteoutPrefix = ".wh.";
constexpr std::string_view kMetadataPrefix = ".wh..wh.";
constexpr std::string_view kOpaqueName = ".wh..wh..opq";

Failure refused(std::string_view name, std::string_view why) {
  return fail(Code::kInvalid, "the layer has \"" + printable(name) + "\", " + std::string(why));
}

}  // namespace

Result<std::string> relative_path(std::string_view name) {
  if (name.starts_with('/')) return refused(name, "an absolute path");
  if (name.find('\0') != std::string_view::npos) return refused(name, "which has a zero byte in it");
  std::string path;
  for (const std::string& part : split(name, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return refused(name, "which leads out of it");
    if (part.size() > NAME_MAX) return refused(name, "a name that is too long");
    path += (path.empty() ? "" : "/") + part;
  }
  if (path.size() >= PATH_MAX) return refused(name.substr(0, NAME_MAX), "a path that is too long");
  return path;
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

Result<EntryPath> entry_path(std::string_view name) {
  TRY_ASSIGN(std::string path, relative_path(name));
  const std::string parent = parent_of(path);
  const std::string last = parent.empty() ? path : path.substr(parent.size() + 1);
  if (last == kOpaqueName) return EntryPath{Whiteout::kOpaque, parent};
  if (last.starts_with(kMetadataPrefix)) return EntryPath{Whiteout::kMetadata, path};
  if (!last.starts_with(kWhiteoutPrefix)) return EntryPath{Whiteout::kNone, std::move(path)};
  const std::string removed = last.substr(kWhiteoutPrefix.size());
  if (removed.empty() || removed == "." || removed == "..") return refused(name, "a whiteout of nothing");
  return EntryPath{Whiteout::kRemoved, parent.empty() ? removed : parent + "/" + removed};
}

}  // namespace sbx::layers
