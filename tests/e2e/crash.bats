#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Nothing is lost when the daemon or the shim dies at a known step: the fault points, one after the other.

load victim

# Which command passes a fault point.
step_of() {
  case $1 in
    create.*) echo create ;;
    start.* | shim.started | shim.mounted | shim.runtime-started | shim.ready) echo start ;;
    exec.* | shim.exec | shim.noted) echo exec ;;
    stop.* | shim.stopping) echo stop ;;
    remove.*) echo rm ;;
    policy.*) echo policy ;;
  esac
}

# On microVMs those at which there is another machine than a container; a start takes too long there for all of them.
points() {
  "$SANDBOXD_BIN/sandboxd" --fault-points | if on_microvm; then
    grep -E '^(shim\.|start\.spawned|stop\.asked|remove\.stopped)'
  else cat; fi
}

crash_at() {
  local point=$1 process=$2 step daemon shim
  echo "--- $process dies at $point"
  step=$(step_of "$point")
  prepare "$step" "$point"
  daemon=$(daemon_pid)
  shim=$(shim_pid)
  SANDBOX_TIMEOUT=60 run do_step "$step"
  echo "$step: $status $output"
  ((status != 124)) || fail "$step hangs"
  if [[ $process == sandboxd ]]; then
    eventually is_gone "$daemon" || fail "the daemon never came to $point"
    equal "$status" 0  # the next daemon was asked
  elif [[ -n $shim ]]; then
    eventually is_gone "$shim" || fail "the shim never came to $point"
    sandbox stop victim >/dev/null  # the next one has the fault, too
  else
    ((status == 125)) || fail "the shim never came to $point, or its death was not told"
  fi
  check_promise "$step"
}

walk() {
  local point process
  while read -r point process <&4; do
    [[ $(step_of "$point") != "$1" ]] || crash_at "$point" "$process"
  done 4< <(points)
}

# bats test_tags=once
@test "every fault point belongs to a step that is walked here" {
  (($(points | wc -l) >= 20))
  while read -r point _; do [[ -n $(step_of "$point") ]] || fail "nobody walks $point"; done < <(points)
}

# bats test_tags=once
@test "a crash at each step of create" { walk create; }
@test "a crash at each step of start" { walk start; }
# bats test_tags=once
@test "a crash at each step of exec" { walk exec; }
@test "a crash at each step of stop" { walk stop; }
# bats test_tags=once
@test "a crash at each step of rm" { walk rm; }
# bats test_tags=once
@test "a crash at each step of a change of the network policy" { walk policy; }

# bats test_tags=once
@test "a step that fails with an error, instead of dying, leaves the same promise" {
  local point process
  while read -r point process <&4; do
    [[ $process == sandboxd ]] || continue
    echo "--- $point fails"
    prepare "$(step_of "$point")" "$point:error"
    SANDBOX_TIMEOUT=60 run do_step "$(step_of "$point")"
    echo "$status $output"
    ((status != 124))
    [[ $status == 0 ]] || is_error "$point"
    check_promise "$(step_of "$point")"
  done 4< <(points)
}
