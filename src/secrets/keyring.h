// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "secrets/secret.h"

namespace sbx::secrets {

// The user's keyring that lasts: the Secret Service of a desktop (GNOME Keyring, KWallet), by way of libsecret's own
// program, secret-tool, on the session bus. The kernel's keyrings do not last: @u goes with the user's last process and
// a persistent one after three days, and all of them with the next boot.
class Keyring {
 public:
  // Whether there is one to ask: a session bus in our environment, and the program.
  static bool is_here();

  // `label` tells the entries of several homes apart.
  static Result<Secret> look_up(const std::string& label);
  static Result<> keep(const std::string& label, const Secret& value);
};

}  // namespace sbx::secrets
