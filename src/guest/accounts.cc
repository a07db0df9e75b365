// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "guest/accounts.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "guest/etc_file.h"

namespace sbx::guest {
namespace {

constexpr std::int64_t kLargestId = 0x7fffffff;  // as docker

std::optional<unsigned> parse_id(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > kLargestId) return std::nullopt;
  return static_cast<unsigned>(*value);
}

Result<Account> account_for(std::string_view user, const std::vector<Account>& accounts) {
  const auto uid = user.empty() ? kAgentUid : parse_id(user);
  const Account* account = user.empty() ? find_agent(accounts) : find_account(accounts, user);
  if (account == nullptr && uid) account = find_account(accounts, *uid);
  if (account != nullptr) return *account;
  if (!uid) return fail(Code::kNotFound, "no user \"" + printable(user) + "\" in the sandbox");
  return Account{"", *uid, user.empty() ? gid_t{kAgentUid} : gid_t{0}, "/", "/bin/sh"};
}

Result<gid_t> group_for(std::string_view text, const std::vector<Group>& groups) {
  if (const Group* group = find_group(groups, text)) return group->gid;
  if (const auto gid = parse_id(text)) return *gid;
  return fail(Code::kNotFound, "no group \"" + printable(text) + "\" in the sandbox");
}

std::vector<gid_t> groups_of(const Account& account, const std::vector<Group>& groups) {
  std::vector<gid_t> gids;
  for (const auto& group : groups)
    if (!account.name.empty() && std::count(group.members.begin(), group.members.end(), account.name) != 0)
      gids.push_back(group.gid);
  return gids;
}

}  // namespace

std::vector<Account> parse_accounts(std::string_view passwd) {
  std::vector<Account> accounts;
  for (const auto& line : split(passwd, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() != 7 || fields[0].empty() || line.front() == '#') continue;
    const auto uid = parse_id(fields[2]);
    const auto gid = parse_id(fields[3]);
    if (uid && gid) accounts.push_back({fields[0], *uid, *gid, fields[5], fields[6]});
  }
  return accounts;
}

std::vector<Group> parse_groups(std::string_view group) {
  std::vector<Group> groups;
  for (const auto& line : split(group, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() != 4 || fields[0].empty() || line.front() == '#') continue;
    const auto gid = parse_id(fields[2]);
    if (gid) groups.push_back({fields[0], *gid, split(fields[3], ',')});
  }
  return groups;
}

const Account* find_account(const std::vector<Account>& accounts, std::string_view name) {
  const auto it = std::find_if(accounts.begin(), accounts.end(), [&](const auto& a) { return a.name == name; });
  return it == accounts.end() ? nullptr : &*it;
}

const Account* find_account(const std::vector<Account>& accounts, uid_t uid) {
  const auto it = std::find_if(accounts.begin(), accounts.end(), [&](const auto& a) { return a.uid == uid; });
  return it == accounts.end() ? nullptr : &*it;
}

const Group* find_group(const std::vector<Group>& groups, std::string_view name) {
  const auto it = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.name == name; });
  return it == groups.end() ? nullptr : &*it;
}

const Account* find_agent(const std::vector<Account>& accounts) {
  const Account* account = find_account(accounts, kAgentUid);
  return account != nullptr ? account : find_account(accounts, kAgentName);
}

Result<Identity> resolve_user(std::string_view user, const std::vector<Account>& accounts,
                              const std::vector<Group>& groups) {
  const auto colon = user.find(':');
  TRY_ASSIGN(Account account, account_for(user.substr(0, colon), accounts));
  Identity identity{account.name, account.uid, account.gid, {}, account.home, account.shell};
  if (colon == std::string_view::npos) {
    identity.groups = groups_of(account, groups);
  } else {
    TRY_ASSIGN(identity.gid, group_for(user.substr(colon + 1), groups));
  }
  if (identity.home.empty()) identity.home = "/";
  if (identity.shell.empty()) identity.shell = "/bin/sh";
  return identity;
}

Result<Identity> resolve_user(std::string_view user) {
  const std::string passwd = read_etc_file("/etc/passwd").value_or("");
  const std::string group = read_etc_file("/etc/group").value_or("");
  return resolve_user(user, parse_accounts(passwd), parse_groups(group));
}

}  // namespace sbx::guest
