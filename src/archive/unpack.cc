// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "archive/unpack.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "archive/name.h"
#include "archive/reader.h"
#include "base/text.h"

namespace sbx::archive {
namespace {

constexpr std::size_t kMostPostponed = 64u << 20;  // bytes of directory names kept until the end

using Components = std::vector<std::string>;

std::array<timespec, 2> times_of(const Member& entry) {
  const timespec modified{entry.mtime, static_cast<long>(entry.mtime_ns)};
  return {timespec{0, UTIME_OMIT}, modified};
}

// As open_beneath, but kForbidden where it would leave the mount that the directory is on, too.
Result<Fd> open_on_same_mount(const Fd& directory, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  Fd fd(static_cast<int>(::syscall(SYS_openat2, directory.get(), path.c_str(), &how, sizeof how)));
  if (!fd && errno == EXDEV) return fail(Code::kForbidden, path + " is on another mount");
  if (!fd) return fail_errno("open " + path);
  return fd;
}

class Unpacker {
 public:
  Unpacker(const Source& source, const Fd& root, const UnpackOptions& options)
      : reader_(source), root_(root), options_(options) {}

  Result<> run() {
    for (;;) {
      TRY_ASSIGN(const auto entry, reader_.next());
      if (!entry) return finish_directories();
      TRY_WITHIN("unpack " + printable(entry->name), make(*entry));
    }
  }

 private:
  // A directory of the destination and a name in it: all that is ever handed to the kernel.
  struct Place {
    const Fd& parent;
    std::string leaf;
  };

  struct Postponed {
    std::string path;
    unsigned mode;
    std::array<timespec, 2> times;
  };

  Result<Components> path_of(const std::string& name) const {
    TRY_ASSIGN(Components path, components_of(name));
    if (!options_.rename.empty() && !path.empty()) path.front() = options_.rename;
    return path;
  }

  Result<Fd> enter(const Fd& directory, const std::string& step) const {
    constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW;
    return options_.keeps_what_is_there ? open_on_same_mount(directory, step, kFlags)
                                        : open_beneath(directory, step, kFlags);
  }

  // Made where it is missing, one step at a time, so that no step can pass through a symbolic link.
  Result<Fd> directory_at(const Components& path) const {
    TRY_ASSIGN(Fd current, open_beneath(root_, ".", O_PATH | O_DIRECTORY));
    for (const auto& step : path) {
      auto next = enter(current, step);
      if (!next && next.error().code() == Code::kNotFound) {
        if (::mkdirat(current.get(), step.c_str(), 0755) != 0 && errno != EEXIST)
          return fail_errno("make directory " + printable(step));
        next = enter(current, step);
      }
      if (!next) return fail(std::move(next).error());
      current = std::move(*next);
    }
    return current;
  }

  // Entries come directory by directory, so the last parent is kept open. We never remove a directory, and a
  // descriptor cannot be redirected, so it stays right.
  Result<Place> place_of(Components path) {
    std::string leaf = std::move(path.back());
    path.pop_back();
    if (!parent_ || path != parent_path_) {
      TRY_ASSIGN(parent_, directory_at(path));
      parent_path_ = std::move(path);
    }
    return Place{parent_, std::move(leaf)};
  }

  Result<> make(const Member& entry) {
    if (entry.type == Type::kOther) {
      options_.warn(printable(entry.name) + ": left out, not a file, directory or link");
      return Ok{};
    }
    TRY_ASSIGN(Components path, path_of(entry.name));
    if (path.empty() && entry.type == Type::kDirectory) return Ok{};  // the destination is as it is
    if (path.empty()) return fail(Code::kForbidden, "it would replace the destination");
    const std::string joined = join(path, "/");
    auto found = place_of(std::move(path));
    if (options_.keeps_what_is_there && is_taken(found)) return Ok{};
    TRY_ASSIGN(const Place place, std::move(found));
    switch (entry.type) {
      case Type::kDirectory:
        return make_directory(entry, place, joined);
      case Type::kSymlink:
        return make_symlink(entry, place);
      case Type::kHardLink:
        return make_hard_link(entry, place, joined);
      default:
        return make_file(entry, place);
    }
  }

