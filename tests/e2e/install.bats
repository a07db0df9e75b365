#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: what it puts where, and that it works from there.

bats_require_minimum_version 1.5.0

setup_file() {
  export PREFIX="$BATS_FILE_TMPDIR/prefix"
  export SANDBOXES_HOME="$BATS_FILE_TMPDIR/home"
  export DOCKER_CONFIG="$BATS_FILE_TMPDIR/docker"
  cmake --install "$SANDBOXD_BUILD_DIR" --prefix "$PREFIX"
  mkdir -p "$DOCKER_CONFIG/cli-plugins"
  ln -s "$PREFIX/lib/docker/cli-plugins/docker-sandbox" "$DOCKER_CONFIG/cli-plugins/docker-sandbox"
}

teardown_file() {
  "$PREFIX/bin/sandbox" daemon stop || true
}

@test "every program is where the others look for it" {
  [ -x "$PREFIX/bin/sandbox" ]
  for program in sandboxd sandbox-shim sandbox-init sandbox-layer; do
    [ -x "$PREFIX/libexec/sandboxd/$program" ]
  done
}

@test "the real docker client finds the plugin and passes on its version" {
  command -v docker || skip "docker is not installed"
  run --separate-stderr docker sandbox version
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ "$output" =~ ^[a-z.]+/[a-z/]+\ v0\.[0-9]+\.[0-9]+\ [0-9a-f]{40}$ ]]
}

@test "docker sandbox ls starts the installed daemon and asks it" {
  command -v docker || skip "docker is not installed"
  run --separate-stderr docker sandbox ls --json
  [ "$status" -eq 0 ]
  [ "$(python3 -c 'import json, sys; print(json.load(sys.stdin))' <<< "$output")" = "{'vms': []}" ]
  [ -S "$SANDBOXES_HOME/sandboxd.sock" ]
}

@test "the docker client lists the command in its help" {
  command -v docker || skip "docker is not installed"
  docker --help | grep -E '^ +sandbox'
}

@test "bash completes with the installed file" {
  # A subshell without our options; a file that does not parse fails here.
  bash --norc -c '. "$1" && complete -p sandbox' _ "$PREFIX/share/bash-completion/completions/sandbox"
}

@test "zsh accepts the installed completions" {
  command -v zsh || skip "zsh is not installed"
  zsh -n "$PREFIX/share/zsh/site-functions/_sandbox"
  head -n 1 "$PREFIX/share/zsh/site-functions/_sandbox" | grep '^#compdef sandbox'
}

@test "fish accepts the installed completions" {
  command -v fish || skip "fish is not installed"
  fish --no-execute "$PREFIX/share/fish/vendor_completions.d/sandbox.fish"
}

@test "the systemd unit starts the installed daemon and spares its sandboxes" {
  unit="$PREFIX/lib/systemd/user/sandboxd.service"
  program=$(sed -n 's/^ExecStart=//p' "$unit")
  [ "$program" = "$PREFIX/libexec/sandboxd/sandboxd" ]
  [ -x "$program" ]
  grep -x 'KillMode=process' "$unit"
  grep -x 'Wants=sandboxd-sandboxes.service' "$unit"
  grep -x 'Delegate=yes' "$PREFIX/lib/systemd/user/sandboxd-sandboxes.service"
}
