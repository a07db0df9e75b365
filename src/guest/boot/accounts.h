// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sbx::guest {

// /etc/passwd and /etc/group, read by ourselves: a static program has no name service. `passwd` and `group` are the
// text of these files, and the first line that fits is the answer. Lines that make no sense are passed over, as the C
// library does.
struct Account {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string home;
  std::string shell;
};

std::optional<Account> find_account(std::string_view passwd, std::string_view name);
std::optional<Account> find_account(std::string_view passwd, uid_t uid);
std::optional<gid_t> find_group(std::string_view group, std::string_view name);
bool is_taken(std::string_view group, gid_t gid);

// The user that an exec without one runs as: uid 1000, whatever its name, because what it writes to the workspace
// belongs to the user of the host. A template's `agent` with another uid is second.
inline constexpr uid_t kAgentUid = 1000;
inline constexpr std::string_view kAgentName = "agent";
std::optional<Account> find_agent(std::string_view passwd);

// Who a program runs as.
struct Identity {
  std::string name;  // empty for a uid without an account
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;  // supplementary
  std::string home;
  std::string shell;
};

// `user` is name|uid[:group|gid], as docker exec -u; empty means the agent. A number without an account is fine, a
// name without one is an error. Supplementary groups come with the account, unless a group is asked for.
Result<Identity> resolve_user(std::string_view user, std::string_view passwd, std::string_view group);

// The same with the files of the running system; a missing file counts as an empty one.
Result<Identity> resolve_user(std::string_view user);

}  // namespace sbx::guest
