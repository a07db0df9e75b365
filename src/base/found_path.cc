// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/found_path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <ranges>
#include <vector>

#include "base/text.h"

namespace sbx {
namespace {

constexpr int kMostLinks = 40;  // as the kernel

std::string descriptor_path(const Fd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

// One component of a path. `flags` beside O_PATH.
Fd look(const Fd& directory, const std::string& step, int flags) {
  return Fd(::openat(directory.get(), step.c_str(), O_PATH | O_CLOEXEC | flags));
}

Result<struct stat> status_of(const Fd& fd) {
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return fail_errno("look at a path");
  return info;
}

Result<std::string> text_of(const Fd& link) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlinkat(link.get(), "", text.data(), text.size());
  if (size < 0) return fail_errno("read a symbolic link");
  return std::string(text.data(), static_cast<std::size_t>(size));
}

// Only the kernel knows where such a link leads: what it says may be the path of something else.
bool is_on_proc(const Fd& link) {
  struct statfs info {};
  return ::fstatfs(link.get(), &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

bool means_directory(std::string_view path) { return path == "." || path.ends_with('/') || path.ends_with("/."); }

class Walk {
 public:
  Walk(const std::string& path, LastLink last, const SharedDirectories& shared)
      : path_(path), last_(last), shared_(shared) {}

  Result<FoundPath> run() {
    if (path_.empty()) return fail(Code::kNotFound, "a path is empty");
    TRY(begin("."));
    TRY(lay_out(path_));
    while (!ahead_.empty()) {
      const std::string step = std::move(ahead_.back());
      ahead_.pop_back();
      TRY_ASSIGN(auto found, step == ".." ? climb() : take(step));
      if (found) return std::move(*found);
    }
    return FoundPath{std::move(here_), ".", {}, true};
  }

 private:
  using Found = Result<std::optional<FoundPath>>;  // nothing: the walk goes on

  Result<> begin(const std::string& directory) {
    TRY_ASSIGN(Fd start, open_path(directory, O_PATH | O_DIRECTORY));
    shown_ = directory == "/" ? "/" : "";
    return jump_to(std::move(start));
  }

  // The path, or the text of a link in it: what is to be walked before all that is still ahead.
  Result<> lay_out(const std::string& text) {
    if (ahead_.empty() && means_directory(text)) wants_directory_ = true;
    const auto steps = split(text, '/');
    for (const std::string& step : steps | std::views::reverse)
      if (!step.empty() && step != ".") ahead_.push_back(step);
    return text.starts_with('/') ? begin("/") : Ok{};
  }

  Found take(const std::string& step) {
    // As a directory first: only then does the kernel mount what an automounter has there.
    if (Fd directory = look(here_, step, O_DIRECTORY | O_NOFOLLOW)) return enter(std::move(directory), step);
    Fd entry = look(here_, step, O_NOFOLLOW);
    if (!entry && errno == ENOENT && ahead_.empty()) return FoundPath{std::move(here_), step, {}};
    if (!entry) return fail_errno(path_);
    TRY_ASSIGN(const struct stat info, status_of(entry));
    if (S_ISDIR(info.st_mode)) return enter(std::move(entry), step);
    const bool kept = ahead_.empty() && last_ == LastLink::kKept && !wants_directory_;
    if (S_ISLNK(info.st_mode) && !kept) return follow(entry, step);
    return end_at({std::move(here_), step, std::move(entry)});
  }

  Found enter(Fd directory, const std::string& step) {
    TRY_ASSIGN(const struct stat info, status_of(directory));
    if (sandbox_.empty()) sandbox_ = shared_.sandbox_of(info.st_dev, info.st_ino);
    here_ = std::move(directory);
    shown_ = shown(step);
    return std::nullopt;
  }

  Found climb() {
    Fd parent = look(here_, "..", O_DIRECTORY);
    if (!parent) return fail_errno(path_);
    shown_ = shown("..");
    TRY(jump_to(std::move(parent)));
    return std::nullopt;
  }

  // To where the way so far does not tell whether it is in a shared directory.
  Result<> jump_to(Fd directory) {
    TRY_ASSIGN(sandbox_, shared_.sandbox_around(directory));
    here_ = std::move(directory);
    return Ok{};
  }

  Found end_at(FoundPath found) {
    if (!ahead_.empty() || wants_directory_) return fail_errno(path_, ENOTDIR);
    return found;
  }

  Found follow(const Fd& link, const std::string& step) {
    if (!sandbox_.empty()) return refuse(link, step);
    if (++links_ > kMostLinks) return fail_errno(path_, ELOOP);
    // The kernel goes first, because it may have a reason not to follow this one (fs.protected_symlinks).
    Fd target = look(here_, step, 0);
    if (!target && errno != ENOENT) return fail_errno(path_);
    if (target && is_on_proc(link)) return follow_descriptor(std::move(target), step);
    TRY_ASSIGN(const std::string text, text_of(link));
    TRY(lay_out(text));
    return std::nullopt;
  }

  Found follow_descriptor(Fd target, const std::string& step) {
    TRY_ASSIGN(const struct stat info, status_of(target));
    if (!S_ISDIR(info.st_mode)) return end_at({Fd(), step, std::move(target)});
    shown_ = shown(step);
    TRY(jump_to(std::move(target)));
    return std::nullopt;
  }

  Failure refuse(const Fd& link, const std::string& step) const {
    return fail(Code::kForbidden,
                printable(shown(step)) + " is a symbolic link to " + printable(text_of(link).value_or("somewhere")) +
                    ", which sandbox " + sandbox_ + " may have made: it is not followed",
                "look at it, and name the place that you mean by a path without that link");
  }

  // The way so far and one step, as the user would have to write it.
  std::string shown(const std::string& step) const {
    return shown_.empty() || shown_.ends_with('/') ? shown_ + step : shown_ + "/" + step;
  }

  const std::string& path_;
  const LastLink last_;
  const SharedDirectories& shared_;
  std::vector<std::string> ahead_;  // the next step is the last
  bool wants_directory_ = false;
  int links_ = 0;
  Fd here_;
  std::string shown_;
  std::string sandbox_;  // that can write to `here_`; empty: none can
};

}  // namespace

Result<FoundPath> find_path(const std::string& path, LastLink last, const SharedDirectories& shared) {
  return Walk(path, last, shared).run();
}

Result<std::string> canonical_path(const FoundPath& found) {
  std::array<char, PATH_MAX> path;
  const ssize_t size = ::readlink(descriptor_path(found.itself()).c_str(), path.data(), path.size());
  if (size < 0) return fail_errno("find out the path of " + found.name);
  return std::string(path.data(), static_cast<std::size_t>(size));
}

Result<Fd> open_to_read(const std::string& path, const SharedDirectories& shared) {
  TRY_ASSIGN(const FoundPath found, find_path(path, LastLink::kFollowed, shared));
  if (!found.itself()) return fail_errno(path, ENOENT);
  // By the descriptor, so that it is the file that was found.
  Fd file(::open(descriptor_path(found.itself()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail_errno("open " + path);
  return file;
}

}  // namespace sbx
