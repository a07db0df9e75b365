// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "cli/words/lease_words.h"

#include <unistd.h>

#include <array>

#include "base/text.h"

namespace sbx::cli {

Result<std::int64_t> parse_ttl(const std::string& text) {
  const auto seconds = parse_duration(text);
  if (!seconds || *seconds == 0)
    return fail(Code::kInvalid, "--ttl " + printable(text) + ": must be a time such as 30m or 1h");
  return *seconds;
}

Result<wire::LeaseRequest> lease_request_of(const std::string& ttl, const std::string& client_id) {
  wire::LeaseRequest request{0, client_id};
  TRY_ASSIGN(request.ttl_s, parse_ttl(ttl));
  std::array<char, 256> name{};
  if (request.client_id.empty() && ::gethostname(name.data(), name.size() - 1) == 0) request.client_id = name.data();
  return request;
}

}  // namespace sbx::cli
