// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/address.h"
#include "wire/network.h"

namespace sbx::gate {

// What --add-host says: the addresses of names that are not asked for, by the name as policy::Host has it.
using StaticHosts = std::map<std::string, std::vector<policy::Address>>;

Result<StaticHosts> static_hosts(const std::vector<wire::StaticHost>& hosts);

}  // namespace sbx::gate
