# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A real dockerd of a world's own (world.bash), without networks, whose mounts no other process sees. docker_up before the
# world's daemon starts sets DOCKER_HOST, which that daemon inherits.

docker_up() {
  local directory=$WORLD/docker
  mkdir -p "$directory"
  export DOCKER_HOST=unix://$directory/docker.sock
  unshare --mount --propagation private dockerd --host "$DOCKER_HOST" --data-root "$directory/data" \
    --exec-root "$directory/exec" --pidfile "$directory/pid" --iptables=false --ip6tables=false --bridge=none \
    >"$directory/log" 2>&1 3>&- &
  kPatience=60 eventually docker_answers || { tail -20 "$directory/log" >&2; return 1; }
}

docker_answers() { docker info >/dev/null 2>&1; }

docker_down() {
  local pid
  pid=$(<"$WORLD/docker/pid") || return 0
  kill "$pid" 2>/dev/null || return 0
  docker_ended() { ! kill -0 "$pid" 2>/dev/null; }
  eventually docker_ended
}
