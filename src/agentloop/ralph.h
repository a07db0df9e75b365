// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// `ralph`: a loop where the agent itself runs, with the command line and the state files (.ralph/) that other tools
// know. Its engine is the one that loops on the host have.
//   ralph "Build the parser" --agent claude-code --max-iterations 20
//   ralph --status --tasks
namespace sbx::agentloop {

int ralph_main(const std::vector<std::string>& words);

}  // namespace sbx::agentloop
