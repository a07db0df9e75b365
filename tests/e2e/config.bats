#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# ~/.sandboxd/config.json: what it says counts from the next create or start on, and a bad one stops nothing that runs.
# bats file_tags=container

load world

setup_file() {
  world_up
  unset SANDBOXD_CONFIG
  sandbox daemon stop  # if one was needed to fill the template cache, it has the world's file
  box here --backend container
}

teardown_file() {
  rm -f "$HOME/.sandboxd/config.json"
  world_down
}

setup() {
  CONFIG=$HOME/.sandboxd/config.json
  DIR=$WORLD/project-$BATS_TEST_NUMBER
  mkdir -p "$HOME/.sandboxd" "$DIR"
  rm -f "$CONFIG"
}

@test "below the minimum nothing is made or started, and the error names the file and the key" {
  echo '{"minimumIsolation": "microvm"}' >"$CONFIG"
  run -125 --separate-stderr sandbox create --backend container shell "$DIR"
  is_error "\"minimumIsolation\" in $CONFIG is \"microvm\""
  run -0 sandbox exec here echo it runs on
  equal "$output" "it runs on"
  sandbox stop here
  run -125 --separate-stderr sandbox exec here true
  is_error minimumIsolation
  equal "$(status_of here)" stopped
  echo '{"minimumIsolation": "container"}' >"$CONFIG"
  sandbox exec here true
  run -0 sandbox ls -q
  equal "$output" here
}

@test "a file that cannot be meant stops creates and starts, and nothing else" {
  for text in '{"minimumisolation": "microvm"}' '{"kernel": "vmlinuz"}' '{' '[]'; do
    echo "$text" >"$CONFIG"
    run --separate-stderr sandbox create shell "$DIR"
    [[ $status != 0 ]]
    is_error "$CONFIG"
  done
  run -0 sandbox exec here true
  run -0 sandbox ls
  run -0 sandbox stop here
  run --separate-stderr sandbox start here
  [[ $status != 0 ]]
  is_error "$CONFIG"
  run --separate-stderr sandbox diagnose
  says "$CONFIG"
  rm "$CONFIG"
  sandbox start here
}

@test "the file chooses the backend, and --backend overrides it" {
  echo '{"backend": "runc"}' >"$CONFIG"
  sandbox create -q --name by-file shell "$DIR"
  equal "$(inspect by-file .backend)" runc
  sandbox create -q --name by-flag --backend container shell "$DIR"
  equal "$(inspect by-flag .backend)" container
  echo '{"backend": "abacus"}' >"$CONFIG"
  run -2 --separate-stderr sandbox create --name none shell "$DIR"
  is_error "\"backend\" in $CONFIG: no backend \"abacus\""
  sandbox rm by-file by-flag
}

@test "another file can be named to the daemon" {
  echo '{"backend": "abacus"}' >"$WORLD/other.json"
  sandbox daemon stop
  SANDBOXD_CONFIG=$WORLD/other.json run -2 --separate-stderr sandbox create --name none shell "$DIR"
  is_error "$WORLD/other.json"
  sandbox daemon stop
}

@test "a container has no console" {
  run -2 --separate-stderr sandbox logs --console here
  is_error "no console"
}

@test "a container that nobody asked for says why it is one" {
  run -0 --separate-stderr sandbox create --name asked --backend container shell "$DIR"
  says_not "is a container" "$stderr"
  run -0 --separate-stderr sandbox create --name given shell "$DIR"
  if [[ $(inspect given .isolation) == container ]]; then
    matches "This sandbox is a container, no microVM: .*(vmx|/dev/kvm).*sandbox diagnose" "$stderr"
  else
    equal "$(inspect given .isolation)" microvm
  fi
  run -0 --separate-stderr sandbox create --name again shell "$DIR"
  equal "$stderr" ""  # once is enough
  sandbox rm asked given again
}
