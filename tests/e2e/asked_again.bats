#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The daemon may die with a request in its hands: the command asks the next one, succeeds, and nothing is done twice.

load world

setup_file() {
  world_up
  box box
}

teardown() { [[ -z ${victim-} ]] || kill -CONT "$victim" 2>/dev/null || true; }

points_of() { "$SANDBOXD_BIN/sandboxd" --fault-points | grep "^$1.* sandboxd$" | cut -d' ' -f1; }

# A daemon that dies when it comes to this point; the next one is started by the command that notices, without a fault.
daemon_dying_at() {
  sandbox daemon stop 2>/dev/null
  SANDBOXD_FAULT=$1 sandbox daemon start >/dev/null
  victim=$(daemon_pid)
}
died() { is_gone "$victim" || fail "the daemon never came to its end"; }

# What a command of these tests does, and how often it was done.
line_to() { echo "echo done >>$(workspace_of box)/$1"; }
equals_lines() { equal "$(cat "$(workspace_of box)/$1" 2>/dev/null | wc -l)" "$2"; }

# in_hands COMMAND...: a daemon that is stopped has the request, and has not read it.
in_hands() {
  sandbox ls >/dev/null
  victim=$(daemon_pid)
  freeze "$victim"
  "$SANDBOXD_BIN/sandbox" "$@" >"$WORLD/out" 2>"$WORLD/err" 3>&- &
  client=$!
  eventually connection_waits
}
# The second column is the listener's queue.
connection_waits() { (($(ss -Hxl src "$SANDBOXES_HOME/sandboxd.sock" | awk '{print $3}') > 0)); }

@test "an exec whose daemon dies at any point runs once and succeeds, with its input and its output" {
  for point in $(points_of exec); do
    daemon_dying_at "$point"
    run -0 sandbox exec -i box sh -c "$(line_to "$point"); cat" <<<"typed at $point"
    died
    equal "$output" "typed at $point"
    equals_lines "$point" 1
  done
}

@test "a detached exec whose daemon dies at any point runs once and succeeds" {
  for point in $(points_of exec); do
    daemon_dying_at "$point"
    run -0 sandbox exec -d box sh -c "$(line_to "detached-$point")"
    died
    eventually equals_lines "detached-$point" 1
    sandbox exec box true
    equals_lines "detached-$point" 1
  done
}

@test "an exec that has to start the sandbox first survives the daemon at any point of the start" {
  for point in $(points_of start); do
    sandbox stop box
    daemon_dying_at "$point"
    run -0 sandbox exec box sh -c "$(line_to "$point")"
    died
    equals_lines "$point" 1
  done
}

@test "a create whose daemon dies at any point makes one sandbox, and says that it did" {
  mkdir -p "$WORLD/fresh"
  for point in $(points_of create); do
    daemon_dying_at "$point"
    run -0 --separate-stderr sandbox create -q shell "$WORLD/fresh"
    died
    equal "$output" shell-fresh
    equal "$(sandbox ls -q | grep -c fresh)" 1
    sandbox rm shell-fresh
  done
}

@test "a run whose daemon dies while it creates is told that the sandbox is new" {
  mkdir -p "$WORLD/fresh"
  daemon_dying_at create.ready
  run -0 --separate-stderr sandbox run --name fresh shell "$WORLD/fresh" -- -c 'echo inside'
  died
  equal "$output" inside
  says "Created sandbox fresh" "$stderr"
  sandbox rm fresh
}

@test "a run whose daemon dies at any point makes one sandbox, starts it and runs the agent once" {
  mkdir -p "$WORLD/fresh"
  for point in $(points_of create) $(points_of start); do
    daemon_dying_at "$point"
    run -0 --separate-stderr sandbox run -p 0:8000 shell "$WORLD/fresh" -- -c 'echo inside >>runs'
    died
    says "Created sandbox shell-fresh" "$stderr"
    equal "$(sandbox ls -q | grep -c fresh)" 1
    equal "$(cat "$WORLD/fresh/runs")" inside
    equal "$(inspect shell-fresh '.ports | length')" 1
    sandbox rm shell-fresh
    rm "$WORLD/fresh/runs"
  done
}

@test "a request that the daemon never read is made again" {
  for command in "ls" "inspect box" "network log" "network proxy box" "start box" "exec box true" "exec -d box true" "logs box"; do
    # shellcheck disable=SC2086
    in_hands $command
    kill -9 "$victim"
    wait "$client" || fail "$command: $(cat "$WORLD/err")"
  done
}

@test "logs -f goes on after kill -9 of the daemon, without a gap and without a repeat" {
  local client before workspace
  workspace=$(workspace_of box)
  sandbox exec -d box sh -c "echo one; for next in two three; do
    while [ ! -e '$workspace'/\$next ]; do sleep 0.02; done; echo \$next; done"
  "$SANDBOXD_BIN/sandbox" logs -f box >"$WORLD/followed" 2>"$WORLD/err" 3>&- &
  client=$!
  eventually grep -q one "$WORLD/followed"
  before=$(daemon_pid)
  freeze "$before"
  touch "$workspace/two"
  eventually grep -q two "$SANDBOXES_HOME/vm/box/output.log"
  kill -9 "$before"
  eventually grep -q two "$WORLD/followed"
  touch "$workspace/three"
  eventually grep -q three "$WORLD/followed"
  sandbox stop box
  wait "$client" || fail "$(cat "$WORLD/err")"
  equal "$(cat "$WORLD/followed")" "$(sandbox logs box)"
  equal "$(tail -n 3 "$WORLD/followed")" $'one\ntwo\nthree'
}

