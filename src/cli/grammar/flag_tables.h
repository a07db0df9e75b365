// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/flags.h"

// The flags of each command that has any, in the order in which help shows them.
namespace sbx::cli {

std::span<const Flag> global_flags();

std::span<const Flag> agents_flags();
std::span<const Flag> update_flags();
std::span<const Flag> attach_flags();
std::span<const Flag> context_flags();
std::span<const Flag> cp_flags();
std::span<const Flag> create_flags();
std::span<const Flag> daemon_start_flags();
std::span<const Flag> exec_flags();
std::span<const Flag> inspect_flags();
std::span<const Flag> json_flags();
std::span<const Flag> logs_flags();
std::span<const Flag> loop_exec_flags();
std::span<const Flag> loop_logs_flags();
std::span<const Flag> loop_resume_flags();
std::span<const Flag> loop_run_flags();
std::span<const Flag> loop_start_flags();
std::span<const Flag> ls_flags();
std::span<const Flag> network_log_flags();
std::span<const Flag> network_proxy_flags();
std::span<const Flag> openclaw_cleanup_flags();
std::span<const Flag> openclaw_exec_flags();
std::span<const Flag> openclaw_explain_flags();
std::span<const Flag> openclaw_logs_flags();
std::span<const Flag> ports_flags();
std::span<const Flag> prune_flags();
std::span<const Flag> ralph_flags();
std::span<const Flag> reset_flags();
std::span<const Flag> rm_flags();
std::span<const Flag> save_flags();
std::span<const Flag> secret_add_flags();
std::span<const Flag> secret_audit_flags();
std::span<const Flag> secret_bind_flags();
std::span<const Flag> secret_capture_flags();
std::span<const Flag> secret_env_flags();
std::span<const Flag> secret_exec_flags();
std::span<const Flag> secret_lease_flags();
std::span<const Flag> secret_revoke_flags();
std::span<const Flag> sessions_flags();
std::span<const Flag> run_flags();
std::span<const Flag> stop_flags();
std::span<const Flag> template_build_flags();
std::span<const Flag> template_history_flags();
std::span<const Flag> template_inspect_flags();
std::span<const Flag> template_load_flags();
std::span<const Flag> template_ls_flags();
std::span<const Flag> template_prune_flags();
std::span<const Flag> template_pull_flags();
std::span<const Flag> template_rm_flags();
std::span<const Flag> template_push_flags();
std::span<const Flag> template_save_flags();

}  // namespace sbx::cli
