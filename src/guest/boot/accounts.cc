// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/boot/accounts.h"

#include <array>
#include <optional>

#include "base/text.h"
#include "guest/boot/etc_file.h"

namespace sbx::guest {
namespace {

constexpr std::int64_t kLargestId = 0x7fffffff;  // as docker

std::optional<unsigned> parse_id(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > kLargestId) return std::nullopt;
  return static_cast<unsigned>(*value);
}

// One line each, looking into the text.
struct AccountLine {
  std::string_view name;
  uid_t uid;
  gid_t gid;
  std::string_view home;
  std::string_view shell;
};

struct GroupLine {
  std::string_view name;
  gid_t gid;
  std::string_view members;
};

std::optional<AccountLine> account_line(std::string_view line) {
  std::array<std::string_view, 7> fields;
  if (!split_exactly(line, ':', fields) || fields[0].empty() || line.front() == '#') return std::nullopt;
  const auto uid = parse_id(fields[2]);
  const auto gid = parse_id(fields[3]);
  if (!uid || !gid) return std::nullopt;
  return AccountLine{fields[0], *uid, *gid, fields[5], fields[6]};
}

std::optional<GroupLine> group_line(std::string_view line) {
  std::array<std::string_view, 4> fields;
  if (!split_exactly(line, ':', fields) || fields[0].empty() || line.front() == '#') return std::nullopt;
  const auto gid = parse_id(fields[2]);
  if (!gid) return std::nullopt;
  return GroupLine{fields[0], *gid, fields[3]};
}

bool has_member(const GroupLine& group, std::string_view name) {
  for (std::string_view rest = group.members; !rest.empty();)
    if (cut_off(rest, ',') == name) return true;
  return false;
}

template <typename Wanted>
std::optional<Account> first_account(std::string_view passwd, const Wanted& wanted) {
  while (!passwd.empty())
    if (const auto line = account_line(cut_off(passwd, '\n')); line && wanted(*line))
      return Account{std::string(line->name), line->uid, line->gid, std::string(line->home), std::string(line->shell)};
  return std::nullopt;
}

template <typename Visit>
void for_each_group(std::string_view group, const Visit& visit) {
  while (!group.empty())
    if (const auto line = group_line(cut_off(group, '\n'))) visit(*line);
}

Result<Account> account_for(std::string_view user, std::string_view passwd) {
  const auto uid = user.empty() ? kAgentUid : parse_id(user);
  auto account = user.empty() ? find_agent(passwd) : find_account(passwd, user);
  if (!account && uid) account = find_account(passwd, *uid);
  if (account) return *std::move(account);
  if (!uid) return fail(Code::kNotFound, "no user \"" + printable(user) + "\" in the sandbox");
  return Account{"", *uid, user.empty() ? gid_t{kAgentUid} : gid_t{0}, "/", "/bin/sh"};
}

Result<gid_t> group_for(std::string_view text, std::string_view group) {
  if (const auto gid = find_group(group, text)) return *gid;
  if (const auto gid = parse_id(text)) return *gid;
  return fail(Code::kNotFound, "no group \"" + printable(text) + "\" in the sandbox");
}

std::vector<gid_t> groups_of(const Account& account, std::string_view group) {
  std::vector<gid_t> gids;
  if (account.name.empty()) return gids;
  for_each_group(group, [&](const GroupLine& line) {
    if (has_member(line, account.name)) gids.push_back(line.gid);
  });
  return gids;
}

}  // namespace

std::optional<Account> find_account(std::string_view passwd, std::string_view name) {
  return first_account(passwd, [&](const AccountLine& line) { return line.name == name; });
}

std::optional<Account> find_account(std::string_view passwd, uid_t uid) {
  return first_account(passwd, [&](const AccountLine& line) { return line.uid == uid; });
}

std::optional<gid_t> find_group(std::string_view group, std::string_view name) {
  std::optional<gid_t> found;
  for_each_group(group, [&](const GroupLine& line) {
    if (!found && line.name == name) found = line.gid;
  });
  return found;
}

bool is_taken(std::string_view group, gid_t gid) {
  bool taken = false;
  for_each_group(group, [&](const GroupLine& line) { taken = taken || line.gid == gid; });
  return taken;
}

std::optional<Account> find_agent(std::string_view passwd) {
  auto account = find_account(passwd, kAgentUid);
  return account ? account : find_account(passwd, kAgentName);
}

Result<Identity> resolve_user(std::string_view user, std::string_view passwd, std::string_view group) {
  const auto colon = user.find(':');
  TRY_ASSIGN(Account account, account_for(user.substr(0, colon), passwd));
  Identity identity{account.name, account.uid, account.gid, {}, account.home, account.shell};
  if (colon == std::string_view::npos) {
    identity.groups = groups_of(account, group);
  } else {
    TRY_ASSIGN(identity.gid, group_for(user.substr(colon + 1), group));
  }
  if (identity.home.empty()) identity.home = "/";
  if (identity.shell.empty()) identity.shell = "/bin/sh";
  return identity;
}

Result<Identity> resolve_user(std::string_view user) {
  const std::string passwd = read_etc_file("/etc/passwd").value_or("");
  const std::string group = read_etc_file("/etc/group").value_or("");
  return resolve_user(user, passwd, group);
}

}  // namespace sbx::guest
