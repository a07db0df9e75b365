#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox exec without a terminal: codes, streams, users, signals.

load world

setup_file() {
  world_up
  box box
}

@test "every exit code from 0 to 255 is passed on" {
  run -0 sandbox exec box true
  run -1 sandbox exec box false
  for code in 2 3 42 63 64 100 124 128 130 137 143 254 255; do
    run sandbox exec box sh -c "exit $code"
    equal "$status" "$code"
  done
}

@test "127 is a command that is not there, 126 one that cannot run, 125 our own failure" {
  run -127 --separate-stderr sandbox exec box no-such-command
  is_error no-such-command
  run -126 --separate-stderr sandbox exec box /etc/passwd
  is_error /etc/passwd
  run -126 --separate-stderr sandbox exec box /tmp
  is_error /tmp
  run -125 --separate-stderr sandbox exec no-such-sandbox true
  is_error no-such-sandbox
  run -126 --separate-stderr sandbox exec -w /no/such/dir box true
  is_error /no/such/dir
  run -2 --separate-stderr sandbox exec --no-such-flag box true
  is_error no-such-flag
  run -2 --separate-stderr sandbox exec box
  is_error
}

@test "a command's own 125, 126 and 127 come without an error of ours" {
  run -125 --separate-stderr sandbox exec box sh -c 'exit 125'
  equal "$stderr" ""
  run -126 --separate-stderr sandbox exec box sh -c 'exit 126'
  equal "$stderr" ""
  run -127 --separate-stderr sandbox exec box sh -c 'exit 127'
  equal "$stderr" ""
}

@test "death by a signal is 128 + its number" {
  run -137 sandbox exec box sh -c 'kill -KILL $$'
  run -143 sandbox exec box sh -c 'kill -TERM $$'
}

@test "without -i nothing of standard input arrives" {
  run -0 sandbox exec box wc -c < <(head -c 5000 /dev/zero)
  equal "$output" 0
}

@test "with -i standard input arrives, and its end does" {
  run -0 sandbox exec -i box wc -c < <(head -c 5000 /dev/zero)
  equal "$output" 5000
  run -0 sandbox exec -i box cat </dev/null
  equal "$output" ""
}

@test "100 MB through stdin and stdout arrive byte for byte" {
  head -c 104857600 /dev/urandom >"$WORLD/random"
  local there back
  there=$(sha256sum <"$WORLD/random")
  back=$(sandbox exec -i box cat <"$WORLD/random" | sha256sum)
  rm "$WORLD/random"
  equal "$back" "$there"
}

@test "a command that does not read its input ends all the same" {
  run -0 sandbox exec -i box true < <(head -c 50000000 /dev/zero)
}

@test "an output that is closed early ends the client and the command, as a pipe would" {
  run -0 timeout "$kPatience" bash -c '"$SANDBOXD_BIN/sandbox" exec box yes 3>&- | head -n 3'
  equal "$output" $'y\ny\ny'
  eventually no_process_named yes
}
no_process_named() { ! sandbox exec box pgrep -x "$1" >/dev/null; }

@test "standard error is apart from standard output, and all of both arrives" {
  sandbox exec box sh -c 'for i in $(seq 2000); do echo out $i; echo err $i >&2; done' >"$WORLD/out" 2>"$WORLD/err"
  equal "$(grep -c '^out' "$WORLD/out") $(wc -l <"$WORLD/out")" "2000 2000"
  equal "$(grep -c '^err' "$WORLD/err") $(wc -l <"$WORLD/err")" "2000 2000"
  equal "$(tail -n 1 "$WORLD/out")" "out 2000"
}

# bats test_tags=once
@test "arguments arrive as they are: empty, with spaces, newlines, quotes and bytes that are not text" {
  run -0 sandbox exec box printf '<%s>' '' 'a b' $'c\nd' '"'"'" '$HOME' '*' -n
  equal "$output" $'<><a b><c\nd><"\'><$HOME><*><-n>'
  equal "$(sandbox exec box printf '%s' $'\xc3\xa9')" $'\xc3\xa9'
}

# bats test_tags=once
@test "flags behind the command are the command's" {
  run -0 sandbox exec box echo -i -t --env x
  equal "$output" "-i -t --env x"
}

@test "-e and --env-file set variables for this command only" {
  printf 'A=file\nB=file\n' >"$WORLD/env"
  export OWN=mine
  run -0 sandbox exec -e B=flag -e OWN --env-file "$WORLD/env" box sh -c 'echo $A $B $OWN'
  equal "$output" "file flag mine"
  run -0 sandbox exec box sh -c 'echo "[$A$B$OWN]"'
  equal "$output" "[]"
}

