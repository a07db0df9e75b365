// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "api/upgrade.h"

namespace sbx::api {

Result<> check_upgrade(Call& call, const char* otherwise) {
  if (call.request.header("Upgrade").value_or("") != "sandbox-exec") return fail(Code::kInvalid, otherwise);
  // What we have read could not be given back to the socket.
  if (call.connection.has_unread_bytes())
    return fail(Code::kInvalid, "bytes were sent before the upgrade was answered");
  return call.connection.release_limits();
}

}  // namespace sbx::api
