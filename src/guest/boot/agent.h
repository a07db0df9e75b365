// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "guest/boot/accounts.h"

namespace sbx::guest {

// Sees to it that the system under `directory` ("" for the running one) has the user that agents run as: an account
// with uid 1000 (an existing one of any name is kept as it is), in the groups sudo and docker, allowed to use sudo
// without a password, with a home directory made from /etc/skel. Does nothing where all of that is there already.
Result<Account> ensure_agent(const std::string& directory = "");

// The edits, text to text. A group that is missing is added with a free system gid, or `wanted` if that is free.
std::string with_account(std::string_view passwd, const Account& account);
std::string with_group(std::string_view group, std::string_view name, gid_t wanted);
std::string with_member(std::string_view group, std::string_view name, std::string_view member);

}  // namespace sbx::guest
