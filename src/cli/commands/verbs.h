// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/flags.h"
#include "cli/context.h"

// The handlers of the command table, each in the file of its name.
namespace sbx::cli::verbs {

Result<int> agents(Context& context, const Arguments& arguments);
Result<int> update(Context& context, const Arguments& arguments);
Result<int> attach(Context& context, const Arguments& arguments);
Result<int> context(Context& context, const Arguments& arguments);
Result<int> docker(Context& context, const Arguments& arguments);
Result<int> complete(Context& context, const Arguments& arguments);
Result<int> completion(Context& context, const Arguments& arguments);
Result<int> cp(Context& context, const Arguments& arguments);
Result<int> create(Context& context, const Arguments& arguments);
Result<int> daemon_restart(Context& context, const Arguments& arguments);
Result<int> daemon_start(Context& context, const Arguments& arguments);
Result<int> daemon_status(Context& context, const Arguments& arguments);
Result<int> daemon_stop(Context& context, const Arguments& arguments);
Result<int> diagnose(Context& context, const Arguments& arguments);
Result<int> docs_man(Context& context, const Arguments& arguments);
Result<int> docs_markdown(Context& context, const Arguments& arguments);
Result<int> exec(Context& context, const Arguments& arguments);
Result<int> inspect(Context& context, const Arguments& arguments);
Result<int> logs(Context& context, const Arguments& arguments);
Result<int> loop_add_context(Context& context, const Arguments& arguments);
Result<int> loop_cancel(Context& context, const Arguments& arguments);
Result<int> loop_diff(Context& context, const Arguments& arguments);
Result<int> loop_end(Context& context, const Arguments& arguments);
Result<int> loop_exec(Context& context, const Arguments& arguments);
Result<int> loop_logs(Context& context, const Arguments& arguments);
Result<int> loop_ls(Context& context, const Arguments& arguments);
Result<int> loop_pause(Context& context, const Arguments& arguments);
Result<int> loop_resume(Context& context, const Arguments& arguments);
Result<int> loop_run(Context& context, const Arguments& arguments);
Result<int> loop_start(Context& context, const Arguments& arguments);
Result<int> loop_status(Context& context, const Arguments& arguments);
Result<int> loop_undo(Context& context, const Arguments& arguments);
Result<int> loop_work(Context& context, const Arguments& arguments);
Result<int> ls(Context& context, const Arguments& arguments);
Result<int> mcp_add(Context& context, const Arguments& arguments);
Result<int> mcp_inspect(Context& context, const Arguments& arguments);
Result<int> mcp_ls(Context& context, const Arguments& arguments);
Result<int> mcp_rm(Context& context, const Arguments& arguments);
Result<int> mcp_grant(Context& context, const Arguments& arguments);
Result<int> mcp_revoke(Context& context, const Arguments& arguments);
Result<int> mcp_install(Context& context, const Arguments& arguments);
Result<int> mcp_serve(Context& context, const Arguments& arguments);
Result<int> network_check(Context& context, const Arguments& arguments);
Result<int> network_log(Context& context, const Arguments& arguments);
Result<int> network_proxy(Context& context, const Arguments& arguments);
Result<int> openclaw_cleanup(Context& context, const Arguments& arguments);
Result<int> openclaw_exec(Context& context, const Arguments& arguments);
Result<int> openclaw_explain(Context& context, const Arguments& arguments);
Result<int> openclaw_logs(Context& context, const Arguments& arguments);
Result<int> openclaw_status(Context& context, const Arguments& arguments);
Result<int> plugin_metadata(Context& context, const Arguments& arguments);
Result<int> ports(Context& context, const Arguments& arguments);
Result<int> prune(Context& context, const Arguments& arguments);
Result<int> ralph(Context& context, const Arguments& arguments);
Result<int> reset(Context& context, const Arguments& arguments);
Result<int> rm(Context& context, const Arguments& arguments);
Result<int> run(Context& context, const Arguments& arguments);
Result<int> save(Context& context, const Arguments& arguments);
Result<int> secret_add(Context& context, const Arguments& arguments);
Result<int> secret_audit(Context& context, const Arguments& arguments);
Result<int> secret_bind(Context& context, const Arguments& arguments);
Result<int> secret_bindings(Context& context, const Arguments& arguments);
Result<int> secret_capture(Context& context, const Arguments& arguments);
Result<int> secret_env(Context& context, const Arguments& arguments);
Result<int> secret_exec(Context& context, const Arguments& arguments);
Result<int> secret_lease(Context& context, const Arguments& arguments);
Result<int> secret_leases(Context& context, const Arguments& arguments);
Result<int> secret_ls(Context& context, const Arguments& arguments);
Result<int> secret_revoke(Context& context, const Arguments& arguments);
Result<int> secret_rm(Context& context, const Arguments& arguments);
Result<int> secret_status(Context& context, const Arguments& arguments);
Result<int> secret_unbind(Context& context, const Arguments& arguments);
Result<int> sessions(Context& context, const Arguments& arguments);
Result<int> sessions_kill(Context& context, const Arguments& arguments);
Result<int> setup(Context& context, const Arguments& arguments);
Result<int> start(Context& context, const Arguments& arguments);
Result<int> stop(Context& context, const Arguments& arguments);
Result<int> system_df(Context& context, const Arguments& arguments);
Result<int> system_prune(Context& context, const Arguments& arguments);
Result<int> template_build(Context& context, const Arguments& arguments);
Result<int> template_history(Context& context, const Arguments& arguments);
Result<int> template_inspect(Context& context, const Arguments& arguments);
Result<int> template_load(Context& context, const Arguments& arguments);
Result<int> template_ls(Context& context, const Arguments& arguments);
Result<int> template_prune(Context& context, const Arguments& arguments);
Result<int> template_pull(Context& context, const Arguments& arguments);
Result<int> template_push(Context& context, const Arguments& arguments);
Result<int> template_save(Context& context, const Arguments& arguments);
Result<int> template_rm(Context& context, const Arguments& arguments);
Result<int> template_tag(Context& context, const Arguments& arguments);
Result<int> version(Context& context, const Arguments& arguments);

}  // namespace sbx::cli::verbs
