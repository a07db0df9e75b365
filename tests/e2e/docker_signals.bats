#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Signals that are sent to docker when it runs us as its plugin. Docker itself passes none of them on.

load world

setup_file() {
  command -v docker >/dev/null || skip "docker is not installed"
  world_up
  export DOCKER_CONFIG=$WORLD/docker
  mkdir -p "$DOCKER_CONFIG/cli-plugins"
  ln -s "$SANDBOXD_BIN/sandbox" "$DOCKER_CONFIG/cli-plugins/docker-sandbox"
  box box
}

# under_docker COMMAND...: `docker sandbox exec box COMMAND` in the background, with the usual signals (a shell without
# job control has background commands ignore INT), as `docker`; what it prints is in $WORLD/said.
under_docker() {
  : >"$WORLD/said"
  python3 -c 'import os, signal, sys
for number in (signal.SIGINT, signal.SIGQUIT): signal.signal(number, signal.SIG_DFL)
os.execvp("docker", ["docker", "sandbox", "exec", *sys.argv[1:]])' box "$@" </dev/null >"$WORLD/said" 2>&1 3>&- &
  docker=$!
  eventually grep -q ready "$WORLD/said"
}


waits() { echo "trap 'echo got $1; exit 7' $1; echo ready; while :; do sleep 0.05; done"; }

@test "TERM and INT to docker end the command, as TERM" {
  local signal
  for signal in TERM INT; do
    under_docker bash -c "$(waits TERM)"
    kill "-$signal" "$docker"
    eventually is_gone "$docker"
    local code=0
    wait "$docker" || code=$?
    equal "$code" 7
    equal "$(tail -n 1 "$WORLD/said")" "got TERM"
  done
}

@test "a HUP that ends docker ends the command" {
  under_docker bash -c 'echo $$ >/tmp/pid; echo ready; exec sleep 4000'
  kill -HUP "$docker"
  wait "$docker" || true
  eventually command_is_gone
}

@test "kill -9 of docker ends the command" {
  under_docker bash -c 'echo $$ >/tmp/pid; echo ready; exec sleep 4000'
  kill -9 "$docker"
  wait "$docker" || true
  eventually command_is_gone
}
command_is_gone() { ! sandbox exec box sh -c 'kill -0 $(cat /tmp/pid)' 2>/dev/null; }

@test "a docker that has no such socket and is killed ends the command" {
  # As docker before version 25, and with our plugin as its child.
  cat >"$WORLD/old_docker" <<PY
import os, subprocess, sys
environment = dict(os.environ, DOCKER_CLI_PLUGIN_ORIGINAL_CLI_COMMAND="docker")
subprocess.run(["$DOCKER_CONFIG/cli-plugins/docker-sandbox", "sandbox", "exec", *sys.argv[1:]], env=environment)
PY
  : >"$WORLD/said"
  python3 "$WORLD/old_docker" box bash -c 'echo $$ >/tmp/pid; echo ready; exec sleep 4000' >"$WORLD/said" 2>&1 3>&- &
  docker=$!
  eventually grep -q ready "$WORLD/said"
  kill -9 "$docker"
  wait "$docker" || true
  eventually command_is_gone
}

@test "with a terminal, a HUP that ends docker leaves the session" {
  PYTHONPATH=$BATS_TEST_DIRNAME timeout 60 python3 -B - 3>&- <<'PY'
from terminal import *
# A shell around it, because a terminal ends with the first process on it.
t = Terminal("sh", "-c", "docker sandbox exec -it box bash --norc; read line")
t.shell()
t.run("x=kept")
docker = subprocess.run(["pgrep", "-P", str(t.child.pid)], stdout=subprocess.PIPE, text=True).stdout
os.kill(int(docker), signal.SIGHUP)
t.expect("left session 1 of box, which runs on; back: docker sandbox attach box 1")
eventually(lambda: running()[1]["clients"] == 0, "it is detached")
eventually(lambda: t.modes() == t.before, "the terminal is as it was")
t.type("\n")
t.wait()
t = Terminal("docker", "sandbox", "attach", "box")
t.expect("prompt> ")
eventually(lambda: t.run("echo $x") == "kept", "the same shell")
t.type("exit 5\n")
equal(t.wait(), 5)
PY
}

@test "the plugin outlives another program that has started it" {
  : >"$WORLD/said"
  (
    unset DOCKER_CLI_PLUGIN_ORIGINAL_CLI_COMMAND DOCKER_CLI_PLUGIN_SOCKET
    "$DOCKER_CONFIG/cli-plugins/docker-sandbox" sandbox exec box sh -c 'echo ready; while [ ! -e /tmp/go ]; do sleep 0.05; done; echo done' \
      >"$WORLD/said" 2>&1 3>&- &
  )
  eventually grep -q ready "$WORLD/said"
  sandbox exec box touch /tmp/go
  eventually grep -q done "$WORLD/said"
}
