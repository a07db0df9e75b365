// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace sbx {
namespace {

std::string parent_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

enum class Sync { kNo, kYes };

Result<> write_new(const std::string& path, std::string_view content, unsigned mode, Sync sync) {
  TRY_ASSIGN(Fd file, open_path(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  TRY_WITHIN("write " + path, write_all(file, content));
  if (sync == Sync::kYes && ::fsync(file.get()) != 0) return fail_errno("sync " + path);
  return Ok{};
}

enum class Existing { kReplaced, kKept };

int move(const std::string& from, const std::string& to, Existing existing) {
  if (existing == Existing::kReplaced) return ::rename(from.c_str(), to.c_str());
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
}

Result<> write_and_rename(const std::string& path, std::string_view content, unsigned mode, Sync sync,
                          Existing existing = Existing::kReplaced) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  auto written = write_new(temporary, content, mode, sync);
  if (written && move(temporary, path, existing) != 0) written = fail_errno("rename to " + path);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

Result<> remove_entry(int directory, const char* name, dev_t device);

Result<> empty_directory(int directory, const char* name, dev_t device) {
  const int fd = ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return fail_errno(std::string("open ") + name);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(fd), &::closedir);
  while (const dirent* entry = ::readdir(entries.get())) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    TRY(remove_entry(fd, entry->d_name, device));
  }
  return Ok{};
}

Result<> remove_entry(int directory, const char* name, dev_t device) {
  struct stat info {};
  if (::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? Result<>(Ok{}) : fail_errno(std::string("stat ") + name);
  if (!S_ISDIR(info.st_mode)) {
    if (::unlinkat(directory, name, 0) != 0 && errno != ENOENT) return fail_errno(std::string("remove ") + name);
    return Ok{};
  }
  // A mount below a tree of ours would be a user's data: better to fail than to empty it.
  if (info.st_dev != device)
    return fail(Code::kConflict, std::string("remove ") + name + ": something is mounted there");
  // overlayfs leaves its work directory without any permission bits.
  if ((info.st_mode & 0700) != 0700) (void)!::fchmodat(directory, name, 0700, 0);  // openat below reports what matters
  TRY(empty_directory(directory, name, device));
  if (::unlinkat(directory, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
    return fail_errno(std::string("remove ") + name);
  return Ok{};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  TRY_ASSIGN(Fd file, open_path(path, O_RDONLY));
  auto content = read_all(file, limit);
  if (!content) return fail(std::move(content).error().within("read " + path));
  return content;
}

Result<> sync_directory_of(const std::string& path) {
  TRY_ASSIGN(const Fd directory, open_path(parent_of(path), O_RDONLY | O_DIRECTORY));
  if (::fsync(directory.get()) != 0) return fail_errno("sync the directory of " + path);
  return Ok{};
}

Result<> write_file_atomically(const std::string& path, std::string_view content, unsigned mode) {
  TRY(write_and_rename(path, content, mode, Sync::kYes));
  return sync_directory_of(path);
}

Result<> create_file(const std::string& path, std::string_view content, unsigned mode) {
  TRY(write_and_rename(path, content, mode, Sync::kYes, Existing::kKept));
  return sync_directory_of(path);
}

Result<> replace_file(const std::string& path, std::string_view content, unsigned mode) {
  return write_and_rename(path, content, mode, Sync::kNo);
}

Result<> write_file(const std::string& path, std::string_view content, unsigned mode) {
  TRY_ASSIGN(Fd file, open_path(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode));
  TRY_WITHIN("write " + path, write_all(file, content));
  return Ok{};
}

Result<> make_directories(const std::string& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) == 0) return Ok{};
  if (errno == EEXIST) {
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return Ok{};
    return fail(Code::kConflict, "make directory " + path + ": something else is there");
  }
  if (errno != ENOENT) return fail_errno("make directory " + path);
  TRY(make_directories(parent_of(path), mode));
  if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST) return fail_errno("make directory " + path);
  return Ok{};
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(
      ::opendir(directory.c_str()), [](DIR* stream) { return stream != nullptr ? ::closedir(stream) : 0; });
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr)
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  std::ranges::sort(names);
  return names;
}

Result<> remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return fail_errno("remove " + path);
  return Ok{};
}

Result<> remove_tree(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return errno == ENOENT ? Result<>(Ok{}) : fail_errno("remove " + path);
  return remove_entry(AT_FDCWD, path.c_str(), info.st_dev);
}

Result<std::string> canonical_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  if (!resolved) return fail_errno(path);
  return std::string(resolved.get());
}

}  // namespace sbx
