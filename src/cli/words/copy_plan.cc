// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/copy_plan.h"

namespace sbx::cli {
namespace {

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

CopyOperand parse_copy_operand(const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool is_path =
      text.starts_with('/') || text.starts_with('.') || text.substr(0, colon).find('/') != std::string::npos;
  if (colon == std::string::npos || colon == 0 || is_path) return {"", text};
  const std::string path = text.substr(colon + 1);
  return {text.substr(0, colon), path.empty() ? "." : path};
}

bool means_content(const std::string& path) { return path == "." || path.ends_with("/."); }

std::string base_name(const std::string& path) {
  const std::string plain = without_slashes(path);
  const std::string base = plain.substr(plain.find_last_of('/') + 1);
  return base;
}

std::string parent_of(const std::string& path) {
  const std::string plain = without_slashes(path);
  const std::size_t slash = plain.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : plain.substr(0, slash);
}

Result<Placement> place(const std::string& source, const Found& at_source, const std::string& destination,
                        const Found& at_destination) {
  if (!at_source.exists) return fail(Code::kNotFound, source + ": no such file or directory");
  if (!at_source.is_directory && (source.ends_with('/') || means_content(source)))
    return fail(Code::kInvalid, source + ": not a directory");
  if (at_destination.is_directory) {
    const bool content = means_content(source) || base_name(source).empty();
    return Placement{destination, content ? "." : base_name(source)};
  }
  if (at_destination.exists && at_source.is_directory)
    return fail(Code::kInvalid, destination + ": cannot copy a directory over a file");
  if (!at_source.is_directory && destination.ends_with('/'))
    return fail(Code::kNotFound, destination + ": no such directory");
  if (means_content(destination)) return fail(Code::kNotFound, destination + ": no such directory");
  return Placement{parent_of(destination), base_name(destination)};
}

}  // namespace sbx::cli
