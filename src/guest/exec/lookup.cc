// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/exec/lookup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace sbx::guest {
namespace {

bool is_missing(int trouble) { return trouble == ENOENT || trouble == ENOTDIR; }

Failure failure(const std::string& name, const char* why, bool missing) {
  return fail(missing ? Code::kNotFound : Code::kForbidden, "exec \"" + printable(name) + "\": " + why);
}

}  // namespace

int trouble_with(const char* file) {
  struct stat info {};
  if (::stat(file, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return ::access(file, X_OK) == 0 ? 0 : errno;
}

std::vector<std::string> candidates(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) return {name};
  std::vector<std::string> files;
  for (const auto& directory : split(path, ':')) files.push_back((directory.empty() ? "." : directory) + "/" + name);
  return files;
}

Result<std::string> find_program(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) {
    const int trouble = trouble_with(name.c_str());
    if (trouble != 0) return failure(name, std::strerror(trouble), is_missing(trouble));
    return name;
  }
  int found_trouble = 0;
  for (const std::string& candidate : candidates(name, path)) {
    const int trouble = trouble_with(candidate.c_str());
    if (trouble == 0) return candidate;
    if (trouble == EACCES) found_trouble = trouble;
  }
  if (found_trouble != 0) return failure(name, std::strerror(found_trouble), false);
  return failure(name, "executable file not found in $PATH", true);
}

}  // namespace sbx::guest
