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
Result<int> ls(Context& context, const Arguments& arguments);
Result<int> network_check(Context& context, const Arguments& arguments);
Result<int> network_log(Context& context, const Arguments& arguments);
Result<int> network_proxy(Context& context, const Arguments& arguments);
Result<int> plugin_metadata(Context& context, const Arguments& arguments);
Result<int> ports(Context& context, const Arguments& arguments);
Result<int> prune(Context& context, const Arguments& arguments);
Result<int> reset(Context& context, const Arguments& arguments);
Result<int> rm(Context& context, const Arguments& arguments);
Result<int> run(Context& context, const Arguments& arguments);
Result<int> save(Context& context, const Arguments& arguments);
Result<int> secret_add(Context& context, const Arguments& arguments);
Result<int> secret_audit(Context& context, const Arguments& arguments);
Result<int> secret_bind(Context& context, const Arguments& arguments);
Result<int> secret_bindings(Context& context, const Arguments& arguments);
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
Result<int> template_build(Context& context, const Arguments& arguments);
Result<int> template_history(Context& context, const Arguments& arguments);
Result<int> template_inspect(Context& context, const Arguments& arguments);
Result<int> template_load(Context& context, const Arguments& arguments);
Result<int> template_ls(Context& context, const Arguments& arguments);
Result<int> template_prune(Context& context, const Arguments& arguments);
Result<int> template_pull(Context& context, const Arguments& arguments);
Result<int> template_save(Context& context, const Arguments& arguments);
Result<int> template_rm(Context& context, const Arguments& arguments);
Result<int> template_tag(Context& context, const Arguments& arguments);
Result<int> version(Context& context, const Arguments& arguments);

}  // namespace sbx::cli::verbs
