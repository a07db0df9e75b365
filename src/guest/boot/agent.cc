// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/agent.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "archive/pack.h"
#include "archive/unpack.h"
#include "base/fd.h"
#include "base/text.h"
#include "guest/boot/mount_points.h"
#include "guest/boot/own_root.h"

namespace sbx::guest {
namespace {

struct Membership {
  std::string_view group;
  gid_t gid;  // Debian's, where it has one
};
constexpr Membership kMemberships[] = {{"sudo", 27}, {"docker", 998}};
constexpr gid_t kLargestSystemGid = 999;
constexpr std::size_t kLargestSkeleton = 16u << 20;

// By number, so that it holds for whatever name the template gave to uid 1000.
std::string sudoers_line(const Account& account) {
  return "#" + std::to_string(account.uid) + " ALL=(ALL:ALL) NOPASSWD:ALL\n";
}

std::string ended_line(std::string_view text) {
  std::string out(text);
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

// A name without a line in the shadow files works, but passwd and usermod complain about it.
Result<> ensure_shadow_line(const OwnRoot& root, const std::string& path, std::string_view name,
                            std::string_view rest) {
  const auto text = root.read(path);
  if (!text) return Ok{};  // a system without shadow passwords
  const std::string start = std::string(name) + ":";
  if (text->starts_with(start) || text->find("\n" + start) != std::string::npos) return Ok{};
  return root.write(path, ended_line(*text) + start + std::string(rest) + "\n", 0640);
}

struct Ensured {
  Account account;
  bool added = false;
};

Result<Ensured> ensure_account(const OwnRoot& root) {
  TRY_ASSIGN(const std::string text, root.read_to_change("/etc/passwd"));
  if (auto found = find_agent(text)) return Ensured{*std::move(found)};
  const std::string shell = root.exists("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const Account account{std::string(kAgentName), kAgentUid, kAgentUid, "/home/agent", shell};
  TRY(root.write("/etc/passwd", with_account(text, account), 0644));
  TRY(ensure_shadow_line(root, "/etc/shadow", account.name, "*:19000:0:99999:7:::"));
  return Ensured{account, true};
}

Result<> ensure_groups(const OwnRoot& root, const Account& account) {
  TRY_ASSIGN(const std::string before, root.read_to_change("/etc/group"));
  std::string after = is_taken(before, account.gid) ? before : with_group(before, account.name, account.gid);
  for (const auto& membership : kMemberships) {
    after = with_group(after, membership.group, membership.gid);
    after = with_member(after, membership.group, account.name);
    TRY(ensure_shadow_line(root, "/etc/gshadow", membership.group, "!::" + account.name));
  }
  return before == after ? Ok{} : root.write("/etc/group", after, 0644);
}

Result<> ensure_sudo(const OwnRoot& root, const Account& account) {
  if (root.exists("/etc/sudoers.d/agent")) return Ok{};
  TRY(root.make_directories("/etc/sudoers.d", 0755));
  // SECURITY: root without a password. The guest's root has no rights outside: the border is the machine, not the user.
  return root.write("/etc/sudoers.d/agent", sudoers_line(account), 0440);
}

// While it lives, files are made with this owner.
class ActingAs {
 public:
  explicit ActingAs(const Account& account) {
    ::setfsgid(account.gid);
    ::setfsuid(account.uid);
  }
  ActingAs(const ActingAs&) = delete;
  ActingAs& operator=(const ActingAs&) = delete;
  ~ActingAs() {
    ::setfsuid(::geteuid());
    ::setfsgid(::getegid());
  }
};

Result<std::string> packed_skeleton(const OwnRoot& root) {
  TRY_ASSIGN(const Fd etc, root.open_own("/etc", O_PATH | O_DIRECTORY));
  std::string packed;
  const archive::Sink sink = [&packed](std::string_view bytes) -> Result<> {
    packed.append(bytes);
    if (packed.size() > kLargestSkeleton) return fail(Code::kTooLarge, "/etc/skel is too large");
    return Ok{};
  };
  TRY(archive::pack(etc, "skel", sink, {.as = "."}));
  return packed;
}

// What is there stays as it is: it may be a mount of the user's.
Result<> fill_home(const OwnRoot& root, const Fd& home, const Account& account) {
  if (!root.exists("/etc/skel")) return Ok{};
  TRY_ASSIGN(const std::string packed, packed_skeleton(root));
  std::string_view rest = packed;
  const archive::Source source = [&rest](std::span<char> buffer) -> Result<std::size_t> {
    const std::size_t n = rest.copy(buffer.data(), buffer.size());
    rest.remove_prefix(n);
    return n;
  };
  archive::UnpackOptions options;
  options.keeps_what_is_there = true;
  const ActingAs owner(account);
  return archive::unpack(source, home, options);
}

Result<> give(const Fd& directory, const std::string& path, const Account& account) {
  if (::fchownat(directory.get(), "", account.uid, account.gid, AT_EMPTY_PATH) != 0)
    return fail_errno("set the owner of " + path);
  return Ok{};
}

Result<bool> is_roots(const Fd& directory, const std::string& path) {
  struct stat info {};
  if (::fstat(directory.get(), &info) != 0) return fail_errno("stat " + path);
  return info.st_uid == 0;
}

// A home that was not there yet was made, as root, for a mount in it.
Result<> ensure_home(const OwnRoot& root, const Account& account, bool added) {
  if (!account.home.starts_with('/')) return Ok{};
  const bool there = root.exists(account.home);
  if (there && (!added || !root.holds(account.home))) return Ok{};
  TRY_ASSIGN(const Fd home, root.make_directories(account.home, 0755));
  TRY_ASSIGN(const bool made_by_root, is_roots(home, account.home));
  if (there && !made_by_root) return Ok{};
  TRY(give(home, account.home, account));
  return fill_home(root, home, account);
}

// The same for the directories between a home and a mount in it.
Result<> give_parents_of_mounts(const OwnRoot& root, const Account& account) {
  if (account.uid == 0 || account.home.size() < 2) return Ok{};
  for (const std::string& path : directories_above_mounts(account.home)) {
    const auto directory = root.open_own(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    if (!directory) continue;  // on a mount of the user's
    TRY_ASSIGN(const bool made_by_root, is_roots(*directory, path));
    if (made_by_root) TRY(give(*directory, path, account));
  }
  return Ok{};
}

}  // namespace

std::string with_account(std::string_view passwd, const Account& account) {
  return ended_line(passwd) + account.name + ":x:" + std::to_string(account.uid) + ":" + std::to_string(account.gid) +
         "::" + account.home + ":" + account.shell + "\n";
}

std::string with_group(std::string_view group, std::string_view name, gid_t wanted) {
  if (find_group(group, name)) return std::string(group);
  gid_t gid = wanted;
  for (gid_t next = kLargestSystemGid; is_taken(group, gid) && next > 0; --next) gid = next;
  return ended_line(group) + std::string(name) + ":x:" + std::to_string(gid) + ":\n";
}

std::string with_member(std::string_view group, std::string_view name, std::string_view member) {
  auto lines = split(group, '\n');
  for (auto& line : lines) {
    auto fields = split(line, ':');
    if (fields.size() != 4 || fields[0] != name) continue;
    const auto members = split(fields[3], ',');
    if (std::count(members.begin(), members.end(), member) != 0) break;
    line += (fields[3].empty() ? "" : ",") + std::string(member);
    break;
  }
  return join(lines, "\n");
}

// One that fails keeps the others from nothing.
Result<Account> ensure_agent(const std::string& directory) {
  TRY_ASSIGN(const OwnRoot root, OwnRoot::open(directory));
  TRY(root.make_directories("/etc", 0755));
  TRY_ASSIGN(Ensured ensured, ensure_account(root));
  const Account& account = ensured.account;
  const Result<> steps[] = {ensure_groups(root, account), ensure_sudo(root, account),
                            ensure_home(root, account, ensured.added),
                            directory.empty() ? give_parents_of_mounts(root, account) : Ok{}};
  for (const auto& step : steps) TRY(step);
  return account;
}

}  // namespace sbx::guest