@test "the caller's own environment does not leak into the guest" {
  SECRET_OF_CALLER=secret run -0 sandbox exec box env
  says_not SECRET_OF_CALLER
  says_not "$SANDBOXES_HOME"
}

@test "-u takes a name, a uid, uid:gid and name:group" {
  run -0 sandbox exec box sh -c 'id -u; id -g'
  equal "$output" $'1000\n1000'
  run -0 sandbox exec -u root box sh -c 'id -u; id -g; echo $HOME'
  equal "$output" $'0\n0\n/root'
  run -0 sandbox exec -u 0 box id -u
  equal "$output" 0
  run -0 sandbox exec -u 1234 box id -u
  equal "$output" 1234
  run -0 sandbox exec -u 1234:2345 box sh -c 'id -u; id -g'
  equal "$output" $'1234\n2345'
  run -0 sandbox exec -u agent:docker box sh -c 'id -un; id -gn'
  equal "$output" $'agent\ndocker'
}

@test "-u of nobody known is an error, and nothing runs" {
  run -126 --separate-stderr sandbox exec -u nosuchuser box echo ran
  is_error nosuchuser
  equal "$output" ""
  run -126 --separate-stderr sandbox exec -u agent:nosuchgroup box echo ran
  is_error nosuchgroup
  equal "$output" ""
}

# bats test_tags=container
@test "-u of an id that the guest does not have is an error, and nothing runs" {
  run ! --separate-stderr sandbox exec -u 99999999 box echo ran
  is_error 99999999
  equal "$output" ""
}

@test "-w sets the working directory; the workspace is the default" {
  run -0 sandbox exec box pwd
  equal "$output" "$(workspace_of box)"
  run -0 sandbox exec -w /usr box pwd
  equal "$output" /usr
}

