// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/client/client.h"
#include "wire/request_key.h"

namespace sbx::cli {

// While it lives, INT, TERM and HUP cancel the create that was asked for by this key: the daemon undoes it, the user is
// told, and the program ends with 128 + the signal. One that is finished meanwhile stays, and the program ends all the
// same. A signal that was ignored before stays ignored.
//   TRY_ASSIGN(const CancelOnSignal cancel, CancelOnSignal::begin(client, key));
class CancelOnSignal {
 public:
  static Result<CancelOnSignal> begin(const Client& client, wire::RequestKey key);
  CancelOnSignal(CancelOnSignal&&) noexcept;
  ~CancelOnSignal();

 private:
  struct Watch;
  explicit CancelOnSignal(std::unique_ptr<Watch> watch);

  std::unique_ptr<Watch> watch_;
};

}  // namespace sbx::cli
