// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/own_root.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "archive/left_out.h"
#include "guest/boot/etc_file.h"

// <sys/mount.h> cannot be included beside <linux/mount.h> on every libc: the two clash.
extern "C" int umount2(const char*, int) noexcept;

namespace sbx::guest {
namespace {

constexpr int kDetach = 2;  // MNT_DETACH
constexpr std::uint64_t kInside = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
// Where the content of a cover is before it is mounted.
constexpr const char* kCover = "/.sandbox-cover";

struct Place {
  std::string parent;
  std::string leaf;
};

Place place_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

Fd open_resolving(const Fd& directory, const std::string& path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = resolve;
  return Fd(static_cast<int>(::syscall(SYS_openat2, directory.get(), path.c_str(), &how, sizeof how)));
}

bool is_forbidden(const Error& error) { return error.code() == Code::kForbidden; }

Failure left_alone(const std::string& path) {
  return fail(Code::kForbidden, path + " is on a mount of the host's and is left as it is");
}

std::string place_of(const Fd& fd) {
  std::string text(4096, '\0');
  const std::string link = "/proc/self/fd/" + std::to_string(fd.get());
  const ssize_t size = ::readlink(link.c_str(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

struct stat owned_by_us(unsigned mode) {
  struct stat like {};
  like.st_uid = ::geteuid();
  like.st_gid = ::getegid();
  like.st_mode = mode;
  return like;
}

Result<Fd> make_file(const Fd& parent, const std::string& leaf, std::string_view content, const struct stat& like) {
  ::unlinkat(parent.get(), leaf.c_str(), 0);  // what an interrupted start left behind
  Fd file(::openat(parent.get(), leaf.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return fail_errno("make " + leaf);
  TRY_WITHIN("write " + leaf, write_all(file, content));
  if (::fchown(file.get(), like.st_uid, like.st_gid) != 0) return fail_errno("set the owner of " + leaf);
  if (::fchmod(file.get(), like.st_mode & 07777) != 0) return fail_errno("set the mode of " + leaf);
  return file;
}

std::string attribute_of(const Fd& file, const char* name) {
  std::array<char, 512> value;
  const ssize_t size = ::fgetxattr(file.get(), name, value.data(), value.size());
  return size > 0 ? std::string(value.data(), static_cast<std::size_t>(size)) : std::string();
}

std::string mark_of(const Fd& file, const std::string& path) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return {};
  return archive::init_mark(path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

// Whether a file is as init made it, or not there at all.
bool is_unchanged(const Fd& parent, const std::string& leaf, const std::string& path) {
  const Fd file(::openat(parent.get(), leaf.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) return errno == ENOENT;
  const std::string mark = attribute_of(file, archive::kInitMark);
  return !mark.empty() && mark == mark_of(file, path);
}

// A file system without such attributes does without: then a layer that is made of the sandbox has a file too many.
void set_mark(const Fd& file, const std::string& mark) {
  (void)::fsetxattr(file.get(), archive::kInitMark, mark.data(), mark.size(), 0);
}

Result<> replace(const Fd& parent, const std::string& path, std::string_view content, unsigned mode, bool is_ours) {
  const std::string leaf = place_of(path).leaf;
  struct stat like {};
  if (::fstatat(parent.get(), leaf.c_str(), &like, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(like.st_mode))
    like = owned_by_us(mode);
  const std::string temporary = leaf + ".sandbox-init";
  Result<> written = Ok{};
  const auto file = make_file(parent, temporary, content, like);
  if (file && (is_ours || is_unchanged(parent, leaf, path))) set_mark(*file, mark_of(*file, path));
  if (!file)
    written = fail(file.error());
  else if (::renameat(parent.get(), temporary.c_str(), parent.get(), leaf.c_str()) != 0)
    written = fail_errno("replace " + leaf);
  if (!written) ::unlinkat(parent.get(), temporary.c_str(), 0);
  return written;
}

// By descriptor at both ends, because the user's directory may change under us.
Result<> mount_over(const Fd& file, const Fd& place) {
  const Fd tree(
      static_cast<int>(::syscall(SYS_open_tree, file.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH)));
  if (!tree) return fail_errno("take the cover");
  constexpr unsigned kBoth = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  if (::syscall(SYS_move_mount, tree.get(), "", place.get(), "", kBoth) != 0) return fail_errno("mount the cover");
  return Ok{};
}

}  // namespace

Result<OwnRoot> OwnRoot::open(const std::string& directory) {
  TRY_ASSIGN(Fd root, open_path(directory.empty() ? "/" : directory, O_PATH | O_DIRECTORY));
  return OwnRoot(std::move(root));
}

Result<Fd> OwnRoot::open_any(const std::string& path, int flags) const {
  Fd fd = open_resolving(root_, path, flags, kInside);
  if (!fd) return fail_errno("open " + path);
  return fd;
}

Result<Fd> OwnRoot::open_own(const std::string& path, int flags) const {
  Fd fd = open_resolving(root_, path, flags, kInside | RESOLVE_NO_XDEV);
  if (!fd && errno == EXDEV) return left_alone(path);
  if (!fd) return fail_errno("open " + path);
  return fd;
}

bool OwnRoot::exists(const std::string& path) const { return open_any(path, O_PATH).has_value(); }

bool OwnRoot::holds(const std::string& path) const { return open_own(path, O_PATH).has_value(); }

Result<std::string> OwnRoot::read(const std::string& path) const {
  TRY_ASSIGN(const Fd file, open_any(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  return read_etc_file(file, path);
}

Result<std::string> OwnRoot::read_to_change(const std::string& path) const {
  auto content = read(path);
  if (!content && content.error().code() == Code::kNotFound) return std::string();
  return content;
}

Result<std::string> OwnRoot::resolved(const std::string& path) const {
  TRY_ASSIGN(const Fd fd, open_any(path, O_PATH));
  const std::string root = place_of(root_);
  const std::string place = place_of(fd);
  const std::string inside = root == "/" ? place : place.substr(std::min(root.size(), place.size()));
  if (!place.starts_with(root) || !inside.starts_with('/')) return fail(Code::kConflict, "find " + path);
  return inside;
}

Result<> OwnRoot::write(const std::string& path, std::string_view content, unsigned mode) const {
  const auto [parent_path, leaf] = place_of(path);
  const auto parent = open_own(parent_path, O_PATH | O_DIRECTORY);
  if (!parent && is_forbidden(parent.error())) return cover(path, content, mode);
  if (!parent) return fail(parent.error());
  // The file may be a mount by itself.
  if (!open_resolving(*parent, leaf, O_PATH | O_NOFOLLOW, RESOLVE_BENEATH | RESOLVE_NO_XDEV) && errno == EXDEV)
    return cover(path, content, mode);
  TRY_WITHIN(parent_path, replace(*parent, path, content, mode, is_first_start()));
  return Ok{};
}

bool OwnRoot::is_first_start() const {
  const Fd root(::openat(root_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return root && attribute_of(root, archive::kInitMark).empty();
}

void OwnRoot::end_first_start() const {
  const Fd root(::openat(root_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (root && attribute_of(root, archive::kInitMark).empty()) set_mark(root, "started");
}

// What was mounted there and has lost its name, as our covers have: nothing can be mounted on that.
Result<Fd> OwnRoot::uncovered(const std::string& path) const {
  TRY_ASSIGN(Fd place, open_any(path, O_PATH));
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return fail_errno("stat " + path);
  if (!S_ISREG(info.st_mode)) return left_alone(path);
  if (info.st_nlink > 0) return place;
  const std::string mounted = "/proc/self/fd/" + std::to_string(place.get());
  if (::umount2(mounted.c_str(), kDetach) != 0) return fail_errno("uncover " + path);
  return open_any(path, O_PATH);
}

// The file that is mounted loses its name on our root and lives as long as the mount.
Result<> OwnRoot::cover(const std::string& path, std::string_view content, unsigned mode) const {
  const auto place = uncovered(path);
  if (!place && place.error().code() == Code::kNotFound) return left_alone(path);
  if (!place) return fail(place.error());
  TRY_ASSIGN(const Fd root, open_own("/", O_PATH | O_DIRECTORY));
  const std::string leaf = kCover + 1;
  TRY_ASSIGN(const Fd file, make_file(root, leaf, content, owned_by_us(mode)));
  auto covered = mount_over(file, *place);
  ::unlinkat(root.get(), leaf.c_str(), 0);
  if (!covered) return fail(std::move(covered).error().within("cover " + path));
  return Ok{};
}

Result<Fd> OwnRoot::make_directories(const std::string& path, unsigned mode) const {
  auto directory = open_own(path, O_PATH | O_DIRECTORY);
  if (directory || directory.error().code() != Code::kNotFound || path == "/") return directory;
  const auto [parent_path, leaf] = place_of(path);
  TRY_ASSIGN(const Fd parent, make_directories(parent_path, mode));
  if (::mkdirat(parent.get(), leaf.c_str(), mode) != 0 && errno != EEXIST) return fail_errno("make directory " + path);
  return open_own(path, O_PATH | O_DIRECTORY);
}

Result<> OwnRoot::link(const std::string& target, const std::string& path) const {
  const auto [parent_path, leaf] = place_of(path);
  TRY_ASSIGN(const Fd parent, open_own(parent_path, O_PATH | O_DIRECTORY));
  if (::symlinkat(target.c_str(), parent.get(), leaf.c_str()) != 0 && errno != EEXIST)
    return fail_errno("link " + path);
  return Ok{};
}

}  // namespace sbx::guest
