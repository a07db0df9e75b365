// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/pack.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "archive/writer.h"

namespace sbx::archive {
namespace {

constexpr int kDeepest = 512;  // a descriptor is open per level
constexpr std::size_t kReadSize = 256u << 10;

Result<std::vector<std::string>> names_in(const Fd& directory) {
  TRY_ASSIGN(Fd copy, open_beneath(directory, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy.get()), &::closedir);
  if (!entries) return fail_errno("read a directory");
  copy.release();  // now the DIR's
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get()))
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
      names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

Member member_of(std::string name, Type type, const struct stat& info) {
  Member entry;
  entry.name = std::move(name);
  entry.type = type;
  entry.mode = info.st_mode & 07777;
  entry.mtime = info.st_mtim.tv_sec;
  return entry;
}

class Packer {
 public:
  Packer(const Sink& sink, const PackOptions& options) : writer_(sink), options_(options), buffer_(kReadSize, '\0') {}

  Result<> add(const Fd& directory, const std::string& leaf, const std::string& name, bool follow, int depth) {
    struct stat info {};
    if (::fstatat(directory.get(), leaf.c_str(), &info, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
      return vanished(depth) ? Result<>(Ok{}) : fail_errno("pack " + name);
    if (S_ISLNK(info.st_mode)) return add_symlink(directory, leaf, name, info);
    if (S_ISDIR(info.st_mode)) return add_directory(directory, leaf, name, follow, depth);
    if (S_ISREG(info.st_mode)) return add_file(directory, leaf, name, follow, depth);
    options_.warn(name + ": left out, not a file, directory or link");
    return Ok{};
  }

  Result<> finish() { return writer_.finish(); }

 private:
  bool is_left_out(std::string_view name) const {
    return options_.leave_out && options_.leave_out(name.substr(name.find('/') + 1));
  }

  // Only what was asked for by name must be there.
  static bool vanished(int depth) { return depth > 0 && errno == ENOENT; }

  Result<> add_symlink(const Fd& directory, const std::string& leaf, const std::string& name, const struct stat& info) {
    std::array<char, kLongestName> target;
    const ssize_t n = ::readlinkat(directory.get(), leaf.c_str(), target.data(), target.size());
    if (n < 0) return fail_errno("pack " + name);
    Member entry = member_of(name, Type::kSymlink, info);
    entry.link.assign(target.data(), static_cast<std::size_t>(n));
    return writer_.add(entry);
  }

  // What was a file a moment ago may be a pipe now, hence O_NONBLOCK and a second look at the type.
  Fd open(const Fd& directory, const std::string& leaf, bool follow, int flags) {
    return Fd(::openat(directory.get(), leaf.c_str(),
                       flags | O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)));
  }

  Result<> add_directory(const Fd& parent, const std::string& leaf, const std::string& name, bool follow, int depth) {
    if (depth > kDeepest) return fail(Code::kTooLarge, "pack " + name + ": nested too deeply");
    const Fd directory = open(parent, leaf, follow, O_DIRECTORY);
    struct stat info {};
    if (!directory || ::fstat(directory.get(), &info) != 0)
      return vanished(depth) ? Result<>(Ok{}) : fail_errno("pack " + name);
    TRY(writer_.add(member_of(name + "/", Type::kDirectory, info)));
    TRY_ASSIGN(const auto leaves, names_in(directory));
    for (const auto& child : leaves)
      if (!is_left_out(name + "/" + child)) TRY(add(directory, child, name + "/" + child, false, depth + 1));
    return Ok{};
  }

  Result<> add_file(const Fd& directory, const std::string& leaf, const std::string& name, bool follow, int depth) {
    const Fd file = open(directory, leaf, follow, 0);
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) return vanished(depth) ? Result<>(Ok{}) : fail_errno("pack " + name);
    if (!S_ISREG(info.st_mode)) return fail(Code::kConflict, "pack " + name + ": it changed while it was read");
    if (info.st_nlink > 1) {
      const auto [first, is_new] = linked_.emplace(std::pair(info.st_dev, info.st_ino), name);
      if (!is_new) return add_hard_link(first->second, name, info);
    }
    Member entry = member_of(name, Type::kFile, info);
    entry.size = info.st_size;
    TRY(writer_.add(entry));
    return add_content(file, name, info.st_size);
  }

  Result<> add_hard_link(const std::string& first, const std::string& name, const struct stat& info) {
    Member entry = member_of(name, Type::kHardLink, info);
    entry.link = first;
    return writer_.add(entry);
  }

  Result<> add_content(const Fd& file, const std::string& name, std::int64_t left) {
    while (left > 0) {
      const auto most = static_cast<std::size_t>(std::min<std::int64_t>(left, kReadSize));
      ssize_t n = ::read(file.get(), buffer_.data(), most);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail_errno("pack " + name);
      if (n == 0) {
        options_.warn(name + ": it shrank while it was read; the rest is zeros");
        return add_zeros(left);
      }
      TRY(writer_.content({buffer_.data(), static_cast<std::size_t>(n)}));
      left -= n;
    }
    return Ok{};
  }

  Result<> add_zeros(std::int64_t left) {
    std::fill(buffer_.begin(), buffer_.end(), '\0');
    while (left > 0) {
      const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, kReadSize));
      TRY(writer_.content({buffer_.data(), size}));
      left -= static_cast<std::int64_t>(size);
    }
    return Ok{};
  }

  ArchiveWriter writer_;
  const PackOptions& options_;
  std::string buffer_;
  std::map<std::pair<dev_t, ino_t>, std::string> linked_;
};

}  // namespace

Result<> pack(const Fd& directory, const std::string& name, const Sink& sink, const PackOptions& options) {
  Packer packer(sink, options);
  TRY(packer.add(directory, name, options.as.empty() ? name : options.as, options.follow_link, 0));
  return packer.finish();
}

}  // namespace sbx::archive
