// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/agent.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "archive/pack.h"
#include "archive/unpack.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "guest/etc_file.h"

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

Result<> replace_if_changed(const std::string& path, std::string_view before, std::string_view after, unsigned mode) {
  return before == after ? Ok{} : replace_etc_file(path, after, mode);
}

// A name without a line in the shadow files works, but passwd and usermod complain about it.
Result<> ensure_shadow_line(const std::string& path, std::string_view name, std::string_view rest) {
  const auto text = read_etc_file(path);
  if (!text) return Ok{};  // a system without shadow passwords
  const std::string start = std::string(name) + ":";
  if (text->starts_with(start) || text->find("\n" + start) != std::string::npos) return Ok{};
  return replace_etc_file(path, ended_line(*text) + start + std::string(rest) + "\n", 0640);
}

Result<Account> ensure_account(const std::string& root) {
  const std::string path = root + "/etc/passwd";
  const std::string text = read_etc_file(path).value_or("");
  if (auto found = find_agent(text)) return *std::move(found);
  const std::string shell = exists(root + "/bin/bash") ? "/bin/bash" : "/bin/sh";
  const Account account{std::string(kAgentName), kAgentUid, kAgentUid, "/home/agent", shell};
  TRY(replace_etc_file(path, with_account(text, account), 0644));
  TRY(ensure_shadow_line(root + "/etc/shadow", account.name, "*:19000:0:99999:7:::"));
  return account;
}

Result<> ensure_groups(const std::string& root, const Account& account) {
  const std::string path = root + "/etc/group";
  const std::string before = read_etc_file(path).value_or("");
  std::string after = is_taken(before, account.gid) ? before : with_group(before, account.name, account.gid);
  for (const auto& membership : kMemberships) {
    after = with_group(after, membership.group, membership.gid);
    after = with_member(after, membership.group, account.name);
    TRY(ensure_shadow_line(root + "/etc/gshadow", membership.group, "!::" + account.name));
  }
  return replace_if_changed(path, before, after, 0644);
}

Result<> ensure_sudo(const std::string& root, const Account& account) {
  const std::string path = root + "/etc/sudoers.d/agent";
  if (exists(path)) return Ok{};
  TRY(make_directories(root + "/etc/sudoers.d", 0755));
  // SECURITY: root without a password. The guest's root is nobody outside: the border is the machine, not the user.
  return replace_etc_file(path, sudoers_line(account), 0440);
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

Result<std::string> packed_skeleton(const std::string& root) {
  TRY_ASSIGN(const Fd etc, open_path(root + "/etc", O_PATH | O_DIRECTORY));
  std::string packed;
  const archive::Sink sink = [&packed](std::string_view bytes) -> Result<> {
    packed.append(bytes);
    if (packed.size() > kLargestSkeleton) return fail(Code::kTooLarge, "/etc/skel is too large");
    return Ok{};
  };
  TRY(archive::pack(etc, "skel", sink, {.as = "."}));
  return packed;
}

Result<> fill_home(const std::string& root, const std::string& home, const Account& account) {
  if (!exists(root + "/etc/skel")) return Ok{};
  TRY_ASSIGN(const std::string packed, packed_skeleton(root));
  TRY_ASSIGN(const Fd directory, open_path(home, O_PATH | O_DIRECTORY));
  std::string_view rest = packed;
  const archive::Source source = [&rest](std::span<char> buffer) -> Result<std::size_t> {
    const std::size_t n = rest.copy(buffer.data(), buffer.size());
    rest.remove_prefix(n);
    return n;
  };
  const ActingAs owner(account);
  return archive::unpack(source, directory);
}

Result<> ensure_home(const std::string& root, const Account& account) {
  if (account.home.empty() || account.home.front() != '/') return Ok{};
  const std::string home = root + account.home;
  if (exists(home)) return Ok{};
  TRY(make_directories(home, 0755));
  if (::chown(home.c_str(), account.uid, account.gid) != 0) return fail_errno("set the owner of " + home);
  return fill_home(root, home, account);
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

Result<Account> ensure_agent(const std::string& root) {
  TRY(make_directories(root + "/etc", 0755));
  TRY_ASSIGN(Account account, ensure_account(root));
  TRY(ensure_groups(root, account));
  TRY(ensure_sudo(root, account));
  TRY(ensure_home(root, account));
  return account;
}

}  // namespace sbx::guest
