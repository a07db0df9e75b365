#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What goes wrong around a sandbox's Docker daemon, and that all works afterwards.

setup_file() {
  load world
  world_up
  mkdir -p "$WORLD/project" "$WORLD/busybox/bin"
  cp "$(command -v busybox)" "$WORLD/busybox/bin/"
  local name
  for name in sh cat ls true sleep dd; do ln -s busybox "$WORLD/busybox/bin/$name"; done
  tar -C "$WORLD/busybox" -cf "$WORLD/busybox.tar" .
  sandbox create -q --name box --memory 3g --disk 2g claude "$WORLD/project" >/dev/null
  docker_of import - small <"$WORLD/busybox.tar" >/dev/null
}

teardown_file() {
  load world
  world_down
}

setup() { load world; }
teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
}

socket() { echo "$SANDBOXES_HOME/vm/box/docker.sock"; }
docker_of() { timeout 180 docker --host "unix://$(socket)" "$@" 3>&-; }
works() { [[ $(docker_of run --rm small sh -c 'echo works' 2>/dev/null) == works ]]; }
# Connections to docker.sock that the shim has, by the guest's own count of them.
clients() { sandbox exec -u root box sh -c 'grep -c "/run/sandbox/docker.sock" /proc/net/unix'; }
remove_all() {
  local left
  left=$(docker_of ps -aq)
  # shellcheck disable=SC2086
  [[ -z $left ]] || docker_of rm -f $left >/dev/null
}

@test "dockerd is killed under a client: the client is told, and the next one starts it again" {
  docker_of run --rm small sh -c 'echo begun; sleep 600' >"$WORLD/running" 2>&1 &
  local client=$!
  begun() { grep -q begun "$WORLD/running"; }
  eventually begun
  sandbox exec -u root box sh -c 'kill -9 $(pidof dockerd)'
  ended() { ! kill -0 "$client" 2>/dev/null; }
  eventually ended
  eventually works
  remove_all
}

@test "the guest's disk is full: docker says so, and with room again all works" {
  run ! docker_of run --rm small sh -c 'dd if=/dev/zero of=/full bs=1M count=4000'
  says "No space left on device"
  eventually works
  sandbox exec -u root box sh -c 'dd if=/dev/zero of=/var/lib/docker/full bs=1M 2>/dev/null; sync; true'
  run ! docker_of import - another <"$WORLD/busybox.tar"
  sandbox exec -u root box rm /var/lib/docker/full
  eventually works
}

@test "a stop in the middle of a build leaves nothing that the next build trips over" {
  mkdir -p "$WORLD/context"
  printf 'FROM small\nRUN echo first > /first\nRUN echo running; sleep 600\n' >"$WORLD/context/Dockerfile"
  DOCKER_BUILDKIT=0 docker_of build -t broken "$WORLD/context" >"$WORLD/build" 2>&1 &
  local client=$!
  running() { grep -q '^running' "$WORLD/build"; }
  eventually running
  sandbox stop box >/dev/null
  run ! wait "$client"
  printf 'FROM small\nRUN echo first > /first\n' >"$WORLD/context/Dockerfile"
  DOCKER_BUILDKIT=0 run -0 docker_of build -q -t mended "$WORLD/context"
  equal "$(docker_of run --rm mended cat /first)" first
  remove_all
}

# bats test_tags=container
@test "fifty containers at once" {
  local number pids=()
  for number in {1..50}; do
    docker_of run -d --name "many-$number" small sleep 600 >/dev/null &
    pids+=($!)
  done
  for number in "${pids[@]}"; do wait "$number"; done
  equal "$(docker_of ps -q | wc -l)" 50
  remove_all
  equal "$(docker_of ps -aq | wc -l)" 0
}

@test "a client that is gone in the middle of logs -f leaves no connection behind" {
  docker_of run -d --name endless small sh -c 'while true; do echo line; sleep 0.01; done' >/dev/null
  local before client
  before=$(clients)
  docker --host "unix://$(socket)" logs -f endless >"$WORLD/follow" 3>&- &
  client=$!
  follows() { grep -q line "$WORLD/follow"; }
  eventually follows
  kill -9 "$client"
  no_more() { (($(clients) <= before)); }
  eventually no_more
  eventually works
  docker_of rm -f endless >/dev/null
}

@test "kill -9 of our daemon: an open connection does not notice, and docker.sock is there again" {
  docker_of run --rm small sh -c 'echo first; sleep 5; echo last' >"$WORLD/long" 2>&1 &
  local client=$!
  begun() { grep -q first "$WORLD/long"; }
  eventually begun
  kill -9 "$(daemon_pid)"
  wait "$client"
  equal "$(cat "$WORLD/long")" $'first\nlast'
  sandbox ls >/dev/null
  eventually works
}

@test "kill -9 of the shim: the client ends, and the next connection starts the sandbox with its images" {
  docker_of run --name kept small sh -c 'echo kept' >/dev/null
  docker_of run --rm small sh -c 'echo begun; sleep 600' >"$WORLD/running" 2>&1 &
  local client=$!
  begun() { grep -q begun "$WORLD/running"; }
  eventually begun
  kill -9 "$(shim_pid_of box)"
  ended() { ! kill -0 "$client" 2>/dev/null; }
  eventually ended
  stopped() { has_status box stopped; }
  eventually stopped
  eventually works
  equal "$(docker_of logs kept)" kept
  remove_all
}