@test "--privileged has capabilities that plain root does not have" {
  plain=$(sandbox exec -u root box grep CapEff /proc/self/status | cut -f2)
  privileged=$(sandbox exec -u root --privileged box grep CapEff /proc/self/status | cut -f2)
  [[ $((16#$plain & ~16#$privileged)) == 0 && $plain != "$privileged" ]]
  run ! sandbox exec -u root box mount -t tmpfs none /mnt
  run -0 sandbox exec -u root --privileged box sh -c 'mount -t tmpfs none /mnt && umount /mnt'
}

@test "-d leaves the command running, and its output goes to logs" {
  run -0 sandbox exec -d box sh -c 'echo detached-output; echo detached-error >&2; exec sleep 1000'
  eventually logs_say detached-output
  eventually logs_say detached-error
  run -0 sandbox exec box pgrep -f 'sleep 1000'
  run -0 sandbox exec box pkill -f 'sleep 1000'
}
logs_say() { [[ $(sandbox logs box) == *"$1"* ]]; }

@test "-d of a command that is not there fails at once" {
  run -127 --separate-stderr sandbox exec -d box no-such-command
  is_error no-such-command
}

@test "a stopped sandbox is started" {
  box sleeper
  sandbox stop sleeper
  equal "$(status_of sleeper)" stopped
  run -0 --separate-stderr sandbox exec sleeper echo awake
  equal "$output" awake
  equal "$(status_of sleeper)" running
}

@test "a reader that pauses stalls only its own stream, and loses nothing" {
  mkfifo "$WORLD/slow"
  sandbox exec box head -c 67108864 /dev/zero >"$WORLD/slow" &
  exec 8<"$WORLD/slow"
  head -c 1000 <&8 >/dev/null
  run -0 sandbox exec box sh -c 'head -c 33554432 /dev/zero | wc -c'
  equal "$output" 33554432
  equal "$(sandbox exec box head -c 33554432 /dev/zero | wc -c)" 33554432
  equal "$(wc -c <&8)" $((67108864 - 1000))
  exec 8<&-
}

@test "a guest that does not read stalls only its own stream" {
  mkfifo "$WORLD/unread"
  sandbox exec -i box sh -c 'read line; while [ ! -e /tmp/go ]; do sleep 0.05; done; wc -c >/tmp/counted' <"$WORLD/unread" &
  local stalled=$!
  { echo start; head -c 20000000 /dev/zero; } >"$WORLD/unread" &
  equal "$(head -c 5000000 /dev/zero | sandbox exec -i box wc -c)" 5000000
  run -0 sandbox exec box touch /tmp/go
  wait "$stalled"
  run -0 sandbox exec box cat /tmp/counted
  equal "$output" 20000000
}

@test "signals to the client reach the command" {
  for signal in TERM INT HUP QUIT; do
    : >"$WORLD/said"
    "$SANDBOXD_BIN/sandbox" exec box bash -c "trap 'echo got $signal; exit 7' $signal; echo ready; while :; do sleep 0.05; done" \
      >"$WORLD/said" 3>&- &
    local client=$!
    # A shell without job control starts background commands with INT and QUIT ignored, and ignored signals stay so.
    [[ $signal == INT || $signal == QUIT ]] && { kill -9 $client; signal_in_session "$signal"; continue; }
    eventually grep -q ready "$WORLD/said"
    kill "-$signal" "$client"
    local code=0
    wait "$client" || code=$?
    equal "$code" 7
    equal "$(tail -n 1 "$WORLD/said")" "got $signal"
  done
}

# The same with the default dispositions, which python restores.
signal_in_session() {
  python3 - "$1" <<'PY'
import os, signal, subprocess, sys
name = sys.argv[1]
program = "trap 'echo got %s; exit 7' %s; echo ready; while :; do sleep 0.05; done" % (name, name)
def defaults():
    for s in (signal.SIGINT, signal.SIGQUIT): signal.signal(s, signal.SIG_DFL)
client = subprocess.Popen([os.environ["SANDBOXD_BIN"] + "/sandbox", "exec", "box", "bash", "-c", program],
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=defaults, text=True)
assert client.stdout.readline() == "ready\n"
client.send_signal(getattr(signal, "SIG" + name))
assert client.stdout.readline() == "got %s\n" % name
assert client.wait(20) == 7
PY
}

@test "200 execs, twenty at a time, each get their own answer" {
  mkdir "$WORLD/answers"
  for batch in $(seq 0 9); do
    local jobs=()
    for i in $(seq $((batch * 20)) $((batch * 20 + 19))); do
      { "$SANDBOXD_BIN/sandbox" exec box sh -c "echo answer $i; exit $((i % 100))" >"$WORLD/answers/$i" 3>&- || echo "code $?" >>"$WORLD/answers/$i"; } &
      jobs+=($!)
    done
    wait "${jobs[@]}"
  done
  for i in $(seq 0 199); do
    if ((i % 100)); then equal "$(cat "$WORLD/answers/$i")" "answer $i"$'\n'"code $((i % 100))"; else equal "$(cat "$WORLD/answers/$i")" "answer $i"; fi
  done
}

@test "a child left in the background does not keep exec waiting" {
  SANDBOX_TIMEOUT=$kPatience run -0 sandbox exec box sh -c 'sleep 2000 & echo done'
  equal "$output" done
  run -0 sandbox exec box pkill -f 'sleep 2000'
}

@test "zombies are reaped" {
  run -0 sandbox exec box sh -c 'for i in 1 2 3 4 5; do (sleep 0 & ) ; done'
  eventually no_zombies
}
no_zombies() { [[ $(sandbox exec box sh -c "ps -e -o stat= | grep -c '^Z'") == 0 ]]; }

@test "a killed client leaves the program running" {
  "$SANDBOXD_BIN/sandbox" exec box sh -c 'echo $$ >/tmp/survivor; exec sleep 3000' 3>&- &
  local client=$!
  eventually sandbox exec box test -s /tmp/survivor
  kill -9 "$client"
  wait "$client" || true
  run -0 sandbox exec box sh -c 'kill -0 $(cat /tmp/survivor)'
  run -0 sandbox exec box sh -c 'kill $(cat /tmp/survivor)'
}

@test "an exec sees the sandbox's own processes, and PID 1 is init" {
  run -0 sandbox exec -u root box cat /proc/1/comm
  matches '^(.sandbox-)?init$'
}

@test "a group that the user has been added to is there for the next exec" {
  sandbox exec -u root box groupadd newcomers
  run -0 sandbox exec box id -nG
  says_not newcomers
  sandbox exec -u root box usermod -aG newcomers agent
  run -0 sandbox exec box id -nG
  matches '(^| )newcomers( |$)'
}
# bats test_tags=container
@test "nothing but init and the command runs" {
  run -0 sandbox exec box sh -c 'cat /proc/[0-9]*/comm | sort | uniq -c | sort -n | tail -n 9'
  says_not sandbox-spare
}
