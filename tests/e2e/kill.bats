#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Nothing is lost when something is killed at a moment that nobody chose.

load victim

setup_file() {
  world_up
  # SANDBOXD_TEST_SEED repeats the moments of a run.
  export SEED=${SANDBOXD_TEST_SEED:-$$}
}

setup() { RANDOM=$SEED; }

targets() {
  case $1 in
    daemon) daemon_pid ;;
    shim) shim_pid ;;
    init) if on_microvm; then pids_named 'qemu-system-*'; else pids_named '*sandbox-init'; fi ;;
    runtime) pgrep -f "runc .*$SANDBOXES_HOME/vm/victim" ;;
    client) echo "$2" ;;
  esac
}

# kill_during TARGET STEP: lets some milliseconds of the step pass and kills what is there then, or what comes first.
kill_during() {
  local target=$1 step=$2 client moment pids='' milliseconds=$((RANDOM % latest))
  prepare "$step"
  moment=$(printf '%d.%03d' $((milliseconds / 1000)) $((milliseconds % 1000)))
  echo "--- kill $target $moment s into $step (SANDBOXD_TEST_SEED=$SEED)"
  start_step "$step"
  client=$!
  sleep "$moment"  # not a wait for anything: the moment is what is tried
  until pids=$(targets "$target" "$client") && [[ -n $pids ]] || is_gone "$client"; do :; done
  # shellcheck disable=SC2086
  if [[ -n $pids ]] && ! is_gone "${pids%%$'\n'*}" && kill -9 $pids 2>/dev/null; then hits=$((hits + 1)); fi
  eventually is_gone "$client" || fail "$step hangs when $target was killed"
  # The command asks the next daemon.
  wait "$client" || [[ $target != daemon ]] || fail "$step failed with the daemon"
  check_promise "$step"
}

# each_step TARGET TIMES STEP...: a target that was never there to be killed would prove nothing, so a target that was
# too quick each time is tried again, each round at earlier moments. A microVM takes seconds for a start, which is many
# moments but few tries.
each_step() {
  local target=$1 times=$2 step hits=0 longest=50
  shift 2
  if on_microvm; then longest=2000 times=1; fi
  for ((latest = longest; hits == 0 && latest > 0; latest /= 3)); do
    for step in "$@"; do
      for ((i = 0; i < times; i++)); do kill_during "$target" "$step"; done
    done
  done
  ((hits > 0)) || fail "no $target was there to be killed"
}

# bats test_tags=once
@test "kill -9 of the daemon at some moment of each step" { each_step daemon 2 create start exec stop rm; }
@test "kill -9 of the shim at some moment of each step" { each_step shim 2 start exec stop rm; }
@test "kill -9 of init at some moment of each step" { each_step init 2 start exec stop rm; }
# bats test_tags=container
@test "kill -9 of the runtime at some moment of start" { each_step runtime 6 start; }
# bats test_tags=once
@test "kill -9 of the client at some moment of each step" { each_step client 1 create start exec stop rm; }

# A runtime takes some milliseconds, so it may be gone before it is stopped, and only then is there another try.
hold_up_runtime() {
  runtime=$(targets runtime | head -n 1)
  [[ -n $runtime ]] && kill -STOP "$runtime" 2>/dev/null || return 1
  until grep -qs '^State:[[:space:]]*T' "/proc/$runtime/status"; do ! is_gone "$runtime" || return 1; done
}

# bats test_tags=container
@test "kill -9 of the shim while its runtime is held up ends the runtime, too, and a start works" {
  local client runtime='' tries
  prepare start
  for ((tries = 0; tries < 20; tries++)); do
    start_step start
    client=$!
    until hold_up_runtime; do ! is_gone "$client" || break; done
    is_gone "$client" || break
    sandbox stop victim >/dev/null
  done
  ((tries < 20)) || fail "no runtime was there to be held up"
  kill -9 "$(shim_pid)"
  eventually is_gone "$runtime" || { kill -9 "$runtime"; fail "the runtime outlived its shim"; }
  eventually is_gone "$client"
  check_promise start
}

@test "kill -9 of a running sandbox's shim ends the guest, and ls says so with a reason" {
  prepare exec
  local init
  init=$(inspect victim .pids.init)
  kill -9 "$(shim_pid)"
  eventually is_gone "$init"
  eventually has_status victim stopped
  matches . "$(inspect victim .reason)"
  check_promise exec
}

@test "kill -9 of init ends an attached exec with a failure, and the next exec starts the sandbox again" {
  prepare exec
  "$SANDBOXD_BIN/sandbox" exec victim sh -c 'echo up; exec sleep 1000' >"$WORLD/attached" 2>"$WORLD/attached.err" 3>&- &
  local client=$! code=0
  eventually grep -q up "$WORLD/attached"
  kill -9 "$(inspect victim .pids.init)"
  eventually is_gone "$client"
  wait "$client" || code=$?
  equal "$code" 125
  says error: "$(cat "$WORLD/attached.err")"
  check_promise exec
}
