// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/fields.h"

namespace sbx::vault {

// What the shim may know of a sandbox's credentials: which hosts have one, and which placeholders stand for them. No
// value.
struct Bindings {
  struct Placeholder {
    std::string text;
    std::set<std::string, std::less<>> hosts;  // where it may be sent; none: the credential is gone

    bool operator==(const Placeholder&) const = default;
  };
  std::set<std::string, std::less<>> hosts;
  std::vector<Placeholder> placeholders;

  bool binds(std::string_view host) const { return hosts.contains(host); }
  // The first placeholder in these fields, in Basic authorization too, that must not be sent to the host. `bound` is
  // whether the connection is one that would replace it: over TLS.
  const Placeholder* misplaced_in(const http::Headers& fields, std::string_view host, bool bound) const;

  bool operator==(const Bindings&) const = default;
};

std::string encode(const Bindings& bindings);
Result<Bindings> decode_bindings(std::string_view bytes);

// `known` is what held until now. A placeholder that is in it and not in `bindings` any more is kept, without a host:
// programs in the guest still have it, and are told that it is worth nothing. Of those some thousand are kept.
Bindings with_memory_of(const Bindings& known, Bindings bindings);

}  // namespace sbx::vault
