// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// The host's package sources, as far as the distribution itself comes from them.
namespace sbx::images {

// One entry of sources.list(5), of either style.
struct AptSource {
  std::vector<std::string> uris;
  std::vector<std::string> suites;
  std::vector<std::string> components;
  std::vector<std::pair<std::string, std::string>> options;  // "Signed-By" and others that stay true elsewhere

  friend bool operator==(const AptSource&, const AptSource&) = default;
};

// The enabled entries for binary packages. What is not understood is left out, as apt's own word on it comes later.
std::vector<AptSource> parse_sources_list(std::string_view text);  // "deb [options] uri suite component..."
std::vector<AptSource> parse_deb822(std::string_view text);        // "Types: deb", ...

// Those in sources.list and sources.list.d that serve the release: third parties are left out, because neither their
// keys nor their packages belong in a template, and one of them being down must not break it. Lists of mirrors
// ("mirror+file:") are replaced by what they list, because the file is not there in the guest.
Result<std::vector<AptSource>> host_sources(const std::string& apt_directory, const std::string& codename);

std::string to_deb822(const std::vector<AptSource>& sources);

// The same without "user:password@" in the addresses.
std::vector<AptSource> without_credentials(std::vector<AptSource> sources);

}  // namespace sbx::images
