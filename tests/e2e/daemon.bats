#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The daemon may come and go; sandboxes and running execs do not notice.

load world

ensure_box() { is_there box || box box; }

kill_daemon() {
  local pid
  pid=$(daemon_pid)
  kill -9 "$pid"
  eventually is_gone "$pid"
}

# bats test_tags=once
@test "any command starts the daemon; many at once start one" {
  sandbox daemon stop
  local jobs=()
  for i in $(seq 10); do
    "$SANDBOXD_BIN/sandbox" ls >/dev/null 2>"$WORLD/start-$i" 3>&- &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job"; done
  equal "$(daemon_pid | wc -l)" 1
}

# bats test_tags=once
@test "the daemon holds on to nothing of who started it" {
  sandbox daemon stop
  exec 7<"$BATS_TEST_FILENAME"
  sandbox daemon start >/dev/null
  exec 7<&-
  local pid
  pid=$(daemon_pid)
  run -0 ls -l "/proc/$pid/fd"
  says_not "$BATS_TEST_FILENAME"
  equal "$(readlink "/proc/$pid/cwd")" /
  equal "$(ps -o sid= -p "$pid" | tr -d ' ')" "$pid"
}

# bats test_tags=once
@test "daemon start, status, restart, stop say what they did" {
  sandbox daemon start
  sandbox daemon start
  equal "$(sandbox daemon status --json | jq -r .status)" running
  local before
  before=$(daemon_pid)
  sandbox daemon restart
  [[ $(daemon_pid) != "$before" ]]
  sandbox daemon stop
  no_daemon
  equal "$(sandbox daemon status --json | jq -r .status)" stopped
  no_daemon
  sandbox daemon stop
}

@test "daemon stop leaves sandboxes running, and a new daemon finds them" {
  ensure_box
  local shim init
  shim=$(inspect box .pids.shim)
  init=$(inspect box .pids.init)
  sandbox exec -d box sh -c 'echo $$ >/tmp/runner; exec sleep 5000'
  eventually sandbox exec box test -s /tmp/runner
  sandbox daemon stop
  kill -0 "$shim" "$init"
  equal "$(status_of box)" running
  equal "$(inspect box .pids.shim) $(inspect box .pids.init)" "$shim $init"
  run -0 sandbox exec box sh -c 'kill -0 $(cat /tmp/runner)'
}

@test "a daemon whose program was replaced is restarted by the next command, and sandboxes run on" {
  ensure_box
  local shim replaced=$WORLD/replaced
  shim=$(inspect box .pids.shim)
  cp -r "$SANDBOXD_BIN" "$replaced"
  # The programs of an update: the same version, another file.
  run -0 timeout 60 "$replaced/sandbox" exec box echo served
  equal "$output" served
  no_daemon
  run -0 sandbox exec box echo "served again"
  equal "$(inspect box .pids.shim)" "$shim"
  equal "$(daemon_pid | wc -l)" 1
  rm -r "$replaced"
}

@test "an attached exec outlives kill -9 of the daemon, and its client stays attached" {
  ensure_box
  mkfifo "$WORLD/in"
  "$SANDBOXD_BIN/sandbox" exec -i box sh -c 'while read line; do echo "heard $line"; done; exit 12' <"$WORLD/in" >"$WORLD/out" 3>&- &
  local client=$! code=0
  exec 9>"$WORLD/in"
  echo one >&9
  eventually grep -q 'heard one' "$WORLD/out"
  kill_daemon
  echo two >&9
  eventually grep -q 'heard two' "$WORLD/out"
  exec 9>&-
  wait "$client" || code=$?
  equal "$code" 12
}

@test "after kill -9 ls tells the truth and exec works, past the stale socket" {
  ensure_box
  box sleeper
  sandbox stop sleeper
  kill_daemon
  [[ -S $SANDBOXES_HOME/sandboxd.sock ]]
  equal "$(status_of box) $(status_of sleeper)" "running stopped"
  run -0 sandbox exec box echo works
  equal "$output" works
}

@test "what died while no daemon looked is shown as stopped, and starts again" {
  ensure_box
  local init
  init=$(inspect box .pids.init)
  kill_daemon
  kill -9 "$init"
  eventually is_gone "$init"
  eventually has_status box stopped
  run -0 sandbox exec box echo again
  equal "$output" again
}

@test "TERM ends the daemon in order: the socket goes, the sandboxes stay" {
  ensure_box
  local pid shim
  pid=$(daemon_pid)
  shim=$(inspect box .pids.shim)
  kill -TERM "$pid"
  eventually is_gone "$pid"
  [[ ! -e $SANDBOXES_HOME/sandboxd.sock ]]
  kill -0 "$shim"
  run -0 sandbox exec box true
}

# bats test_tags=once
@test "a second daemon for the same home gives way to the first" {
  sandbox daemon start
  local pid
  pid=$(daemon_pid)
  run timeout 20 "$SANDBOXD_BIN/sandboxd" 3>&-
  ((status != 124))
  equal "$(daemon_pid)" "$pid"
  run -0 sandbox ls
}

# bats test_tags=once
@test "a file in the place of the socket is not taken for a daemon, nor destroyed without a word" {
  export SANDBOXES_HOME=$WORLD/user-odd/.docker/sandboxes
  mkdir -p "$SANDBOXES_HOME"
  mkdir "$SANDBOXES_HOME/sandboxd.sock"
  touch "$SANDBOXES_HOME/sandboxd.sock/file"
  SANDBOX_TIMEOUT=40 run -125 --separate-stderr sandbox ls
  is_error sandboxd.sock
  [[ -e $SANDBOXES_HOME/sandboxd.sock/file ]]
}

# bats test_tags=once
@test "--socket names another daemon, and none is started for it" {
  ensure_box
  run -0 --separate-stderr sandbox --socket "$SANDBOXES_HOME/sandboxd.sock" ls -q
  says box
  SANDBOX_TIMEOUT=40 run -125 --separate-stderr sandbox --socket "$WORLD/none.sock" ls
  is_error none.sock
}

@test "five crashes under load lose no exec" {
  ensure_box
  local jobs=()
  for i in $(seq 5); do
    "$SANDBOXD_BIN/sandbox" exec box sh -c "echo begun; while [ ! -e /tmp/enough ]; do sleep 0.05; done; echo finished $i" \
      >"$WORLD/load-$i" 3>&- &
    jobs+=($!)
  done
  for i in $(seq 5); do eventually grep -q begun "$WORLD/load-$i"; done
  for i in $(seq 5); do
    sandbox exec box true
    kill_daemon
  done
  sandbox exec box touch /tmp/enough
  for job in "${jobs[@]}"; do wait "$job"; done
  for i in $(seq 5); do equal "$(cat "$WORLD/load-$i")" $'begun\n'"finished $i"; done
}
