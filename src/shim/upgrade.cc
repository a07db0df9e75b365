// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "shim/upgrade.h"

#include "http/message.h"

namespace sbx::shim {

void answer_upgrade(const Fd& client) {
  http::Response response;
  response.status = 101;
  response.headers = {{"Upgrade", "sandbox-exec"}, {"Connection", "Upgrade"}};
  (void)write_all(client, http::render(response));
}

}  // namespace sbx::shim
