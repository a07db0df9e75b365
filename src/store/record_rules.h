// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "store/record.h"

namespace sbx::store {

// Whether this program could have written the record. Its id names control groups and runtime state, its id_base is a
// range of the host's user ids, its digest a directory: none of them is used before it was looked at here.
Result<> check_record(const Record& record);

}  // namespace sbx::store
