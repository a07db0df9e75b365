#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox logs, and GET /events.

load world

setup_file() {
  world_up
  box box
}

logs_say() { [[ $(sandbox logs box) == *"$1"* ]]; }

@test "what detached commands print is in logs, both streams, in order" {
  sandbox exec -d box sh -c 'for i in 1 2 3; do echo line $i; done; echo problem >&2; echo end-of-first'
  eventually logs_say end-of-first
  run -0 --separate-stderr sandbox logs box
  says $'line 1\nline 2\nline 3'
  says problem
}

@test "what attached commands print is not in logs" {
  sandbox exec box echo attached-output
  run -0 sandbox logs box
  says_not attached-output
}

@test "--tail gives the last lines only" {
  sandbox exec -d box sh -c 'seq 1 50; echo end-of-seq'
  eventually logs_say end-of-seq
  run -0 --separate-stderr sandbox logs --tail 3 box
  equal "$output" $'49\n50\nend-of-seq'
  run -0 --separate-stderr sandbox logs -n 0 box
  equal "$output" ""
  run -2 --separate-stderr sandbox logs --tail many box
  is_error many
}

@test "what a detached command prints can be followed from its number on, also when the log was begun anew" {
  sandbox exec -d box sh -c 'echo of-another; echo end-of-another'
  eventually logs_say end-of-another
  local position
  position=$(api POST /sandboxes/box/exec -d '{"command": ["sh", "-c", "echo mine; echo end-of-mine"], "detach": true}' | jq .log_position)
  eventually logs_say end-of-mine
  run -0 --separate-stderr sandbox logs --from "$position" box
  equal "$output" $'mine\nend-of-mine'
  # 16 MiB are kept.
  sandbox exec -d box sh -c 'head -c 17000000 /dev/zero | tr "\0" "\n"; echo end-of-much'
  eventually logs_say end-of-much
  position=$(api POST /sandboxes/box/exec -d '{"command": ["echo", "behind-much"], "detach": true}' | jq .log_position)
  ((position > 17000000)) || fail "numbers go on: $position"
  eventually logs_say behind-much
  run -0 --separate-stderr sandbox logs --from "$position" box
  equal "$output" behind-much
  run -0 --separate-stderr sandbox logs --from 5 box
  matches '^\[sandbox: [0-9]+ bytes of earlier output were dropped\]'
  run -2 --separate-stderr sandbox logs --from x box
  is_error "--from x"
  run -2 --separate-stderr sandbox logs --from 1 --tail 1 box
  is_error "exclude each other"
}

@test "--follow shows what comes, and ends when the sandbox stops" {
  # A follower that shows the last line of before has its place: whatever comes after that line, it shows.
  sandbox exec -d box echo the-last-of-before
  eventually logs_say the-last-of-before
  "$SANDBOXD_BIN/sandbox" logs -f --tail 1 box >"$WORLD/followed" 3>&- &
  local follower=$!
  eventually grep -q the-last-of-before "$WORLD/followed"
  sandbox exec -d box sh -c 'echo first-news'
  eventually grep -q first-news "$WORLD/followed"
  sandbox exec -d box sh -c 'echo second-news'
  eventually grep -q second-news "$WORLD/followed"
  sandbox stop box
  eventually is_gone "$follower"
  wait "$follower"
  equal "$(cat "$WORLD/followed")" $'the-last-of-before\nfirst-news\nsecond-news'
}

@test "what was printed does not drive the terminal that logs are shown on; in a pipe it is as it was" {
  local printed='shown \033]0;owned\007 \033[1;31mred\033[0m \302\2332J \342\200\256gnp.exe\342\201\251 \rover\ttab \303\274\n'
  sandbox exec -d box printf "$printed"
  eventually logs_say gnp.exe
  PYTHONPATH=$BATS_TEST_DIRNAME timeout 60 python3 -B - 3>&- <<'PY'
from terminal import *
t = Terminal(SANDBOX, "logs", "--tail", "1", "box")
equal(t.expect(r"(?s)\A.*\n").group(0), r"shown \x1b]0;owned\x07 red \x9b2J \u202egnp.exe\u2069 \x0dover" + "\ttab \u00fc\r\n")
equal(t.wait(), 0)
PY
  sandbox logs --tail 1 box >"$WORLD/piped"
  cmp "$WORLD/piped" <(printf "$printed")
}

@test "logs stay over a stop" {
  sandbox exec -d box echo before-the-stop
  eventually logs_say before-the-stop
  sandbox stop box
  logs_say before-the-stop
  sandbox exec -d box echo after-the-stop
  eventually logs_say after-the-stop
  logs_say before-the-stop
}

# bats test_tags=once
@test "logs of a sandbox that is not there is an error" {
  run -125 --separate-stderr sandbox logs nosuch
  is_error nosuch
}

@test "a detached command that prints without end neither stops the daemon nor fills memory" {
  sandbox exec -d box sh -c 'head -c 30000000 /dev/zero | tr "\0" x | fold -w 100; echo printed-all'
  eventually logs_say printed-all
  run -0 sandbox exec box echo fine
  equal "$output" fine
  says printed-all "$(sandbox logs --tail 1 box)"
}

# listen_to_events FILE: sets `listener`. The daemon listens before it sends the head, so a client that has it misses nothing.
listen_to_events() {
  curl -isSN --unix-socket "$SANDBOXES_HOME/sandboxd.sock" http://localhost/events >"$1" 2>/dev/null 3>&- &
  listener=$!
  eventually grep -q '^HTTP/1.1 200 ' "$1"
}

@test "events tell of a sandbox's whole life, in order" {
  local listener
  listen_to_events "$WORLD/events"
  box eventful
  sandbox exec eventful sh -c 'exit 3' || true
  sandbox stop eventful
  sandbox rm eventful
  eventually grep -q '"remove".*eventful\|eventful.*"remove"' "$WORLD/events"
  kill "$listener"
  local kinds
  kinds=$(grep '^data:' "$WORLD/events" | cut -c6- | jq -r 'select(.sandbox == "eventful") | .kind' | tr '\n' ' ')
  matches '^create start .*exec_start .*exec_exit .*stop .*remove $' "$kinds"
  equal "$(grep '^data:' "$WORLD/events" | cut -c6- | jq -r 'select(.sandbox == "eventful" and .kind == "exec_exit") | .detail.code')" 3
}

@test "events tell of a machine that died" {
  box mortal
  local listener
  listen_to_events "$WORLD/deaths"
  kill -9 "$(inspect mortal .pids.init)"
  eventually grep -q '"die"' "$WORLD/deaths"
  kill "$listener"
  equal "$(grep '^data:' "$WORLD/deaths" | cut -c6- | jq -r 'select(.kind == "die") | .sandbox')" mortal
  eventually has_status mortal stopped
  matches . "$(inspect mortal .reason)"
}

# bats test_tags=once
@test "a listener that does not read its events holds nobody up" {
  timeout 60 python3 - <<'PY'
import os, socket, subprocess
s = socket.socket(socket.AF_UNIX)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
s.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
s.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
for i in range(150):
    subprocess.run([os.environ["SANDBOXD_BIN"] + "/sandbox", "exec", "box", "true"], check=True, timeout=20)
PY
}