@test "logs -f ends with a daemon that is told to end, and starts no other" {
  sandbox exec -d box echo followed
  "$SANDBOXD_BIN/sandbox" logs -f box >"$WORLD/followed" 2>"$WORLD/err" 3>&- &
  local client=$!
  eventually grep -q followed "$WORLD/followed"
  sandbox daemon stop
  wait "$client" || fail "$(cat "$WORLD/err")"
  no_daemon
}

@test "network log -f goes on after kill -9 of the daemon, and says that it may miss a moment" {
  sandbox exec box true
  "$SANDBOXD_BIN/sandbox" network log -f >"$WORLD/followed" 2>"$WORLD/err" 3>&- &
  local client=$!
  eventually seen_asking first
  kill -9 "$(daemon_pid)"
  eventually grep -q "may be missing" "$WORLD/err"
  eventually seen_asking second
  kill "$client"
}
# The follower may not be there yet when it is asked for the first time.
seen_asking() {
  sandbox exec box sh -c "curl -s -m 5 http://$1.test/ >/dev/null || true"
  grep -q "$1.test" "$WORLD/followed"
}

@test "a daemon that is killed while it starts is started again" {
  sandbox daemon stop
  # One that starts waits for who has the lock.
  flock --no-fork "$SANDBOXES_HOME/sandboxd.lock" sleep 1000 3>&- &
  local holder=$!
  "$SANDBOXD_BIN/sandbox" ls -q >"$WORLD/out" 2>"$WORLD/err" 3>&- &
  local client=$!
  eventually daemon_pid_is_there
  kill -9 "$(daemon_pid)"
  eventually daemon_pid_is_there
  kill "$holder"
  wait "$client" || fail "$(cat "$WORLD/err")"
  says box "$(cat "$WORLD/out")"
}
daemon_pid_is_there() { [[ -n $(daemon_pid) ]]; }

@test "a shim that dies with an exec takes it along: the sandbox starts again, the exec does not" {
  for flags in "" -d; do
    sandbox stop box
    daemon_dying_at shim.noted
    # shellcheck disable=SC2086
    run -125 --separate-stderr sandbox exec $flags box sh -c "$(line_to "noted$flags")"
    is_error "the command was already started, and the sandbox has ended since"
    sandbox daemon stop
    sandbox stop box
    sandbox exec box true
    equals_lines "noted$flags" 0
  done
}

@test "rm whose daemon dies at any point succeeds, and rm of what never was does not" {
  for point in $(points_of remove); do
    is_there doomed || box doomed
    daemon_dying_at "$point"
    run -0 sandbox rm doomed
    died
    run ! is_there doomed
  done
  run -125 --separate-stderr sandbox rm doomed
  is_error 'sandbox "doomed" not found'
}

# --- under load ------------------------------------------------------------------------------------------------------

kill_the_daemon() {
  "$SANDBOXD_BIN/sandbox" daemon start >/dev/null
  kill -9 "$("$SANDBOXD_BIN/sandbox" daemon status --json | jq .pid)" 2>/dev/null && echo killed >>"$WORLD/kills"
}

# One of many. Every third is detached; every fiftieth kills the daemon first, which the others are talking to.
load_one() {
  local number=$1 name=load-$(($1 % 4)) flags=()
  ((number % 3)) || flags=(-d)
  ((number % 50 != 25)) || until kill_the_daemon; do :; done
  "$SANDBOXD_BIN/sandbox" exec "${flags[@]}" "$name" sh -c "echo $number >>$WORLD/ws-$name/ran" 2>"$WORLD/load-$number" \
    || echo "$number: status $?: $(cat "$WORLD/load-$number")" >>"$WORLD/failed"
}
lines_run() { cat "$WORLD"/ws-load-*/ran 2>/dev/null | wc -l; }
have_run() { (($(lines_run) >= $1)); }

@test "200 execs, 20 at once, with four kills of the daemon in between: none fails, each runs once" {
  for i in 0 1 2 3; do box "load-$i"; done
  export -f load_one kill_the_daemon
  seq 200 | xargs -P 20 -I{} bash -c 'load_one {}' 3>&-
  equal "$(wc -l <"$WORLD/kills")" 4
  [[ ! -e $WORLD/failed ]] || fail "$(cat "$WORLD/failed")"
  eventually have_run 200
  for i in 0 1 2 3; do sandbox exec "load-$i" true; done
  equal "$(cat "$WORLD"/ws-load-*/ran | sort -n | uniq -c | awk '$1 != 1')" ""
  equal "$(lines_run)" 200
}
