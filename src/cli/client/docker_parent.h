// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbx::cli {

// For the Docker CLI plugin, before it starts a thread. A TERM or INT that is sent to docker does not reach its plugin:
// docker closes the connections to the socket that DOCKER_CLI_PLUGIN_SOCKET names instead (docker 25 and newer, and not
// if its output is a terminal, whose own signals reach both). From then on that is as if SIGTERM had been sent to us,
// and the end of docker itself (a HUP, a kill) as if SIGHUP had.
void follow_docker();

}  // namespace sbx::cli
