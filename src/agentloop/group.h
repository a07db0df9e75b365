// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "agentloop/turn.h"
#include "base/result.h"

namespace sbx::agentloop {

// Runs the turn's command as a process group of its own, without input, to its end or until it is ended: TERM, and KILL
// two seconds later, and with whole_tree all that it has started, but nothing that was a child of this process before.
// Processes that it leaves behind are not waited for once it has ended itself and they are silent, or two seconds
// later.
Result<TurnResult> run_group(const Turn& turn,
                             const std::function<Result<>(bool is_error, std::string_view bytes)>& on_piece,
                             const IsCancelled& is_cancelled);

}  // namespace sbx::agentloop
