// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/changes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "archive/file_attributes.h"
#include "archive/writer.h"
#include "base/text.h"

namespace sbx::archive {
namespace {

constexpr std::size_t kCopySize = 256u << 10;
constexpr std::size_t kMostEntries = 4u << 20;  // as many as are unpacked again
constexpr std::int64_t kLargestBundle = 16 << 20;
constexpr std::size_t kLargestCertificate = 64u << 10;
constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kOpaque = ".wh..wh..opq";

// What was a file a moment ago may be a pipe now, hence O_NONBLOCK.
constexpr int kReading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

bool is_whiteout(const struct stat& info) { return S_ISCHR(info.st_mode) && info.st_rdev == makedev(0, 0); }

Failure changed(const std::string& path) {
  return fail(Code::kConflict, "pack " + printable(path) + ": it changed while it was read");
}

Result<std::vector<std::string>> names_sorted(const Fd& directory) {
  Fd copy(::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy ? ::fdopendir(copy.get()) : nullptr,
                                                    [](DIR* open) { return open == nullptr ? 0 : ::closedir(open); });
  if (!entries) return fail_errno("read a directory");
  copy.release();  // now the DIR's
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    if (names.size() == kMostEntries) return fail(Code::kTooLarge, "a directory has too many entries for a layer");
    names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ChangesPacker {
 public:
  ChangesPacker(const Fd& root, const Sink& sink, const ChangesOptions& options)
      : root_(root), options_(options), writer_(sink), buffer_(kCopySize, '\0') {}

  Result<std::int64_t> run() {
    certificate_ = authority();
    TRY(add_all(root_, ""));
    TRY(writer_.finish());
    return entries_;
  }

 private:
  // What became of a file or directory. One whose only content was left out is left out, too.
  enum class Fate { kWritten, kLeftOut };

  Result<Fate> add(const Fd& parent, const std::string& leaf, const std::string& path) {
    if (options_.left_out.has(path) || leaf.starts_with(kWhiteout)) return Fate::kLeftOut;
    if (path.size() >= kLongestName) return fail(Code::kTooLarge, "pack " + printable(path) + ": its path is too long");
    struct stat info {};
    if (::fstatat(parent.get(), leaf.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return changed(path);
    if (is_whiteout(info))
      return add_whiteout(path.substr(0, path.size() - leaf.size()) + std::string(kWhiteout) + leaf);
    if (S_ISDIR(info.st_mode)) return add_directory(parent, leaf, path);
    if (S_ISREG(info.st_mode)) return add_file(parent, leaf, path);
    if (S_ISLNK(info.st_mode)) return add_symlink(parent, leaf, path, info);
    if (!S_ISFIFO(info.st_mode)) return Fate::kLeftOut;
    TRY_ASSIGN(const Member entry, member_of(path, Type::kFifo, info));
    return write(entry);
  }

  // Whether something was left out.
  Result<bool> add_all(const Fd& directory, const std::string& above) {
    bool left_out = false;
    TRY_ASSIGN(const std::vector<std::string> names, names_sorted(directory));
    for (const std::string& name : names) {
      TRY_ASSIGN(const Fate fate, add(directory, name, above + name));
      if (fate == Fate::kLeftOut) left_out = true;
    }
    return left_out;
  }

  Result<Fate> add_whiteout(const std::string& path) {
    Member entry;
    entry.name = path;
    return write(entry);
  }

  // It is written when it is known that something in it is, or that it is a change by itself.
  Result<Fate> add_directory(const Fd& parent, const std::string& leaf, const std::string& path) {
    const Fd directory(::openat(parent.get(), leaf.c_str(), kReading | O_DIRECTORY));
    struct stat info {};
    if (!directory || ::fstat(directory.get(), &info) != 0) return changed(path);
    TRY_ASSIGN(Member entry, member_of(path + "/", Type::kDirectory, info));
    TRY_ASSIGN(FileAttributes attributes, attributes_of(directory, path));
    entry.attributes = std::move(attributes.kept);
    const std::size_t above = waiting_.size();
    waiting_.push_back(std::move(entry));
    if (attributes.opaque) {
      TRY(add_whiteout(path + "/" + std::string(kOpaque)));
    }
    TRY_ASSIGN(const bool left_out, add_all(directory, path + "/"));
    if (waiting_.size() <= above) return Fate::kWritten;
    if (!left_out) {
      TRY(write_waiting());
      return Fate::kWritten;
    }
    waiting_.pop_back();
    return Fate::kLeftOut;
  }

  Result<Fate> add_symlink(const Fd& parent, const std::string& leaf, const std::string& path,
                           const struct stat& info) {
    std::array<char, kLongestName> target;
    const ssize_t n = ::readlinkat(parent.get(), leaf.c_str(), target.data(), target.size());
    if (n < 0) return changed(path);
    TRY_ASSIGN(Member entry, member_of(path, Type::kSymlink, info));
    entry.mode = 0777;
    entry.link.assign(target.data(), static_cast<std::size_t>(n));
    return options_.left_out.has_link(path, entry.link) ? Result<Fate>(Fate::kLeftOut) : write(entry);
  }

  Result<Fate> add_file(const Fd& parent, const std::string& leaf, const std::string& path) {
    const Fd file(::openat(parent.get(), leaf.c_str(), kReading));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return changed(path);
    TRY_ASSIGN(FileAttributes attributes, attributes_of(file, path));
    if (options_.left_out.has_unchanged(path, attributes.init_mark, info.st_size, info.st_mtim.tv_sec,
                                        info.st_mtim.tv_nsec))
      return Fate::kLeftOut;
    TRY_ASSIGN(Member entry, member_of(path, Type::kFile, info));
    entry.attributes = std::move(attributes.kept);
    if (!certificate_.empty() && options_.left_out.is_bundle(path)) return add_bundle(file, entry, info);
    if (info.st_nlink > 1) {
      const auto [first, is_new] = linked_.emplace(std::pair(info.st_dev, info.st_ino), path);
      if (!is_new) return add_hard_link(first->second, std::move(entry));
    }
    entry.size = info.st_size;
    TRY(write(entry));
    TRY(copy(file, path, info.st_size));
    return Fate::kWritten;
  }

  Result<Fate> add_hard_link(const std::string& first, Member entry) {
    entry.type = Type::kHardLink;
    entry.link = first;
    entry.attributes.clear();  // those of the file that it is
    return write(entry);
  }

  Result<Fate> add_bundle(const Fd& file, Member& entry, const struct stat& info) {
    if (info.st_size > kLargestBundle)
      return fail(Code::kTooLarge, entry.name + " is too large for a store of authorities");
    TRY_ASSIGN(std::string content, read_all(file, kLargestBundle));
    content = without_authority(std::move(content), certificate_);
    if (content.empty()) return Fate::kLeftOut;  // made by init, where there was none
    entry.size = static_cast<std::int64_t>(content.size());
    TRY(write(entry));
    TRY(writer_.content(content));
    return Fate::kWritten;
  }

  Result<> copy(const Fd& file, const std::string& path, std::int64_t left) {
    while (left > 0) {
      const auto most = static_cast<std::size_t>(std::min<std::int64_t>(left, kCopySize));
      const ssize_t n = ::read(file.get(), buffer_.data(), most);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail_errno("pack " + printable(path));
      if (n == 0) return changed(path);
      TRY(writer_.content({buffer_.data(), static_cast<std::size_t>(n)}));
      left -= n;
    }
    return Ok{};
  }

  Result<Member> member_of(std::string path, Type type, const struct stat& info) const {
    Member entry;
    entry.type = type;
    entry.mode = info.st_mode & 07777;
    entry.mtime = info.st_mtim.tv_sec;
    entry.mtime_ns = info.st_mtim.tv_nsec;
    const auto uid = options_.uid(info.st_uid);
    const auto gid = options_.gid(info.st_gid);
    if (!uid || !gid)
      return fail(Code::kInvalid, "pack " + printable(path) + ": it belongs to no one of the sandbox's (" +
                                      std::to_string(info.st_uid) + ":" + std::to_string(info.st_gid) + ")");
    entry.uid = *uid;
    entry.gid = *gid;
    entry.name = std::move(path);
    return entry;
  }

  Result<FileAttributes> attributes_of(const Fd& fd, const std::string& path) const {
    auto attributes = file_attributes(fd, options_.uid);
    if (!attributes) return fail(std::move(attributes).error().within("pack " + printable(path)));
    return attributes;
  }

  Result<Fate> write(const Member& entry) {
    TRY(write_waiting());
    TRY(write_one(entry));
    return Fate::kWritten;
  }

  Result<> write_waiting() {
    for (const Member& directory : waiting_) TRY(write_one(directory));
    waiting_.clear();
    return Ok{};
  }

  Result<> write_one(const Member& entry) {
    if (++entries_ > static_cast<std::int64_t>(kMostEntries))
      return fail(Code::kTooLarge, "too many files for a layer");
    return writer_.add(entry);
  }

  // As the sandbox has it: of another one there is nothing to take out.
  std::string authority() const {
    const auto file = open_beneath(root_, std::string(kAuthorityPath), kReading);
    struct stat info {};
    if (!file || ::fstat(file->get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    return read_all(*file, kLargestCertificate).value_or("");
  }

  const Fd& root_;
  const ChangesOptions& options_;
  ArchiveWriter writer_;
  std::string buffer_;
  std::string certificate_;
  std::vector<Member> waiting_;  // the directories that we are in, as far as they are not written
  std::map<std::pair<dev_t, ino_t>, std::string> linked_;
  std::int64_t entries_ = 0;
};

}  // namespace

Result<std::int64_t> pack_changes(const Fd& directory, const Sink& sink, const ChangesOptions& options) {
  return ChangesPacker(directory, sink, options).run();
}

}  // namespace sbx::archive
