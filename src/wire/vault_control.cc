// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "wire/vault_control.h"

namespace sbx::wire {

void describe(Members&, SetCredentials&) {}

}  // namespace sbx::wire
