// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/routes.h"
#include "images/incoming.h"

// The handlers that routes.cc names, by the file that holds them.
namespace sbx::api {

// system.cc
Result<Answer> get_version(Services& services, Call& call);
Result<Answer> get_disk_usage(Services& services, Call& call);
Result<Answer> post_system_prune(Services& services, Call& call);
Result<Answer> post_reset(Services& services, Call& call);
Result<Answer> post_shutdown(Services& services, Call& call);

// vm.cc
Result<Answer> list_vms(Services& services, Call& call);
Result<Answer> create_vm(Services& services, Call& call);
Result<Answer> delete_vm(Services& services, Call& call);

// sandboxes.cc
Result<Answer> list_sandboxes(Services& services, Call& call);
Result<Answer> create_sandbox(Services& services, Call& call);
Result<Answer> cancel_create(Services& services, Call& call);
Result<Answer> get_sandbox(Services& services, Call& call);
Result<Answer> delete_sandbox(Services& services, Call& call);
Result<Answer> start_sandbox(Services& services, Call& call);
Result<Answer> stop_sandbox(Services& services, Call& call);

// save.cc, template_archive.cc
Result<Answer> save_sandbox(Services& services, Call& call);
Result<Answer> get_template_archive(Services& services, Call& call);

// templates.cc
Result<Answer> list_templates(Services& services, Call& call);
Result<Answer> get_template(Services& services, Call& call);
Result<Answer> get_template_history(Services& services, Call& call);
Result<Answer> delete_template(Services& services, Call& call);
Result<Answer> pull_template(Services& services, Call& call);
Result<Answer> load_template(Services& services, Call& call);
Result<Answer> tag_template(Services& services, Call& call);
Result<Answer> prune_templates(Services& services, Call& call);
// The body is the archive. It goes to a file as it comes, however large it is.
Result<images::Incoming> receive_archive(Services& services, Call& call);

// agents.cc
Result<Answer> list_agents(Services& services, Call& call);
Result<Answer> update_agent(Services& services, Call& call);

// build.cc
Result<Answer> build_template(Services& services, Call& call);

// network.cc, network_log.cc
Result<Answer> get_policy(Services& services, Call& call);
Result<Answer> edit_policy(Services& services, Call& call);
Result<Answer> check_policy(Services& services, Call& call);
Result<Answer> get_ports(Services& services, Call& call);
Result<Answer> change_ports(Services& services, Call& call);
Result<Answer> add_hosts(Services& services, Call& call);
Result<Answer> get_network_log(Services& services, Call& call);

// mcp.cc
Result<Answer> get_mcp_grants(Services& services, Call& call);
Result<Answer> change_mcp_grants(Services& services, Call& call);

// secrets.cc
Result<Answer> list_secrets(Services& services, Call& call);
Result<Answer> add_secret(Services& services, Call& call);
Result<Answer> remove_secret(Services& services, Call& call);
Result<Answer> lease_secret(Services& services, Call& call);
Result<Answer> list_leases(Services& services, Call& call);
Result<Answer> revoke_lease(Services& services, Call& call);
Result<Answer> revoke_all_leases(Services& services, Call& call);
Result<Answer> list_bindings(Services& services, Call& call);
Result<Answer> bind_secret(Services& services, Call& call);
Result<Answer> unbind_secret(Services& services, Call& call);
Result<Answer> get_audit(Services& services, Call& call);
Result<Answer> verify_audit(Services& services, Call& call);
Result<Answer> get_secrets_status(Services& services, Call& call);
Result<Answer> get_credentials(Services& services, Call& call);

// sessions.cc
Result<Answer> list_sessions(Services& services, Call& call);
Result<Answer> attach_to_session(Services& services, Call& call);
Result<Answer> end_session(Services& services, Call& call);

// exec.cc, logs.cc, events.cc
Result<Answer> exec_in_sandbox(Services& services, Call& call);
Result<Answer> get_logs(Services& services, Call& call);
Result<Answer> get_events(Services& services, Call& call);

}  // namespace sbx::api