  // Also by a mount on the way to it.
  static bool is_taken(const Result<Place>& place) {
    if (!place) return place.error().code() == Code::kForbidden;
    struct stat info {};
    return ::fstatat(place->parent.get(), place->leaf.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
  }

  static Result<> remove(const Place& place) {
    if (::unlinkat(place.parent.get(), place.leaf.c_str(), 0) == 0 || errno == ENOENT) return Ok{};
    if (errno == EISDIR) return fail(Code::kConflict, "a directory is in its place");
    return fail_errno("replace what is there");
  }

  Result<> make_directory(const Member& entry, const Place& place, const std::string& path) {
    const mode_t mode = (entry.mode & 0777) | 0700;  // we have to get in; the true mode comes last
    int made = ::mkdirat(place.parent.get(), place.leaf.c_str(), mode);
    if (made != 0 && errno == EEXIST) {
      if (open_beneath(place.parent, place.leaf, O_PATH | O_DIRECTORY | O_NOFOLLOW)) return Ok{};  // stays as it is
      TRY(remove(place));
      made = ::mkdirat(place.parent.get(), place.leaf.c_str(), mode);
    }
    if (made != 0) return fail_errno("make directory");
    postponed_size_ += path.size() + sizeof(Postponed);
    // Beyond the bound a directory keeps its working mode and the present time: wrong by a little, never unsafe.
    if (postponed_size_ < kMostPostponed) postponed_.push_back({path, entry.mode & 0777, times_of(entry)});
    return Ok{};
  }

  static Result<Fd> create(const Place& place) {
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    auto file = open_beneath(place.parent, place.leaf, kNew, 0600);
    if (file || file.error().code() != Code::kConflict) return file;
    TRY(remove(place));
    return open_beneath(place.parent, place.leaf, kNew, 0600);
  }

  Result<> make_file(const Member& entry, const Place& place) {
    TRY_ASSIGN(const Fd file, create(place));
    for (;;) {
      TRY_ASSIGN(const std::string_view bytes, reader_.content());
      if (bytes.empty()) break;
      TRY(write_all(file, bytes));
    }
    if (::fchmod(file.get(), entry.mode & 0777) != 0) return fail_errno("set its mode");
    if (::futimens(file.get(), times_of(entry).data()) != 0) return fail_errno("set its time");
    return Ok{};
  }

  Result<> make_symlink(const Member& entry, const Place& place) {
    if (entry.link.empty()) return fail(Code::kInvalid, "a link to nowhere");
    TRY(remove(place));
    if (::symlinkat(entry.link.c_str(), place.parent.get(), place.leaf.c_str()) != 0)
      return fail_errno("make the link");
    if (::utimensat(place.parent.get(), place.leaf.c_str(), times_of(entry).data(), AT_SYMLINK_NOFOLLOW) != 0)
      return fail_errno("set its time");
    return Ok{};
  }

  Result<> make_hard_link(const Member& entry, const Place& place, const std::string& path) {
    TRY_ASSIGN(Components target, path_of(entry.link));
    if (target.empty()) return fail(Code::kForbidden, "a hard link to the destination");
    if (join(target, "/") == path) return Ok{};  // to itself: removing it first would lose it
    const std::string leaf = std::move(target.back());
    target.pop_back();
    TRY_ASSIGN(const Fd parent, directory_at(target));
    TRY(remove(place));
    // Without AT_SYMLINK_FOLLOW a link to a symbolic link is one more name for it, and leads nowhere new.
    if (::linkat(parent.get(), leaf.c_str(), place.parent.get(), place.leaf.c_str(), 0) != 0)
      return fail_errno("link to " + printable(entry.link));
    return Ok{};
  }

  // Children first: a directory without write permission, or with its old time, must not be written to any more.
  Result<> finish_directories() {
    for (auto it = postponed_.rbegin(); it != postponed_.rend(); ++it) {
      auto directory = open_beneath(root_, it->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (!directory) return fail(std::move(directory).error());
      if (::fchmod(directory->get(), it->mode) != 0) return fail_errno("set the mode of " + printable(it->path));
      if (::futimens(directory->get(), it->times.data()) != 0)
        return fail_errno("set the time of " + printable(it->path));
    }
    return Ok{};
  }

  ArchiveReader reader_;
  const Fd& root_;
  const UnpackOptions& options_;
  Fd parent_;
  Components parent_path_;
  std::vector<Postponed> postponed_;
  std::size_t postponed_size_ = 0;
};

}  // namespace

Result<> unpack(const Source& source, const Fd& directory, const UnpackOptions& options) {
  return Unpacker(source, directory, options).run();
}

}  // namespace sbx::archive
