// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "sandboxes/mount_rules.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/fd.h"
#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

namespace sbx::sandboxes {
namespace {

enum class Reach { kItself, kAllBelow };
enum class Access { kAny, kWriting };  // what is refused

struct Place {
  std::string_view path;
  Reach reach;
  Access access;
  std::string_view what;
};

constexpr std::string_view kPrograms = "the host's programs are in it";
constexpr std::string_view kKernel = "it is the host's kernel that one sees there";
constexpr std::string_view kSockets = "sockets of the host's services are in it";
constexpr std::string_view kData = "the host's services keep their data in it";
constexpr std::string_view kUsers = "the homes of all users are in it";

constexpr Place kSystemPlaces[] = {
    {"/", Reach::kItself, Access::kAny, "it is the whole host"},
    {"/bin", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/sbin", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/lib", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/lib32", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/lib64", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/libx32", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/usr", Reach::kAllBelow, Access::kWriting, kPrograms},
    {"/boot", Reach::kAllBelow, Access::kWriting, "the host boots from it"},
    {"/etc", Reach::kAllBelow, Access::kWriting, "the host's settings are in it"},
    {"/dev", Reach::kAllBelow, Access::kAny, "the host's devices are in it"},
    {"/proc", Reach::kAllBelow, Access::kAny, kKernel},
    {"/sys", Reach::kAllBelow, Access::kAny, kKernel},
    {"/run", Reach::kAllBelow, Access::kAny, kSockets},
    {"/tmp", Reach::kItself, Access::kAny, "files and sockets of every program are in it"},
    {"/var", Reach::kItself, Access::kWriting, kData},
    {"/var/lib", Reach::kItself, Access::kWriting, kData},
    {"/var/cache", Reach::kItself, Access::kWriting, kData},
    {"/var/log", Reach::kItself, Access::kWriting, kData},
    {"/var/spool", Reach::kAllBelow, Access::kWriting, kData},
    {"/var/lib/dpkg", Reach::kAllBelow, Access::kWriting, kData},
    {"/var/lib/systemd", Reach::kAllBelow, Access::kWriting, kData},
    {"/home", Reach::kItself, Access::kAny, kUsers},
    {"/root", Reach::kItself, Access::kAny, "it is the home of root"},
};

// Below system directories, and yet the user's: what lies in them.
constexpr std::string_view kUsersOwn[] = {"/usr/src", "/usr/local/src", "/run/media"};

constexpr std::string_view kNeeds = "the sandbox does not run without its own";
constexpr std::string_view kOwnFile = "the sandbox makes its own there";

struct Target {
  std::string_view path;
  Reach reach;
  std::string_view why;
};

constexpr Target kGuestPlaces[] = {
    {"/", Reach::kItself, "it is the root of the sandbox"},
    {"/proc", Reach::kAllBelow, kNeeds},
    {"/sys", Reach::kAllBelow, kNeeds},
    {"/dev", Reach::kAllBelow, kNeeds},
    {"/bin", Reach::kItself, kNeeds},
    {"/sbin", Reach::kItself, kNeeds},
    {"/lib", Reach::kItself, kNeeds},
    {"/lib32", Reach::kItself, kNeeds},
    {"/lib64", Reach::kItself, kNeeds},
    {"/libx32", Reach::kItself, kNeeds},
    {"/usr", Reach::kItself, kNeeds},
    {"/usr/bin", Reach::kItself, kNeeds},
    {"/usr/sbin", Reach::kItself, kNeeds},
    {"/usr/lib", Reach::kItself, kNeeds},
    {"/usr/lib32", Reach::kItself, kNeeds},
    {"/usr/lib64", Reach::kItself, kNeeds},
    {"/usr/libx32", Reach::kItself, kNeeds},
    {"/etc", Reach::kItself, kNeeds},
    {"/run", Reach::kItself, kNeeds},
    {"/var", Reach::kItself, kNeeds},
    {"/var/run", Reach::kItself, kNeeds},
    {"/run/sandbox", Reach::kAllBelow, kNeeds},
    {"/run/sandbox-shared", Reach::kAllBelow, kNeeds},
    {"/.sandbox-init", Reach::kAllBelow, kNeeds},
    {"/etc/passwd", Reach::kAllBelow, kOwnFile},
    {"/etc/group", Reach::kAllBelow, kOwnFile},
    {"/etc/shadow", Reach::kAllBelow, kOwnFile},
    {"/etc/gshadow", Reach::kAllBelow, kOwnFile},
    {"/etc/sudoers", Reach::kAllBelow, kOwnFile},
    {"/etc/sudoers.d", Reach::kAllBelow, kOwnFile},
    {"/etc/hostname", Reach::kAllBelow, kOwnFile},
    {"/etc/hosts", Reach::kAllBelow, "the sandbox makes its own there; --add-host adds to it"},
    {"/etc/resolv.conf", Reach::kAllBelow, "the sandbox makes its own there"},
};

bool is_below(std::string_view path, std::string_view directory) {
  if (directory == "/") return path != "/";
  return path.starts_with(directory) && path.substr(directory.size()).starts_with('/');
}

bool is_or_is_below(std::string_view path, std::string_view directory) {
  return path == directory || is_below(path, directory);
}

bool is_normalised(const std::string& path) {
  if (path.size() > 1 && path.ends_with('/')) return false;
  const auto parts = split(path.substr(1), '/');
  return std::ranges::none_of(parts,
                              [](const std::string& part) { return part.empty() || part == "." || part == ".."; });
}

bool is_plain_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// Also under another name: by a bind mount.
bool is_same(const std::string& path, std::string_view other) {
  struct stat one {};
  struct stat two {};
  return ::stat(path.c_str(), &one) == 0 && ::stat(std::string(other).c_str(), &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

bool is_in(const std::string& path, const Place& place) {
  if (is_same(path, place.path)) return true;
  return place.reach == Reach::kAllBelow ? is_or_is_below(path, place.path) : path == place.path;
}

bool is_home(const std::string& path, const HostPlaces& places) {
  return std::ranges::find(places.homes, path) != places.homes.end();
}

bool contains_home(const std::string& path, const HostPlaces& places) {
  return std::ranges::any_of(places.homes, [&](const std::string& home) { return is_or_is_below(home, path); });
}

Failure refuse(const wire::Mount& mount, std::string_view why, std::string hint) {
  return fail(Code::kInvalid, printable(mount.source) + ": " + std::string(why), std::move(hint));
}

Failure refuse_place(const wire::Mount& mount, const Place& place) {
  std::string hint = "choose a directory of a project";
  if (place.access == Access::kWriting) hint += ", or give it read only: -v " + mount.source + ":TARGET:ro";
  return refuse(mount, place.what, std::move(hint));
}

// A secret that something puts below /run is no socket.
bool is_readable_file(const wire::Mount& mount, const Place& place) {
  return mount.readonly && place.path == "/run" && is_plain_file(mount.source);
}

Result<> check_system_places(const wire::Mount& mount, const HostPlaces& places) {
  const std::string& path = mount.source;
  if (is_home(path, places)) return Ok{};  // /root is one; what is said of homes says more
  if (std::ranges::any_of(kUsersOwn, [&](std::string_view own) { return is_below(path, own); })) return Ok{};
  for (const Place& place : kSystemPlaces) {
    if (!is_in(path, place) || (place.access == Access::kWriting && mount.readonly)) continue;
    if (!is_readable_file(mount, place)) return refuse_place(mount, place);
  }
  return Ok{};
}

Result<> check_homes(const wire::Mount& mount, bool allow_home, const HostPlaces& places) {
  if (allow_home || !contains_home(mount.source, places)) return Ok{};
  return refuse(mount, "it is or contains your home directory, where keys, logins and shell start files are",
                "choose a directory in it, or give all of it away with --allow-home");
}

Result<> check_runtime_directory(const wire::Mount& mount, const HostPlaces& places) {
  const std::string& directory = places.runtime_directory;
  if (directory.empty()) return Ok{};
  const bool allowed_home = contains_home(mount.source, places);  // or check_homes would have refused it
  if (!is_or_is_below(mount.source, directory) && (allowed_home || !is_below(directory, mount.source))) return Ok{};
  return refuse(mount, sbx::format("{} (XDG_RUNTIME_DIR is {})", kSockets, directory),
                "choose a directory of a project");
}

Result<> check_state(const wire::Mount& mount, const HostPlaces& places) {
  const bool hidden = contains_home(mount.source, places) && is_below(places.state, mount.source);
  if (hidden || (!is_or_is_below(mount.source, places.state) && !is_below(places.state, mount.source))) return Ok{};
  return refuse(mount, "it holds the sandboxes' own state (" + places.state + ")",
                "choose a directory that is neither in nor above it");
}

std::string canonical_or_same(const std::string& path) { return canonical_path(path).value_or(path); }

void add_home(std::vector<std::string>& homes, const char* path) {
  if (path == nullptr || *path != '/') return;
  std::string home = canonical_or_same(path);
  if (home != "/" && std::ranges::find(homes, home) == homes.end()) homes.push_back(std::move(home));
}

// Daemons of services have an account and no home to speak of.
std::string account_home() {
  std::array<char, 16384> buffer;
  passwd account{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &account, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_dir;
}

Result<> check_inside(const wire::Mount& outer, const wire::Mount& inner) {
  const std::string rest = inner.target.substr(outer.target.size() + 1);
  const auto failed = [&](const char* why) {
    return fail(Code::kInvalid,
                "mount target " + printable(inner.target) + ": in " + printable(outer.source) + " there is no " +
                    printable(rest) + why,
                "mkdir -p " + outer.source + "/" + rest);
  };
  TRY_ASSIGN(const Fd directory, open_without_links(outer.source, O_PATH));
  const auto place = open_beneath(directory, rest, O_PATH | O_NOFOLLOW);
  if (!place) return failed(" to mount it on");
  struct stat info {};
  struct stat source {};
  if (::fstat(place->get(), &info) != 0 || ::stat(inner.source.c_str(), &source) != 0) return fail_errno(inner.target);
  if (S_ISLNK(info.st_mode) || S_ISDIR(info.st_mode) != S_ISDIR(source.st_mode)) return failed(" of its kind");
  return Ok{};
}

}  // namespace

HostPlaces HostPlaces::find(const std::string& state) {
  HostPlaces places;
  places.state = canonical_or_same(state);
  add_home(places.homes, std::getenv("HOME"));
  add_home(places.homes, account_home().c_str());
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') places.runtime_directory = canonical_or_same(runtime);
  return places;
}

Result<> check_source(const wire::Mount& mount, bool allow_home, const HostPlaces& places) {
  TRY(check_system_places(mount, places));
  TRY(check_homes(mount, allow_home, places));
  TRY(check_runtime_directory(mount, places));
  return check_state(mount, places);
}

Result<> check_target(const std::string& target) {
  const auto refused = [&target](std::string_view why) {
    return fail(Code::kInvalid, "mount target " + printable(target) + ": " + std::string(why));
  };
  if (!target.starts_with('/')) return refused("it must be an absolute path");
  if (target != "/" && !is_normalised(target))
    return refused("it must not contain \"//\", \".\", \"..\" or end in \"/\"");
  for (const Target& place : kGuestPlaces)
    if (target == place.path || (place.reach == Reach::kAllBelow && is_below(target, place.path)))
      return refused(place.why);
  return Ok{};
}

Result<> check_nested(const std::vector<wire::Mount>& mounts) {
  for (const auto& inner : mounts) {
    const wire::Mount* outer = nullptr;  // the innermost of those that it lies in
    for (const auto& other : mounts)
      if (is_below(inner.target, other.target) && (outer == nullptr || is_below(other.target, outer->target)))
        outer = &other;
    if (outer != nullptr) TRY(check_inside(*outer, inner));
  }
  return Ok{};
}

}  // namespace sbx::sandboxes
