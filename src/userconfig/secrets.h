// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Which texts of a user's configuration may be a key. Both err to the side of "yes": what is wrongly taken for a key
// stays on the host, and the user is told.
namespace sbx::userconfig {

// A value of a setting, an argument or a variable: anything long that is no word, an address with a user or a query.
// A reference to a variable (${TOKEN}) is none.
bool may_be_key(std::string_view value);

// The name of a setting, a flag or a file that is there for keys.
bool names_key(std::string_view name);

// A document that has a key in it, by the forms that the well-known issuers give to theirs: prose has long words, too.
bool has_key(std::string_view document);

}  // namespace sbx::userconfig
