// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "userconfig/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/text.h"
#include "userconfig/secrets.h"

namespace sbx::userconfig {
namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::size_t kMostFiles = 500;
constexpr int kDeepest = 8;
constexpr std::string_view kEndings[] = {".md",  ".txt", ".json", ".yaml", ".yml", ".toml", ".py",  ".sh",  ".js",
                                         ".mjs", ".cjs", ".ts",   ".html", ".css", ".xml",  ".csv", ".sql", ".tmpl"};

bool is_document(std::string_view name) {
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// Sorted, so that what is shown is the same each time.
Result<std::vector<std::string>> all_names_in(const Fd& directory) {
  const int copy = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  if (!stream) return fail_errno("read a directory");
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(stream.get()))
    if (const std::string_view name = entry->d_name; name != "." && name != "..") names.emplace_back(name);
  std::ranges::sort(names);
  return names;
}

class Walk {
 public:
  explicit Walk(const Fd& home) : home_(home) {}

  Result<> directory(const std::string& path, int depth) {
    TRY_ASSIGN(const Fd directory, open_beneath(home_, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY_ASSIGN(const auto names, all_names_in(directory));
    for (const std::string& name : names) entry(directory, path, name, depth);
    return Ok{};
  }

  Listing take() { return std::move(listing_); }

 private:
  void entry(const Fd& directory, const std::string& parent, const std::string& name, int depth) {
    struct stat info {};
    const std::string path = parent + "/" + name;
    if (::fstatat(directory.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (name.starts_with('.')) return leave(path, "its name is hidden");
    if (S_ISLNK(info.st_mode)) return leave(path, "it is a link");
    if (S_ISDIR(info.st_mode)) return below(path, depth + 1);
    if (!S_ISREG(info.st_mode)) return leave(path, "it is no file");
    if (names_key(name)) return leave(path, "by its name it may hold keys");
    if (!is_document(name)) return leave(path, "it is no document or script by its name");
    if (listing_.files.size() == kMostFiles) return leave(path, "there are too many files");
    listing_.files.push_back(path);
  }

  void below(const std::string& path, int depth) {
    if (depth > kDeepest) return leave(path, "it is too deep");
    if (const auto walked = directory(path, depth); !walked) leave(path, walked.error().what());
  }

  void leave(const std::string& path, const std::string& why) {
    if (listing_.left.size() < kMostFiles) listing_.left.push_back(printable(path) + ": " + why);
  }

  const Fd& home_;
  Listing listing_;
};

}  // namespace

Result<ReadFile> read_own_file(const Fd& home, const std::string& path) {
  TRY_ASSIGN(const Fd file, open_beneath(home, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("stat");
  if (!S_ISREG(info.st_mode)) return fail(Code::kInvalid, "it is no file");
  if (info.st_uid != ::geteuid()) return fail(Code::kForbidden, "it is another user's");
  TRY_ASSIGN(std::string content, read_all(file, kLargestFile));
  return ReadFile{std::move(content), (info.st_mode & S_IXUSR) != 0};
}

Result<Listing> list_documents(const Fd& home, const std::string& path) {
  Walk walk(home);
  TRY(walk.directory(path, 0));
  return walk.take();
}

}  // namespace sbx::userconfig
