#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: the guest speaks to the shim or to the daemon as if it were somebody else, or what it says is parsed by
# somebody with privileges.

load ../e2e/world

setup_file() {
  world_up
  box box
}

@test "programs in the guest inherit three descriptors and no more" {
  for flags in "" "-i" "-u root" "--privileged -u root"; do
    # shellcheck disable=SC2086
    run -0 sandbox exec $flags box python3 -c 'import os; print(sorted(int(f) for f in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + f)))' </dev/null
    equal "$output" "[0, 1, 2]"
  done
  sandbox exec -d box sh -c 'ls -l /proc/self/fd; echo listed'
  eventually logs_say listed
  says_not socket "$(sandbox logs box)"
}
logs_say() { [[ $(sandbox logs box) == *"$1"* ]]; }

@test "a set-user-id program or sudo inherits no channel, either" {
  run -0 sandbox exec box sudo -n sh -c 'ls -l /proc/self/fd'
  says_not socket
}

@test "no socket of ours is in the guest" {
  for socket in "$SANDBOXES_HOME/sandboxd.sock" "$SANDBOXES_HOME/vm/box/shim.sock"; do
    run ! sandbox exec -u root --privileged box ls "$socket"
  done
}

@test "plain root in the guest cannot take the channel out of init" {
  run -0 sandbox exec -i -u root box python3 - <<'PY'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
pidfd = libc.syscall(434, 1, 0)
for number in range(0, 16):
    if libc.syscall(438, pidfd, number, 0) >= 0: print("TOOK", number)
    try:
        os.open("/proc/1/fd/%d" % number, os.O_RDWR)
        print("OPENED", number)
    except OSError:
        pass
print("tried")
PY
  equal "$output" tried
}

# Runs in the guest: seizes (ptrace) each process that init makes for an exec as soon as it may, and looks for the channel
# in it. To read its memory or to open its descriptors needs the same right. It prints what it found, and at the end how
# many processes it has met before they were programs.
kThief='
import ctypes, errno, os
SEIZE, INTERRUPT, DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000
ptrace = ctypes.CDLL(None, use_errno=True).ptrace
loadavg = os.open("/proc/loadavg", os.O_RDONLY)
def newest(): return int(os.pread(loadavg, 100, 0).split()[-1])
def enough(): return os.path.exists("/tmp/enough")
def look(pid):
    ptrace(INTERRUPT, pid, 0, 0)
    os.waitpid(pid, WALL)
    try:
        for number in os.listdir("/proc/%d/fd" % pid):
            link = os.readlink("/proc/%d/fd/%s" % (pid, number))
            if "socket:" in link or "vport" in link: print("TOOK", link, "of", pid, flush=True)
    except OSError: pass
    ptrace(DETACH, pid, 0, 0)
last, met = os.getpid(), 0
print("waits", flush=True)
while not enough():
    pid = newest()
    if pid == last: continue
    last, refused = pid, 0
    while newest() == pid and not enough():
        if ptrace(SEIZE, pid, 0, 0) == 0:
            look(pid)
            break
        if ctypes.get_errno() != errno.EPERM: break
        refused += 1
    met += refused > 0
print("met", met, flush=True)'

# thief_as USER: what it said while programs were started as that user. They are looked for in thousands of directories,
# which is done by the process that is about to be the program: so there is time.
thief_as() {
  local path
  path=$(printf '/none/%d:' {1..4000})/usr/bin
  sandbox exec -u root box rm -f /tmp/enough
  "$SANDBOXD_BIN/sandbox" exec -u "$1" box python3 -c "$kThief" >"$WORLD/thief" 2>&1 3>&- &
  local thief=$!
  eventually grep -q waits "$WORLD/thief"
  for _ in $(seq 20); do sandbox exec -u "$1" -e PATH="$path" box true; done
  sandbox exec -u root box touch /tmp/enough
  wait "$thief"
  cat "$WORLD/thief"
}

@test "root in the guest takes no channel from a process of init on its way to being a program" {
  run -0 thief_as root
  says_not TOOK
  matches 'met [1-9]'
}

@test "nor does the agent" {
  run -0 thief_as agent
  says_not TOOK
  matches 'met [1-9]'
}

@test "the shim has no privilege: no capability, no new ones, seccomp, not root, no groups" {
  local shim
  shim=$(inspect box .pids.shim)
  for set in CapInh CapPrm CapEff CapAmb; do equal "$(status_line "$shim" $set)" 0000000000000000; done
  equal "$(status_line "$shim" NoNewPrivs)" 1
  equal "$(status_line "$shim" Seccomp)" 2
  local id
  for id in $(status_line "$shim" Uid) $(status_line "$shim" Gid); do ((id != 0)) || fail "the shim is root"; done
  equal "$(status_line "$shim" Groups)" ""
}

# Not its gate, which is a child of it and the same program.
shim_of() {
  local pid
  find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$1/sandbox-shim" 2>/dev/null | cut -d/ -f3 | while read -r pid; do
    [[ $(readlink "/proc/$(status_line "$pid" PPid)/exe") == "$1/sandbox-shim" ]] || echo "$pid"
  done
}
has_shim() { [[ -n $(shim_of "$1") ]]; }
is_confined() { [[ $(status_line "$1" Seccomp) == 2 && $(status_line "$1" CapEff) == 0000000000000000 ]]; }

# bats test_tags=container
@test "the shim has given up its privileges before the guest has said a word" {
  local silent=$WORLD/silent home=$WORLD/silent-home starter shim
  cp -r "$SANDBOXD_BIN" "$silent"
  # A first process that never says hello.
  printf '#!/bin/sh\nexec sleep 8001\n' >"$silent/sandbox-init"
  mkdir -p "$home" "$WORLD/silent-ws"
  ln -s "$(readlink -f "$SANDBOXES_HOME/templates")" "$home/templates"
  SANDBOXES_HOME=$home "$silent/sandbox" run -q -d --name mute shell "$WORLD/silent-ws" >/dev/null 2>&1 3>&- &
  starter=$!
  eventually has_shim "$silent"
  shim=$(shim_of "$silent")
  eventually is_confined "$shim"
  kill -9 "$shim"
  wait "$starter" && fail "a guest that says nothing was taken for a running one"
  SANDBOXES_HOME=$home "$silent/sandbox" reset -f
  SANDBOXES_HOME=$home "$silent/sandbox" daemon stop
  rm -r "$silent" "$home"
}

@test "the shim's uid is not one of the guest's" {
  local shim init base
  shim=$(inspect box .pids.shim)
  init=$(inspect box .pids.init)
  base=$(awk '{ print $2; exit }' "/proc/$init/uid_map")
  local uid
  uid=$(status_line "$shim" Uid | cut -d' ' -f1)
  ((uid < base || uid >= base + 65536))
}

@test "two shims do not share a uid" {
  box other
  [[ $(status_line "$(inspect box .pids.shim)" Uid) != $(status_line "$(inspect other .pids.shim)" Uid) ]]
}

@test "the shim holds no descriptor of the host's files but its own" {
  local shim
  shim=$(inspect box .pids.shim)
  run -0 ls -l "/proc/$shim/fd"
  says_not metadata.json
  says_not sandboxd.sock
  says_not "$(workspace_of box)"
}

@test "shim.sock is the user's alone, and refuses another user even where the modes would let it in" {
  equal "$(stat -c %a "$SANDBOXES_HOME/vm/box/shim.sock")" 600
  chmod 755 "$WORLD/user" "$WORLD/user/.docker" "$SANDBOXES_HOME" "$SANDBOXES_HOME/vm" "$SANDBOXES_HOME/vm/box"
  chmod 666 "$SANDBOXES_HOME/vm/box/shim.sock"
  run setpriv --reuid 65534 --regid 65534 --clear-groups timeout 20 python3 - "$SANDBOXES_HOME/vm/box/shim.sock" 3>&- <<'PY'
import socket, struct, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.settimeout(10)
message = b'{"op":"status"}'
try:
    s.sendall(struct.pack("<I", len(message)) + message)
    print("answer:", s.recv(4096))
except OSError as e:
    print("refused", e)
PY
  chmod 600 "$SANDBOXES_HOME/vm/box/shim.sock"
  chmod 700 "$SANDBOXES_HOME" "$SANDBOXES_HOME/vm/box"
  says_not init_pid
  run -0 sandbox exec box true
}

# bats test_tags=once
@test "garbage on shim.sock from its own user does not end the sandbox" {
  timeout 60 python3 - "$SANDBOXES_HOME/vm/box/shim.sock" 3>&- <<'PY'
import os, socket, struct, sys
for text in (b"", b"\xff" * 64, struct.pack("<I", 0xffffffff), struct.pack(">I", 5) + b"{}{}{", struct.pack("<I", 2) + b"{}",
             struct.pack("<I", 9) + b'{"op":17}', struct.pack("<I", 1000) + b"short", os.urandom(100000)):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(5)
    s.connect(sys.argv[1])
    try:
        s.sendall(text)
        s.shutdown(socket.SHUT_WR)
        while s.recv(4096): pass
    except OSError:
        pass
    s.close()
PY
  run -0 sandbox exec box echo alive
  equal "$output" alive
}

@test "a guest that floods its streams, ends its execs at once and forks around does not disturb another" {
  box loud
  box quiet
  for _ in 1 2 3; do sandbox exec -d loud sh -c 'while :; do echo flood; done'; done
  "$SANDBOXD_BIN/sandbox" exec loud yes >/dev/null 2>&1 3>&- &
  local client=$!
  for _ in $(seq 20); do
    SANDBOX_TIMEOUT=$kPatience run -0 sandbox exec quiet echo calm
    equal "$output" calm
  done
  kill "$client" 2>/dev/null || true
  sandbox rm loud
}

@test "what a guest prints comes out as it is and is no protocol: a command cannot fake another's exit" {
  run -7 --separate-stderr sandbox exec box python3 -c '
import struct, sys
sys.stdout.buffer.write(struct.pack("<IIB3x", 10, 1, 22) + b"{\"code\":0}")
sys.stdout.flush()
sys.exit(7)'
}

# Another program in the place of sandbox-init, with programs and a home of its own: impostor runs the script that it
# reads, until it is up or has failed to be.
as_impostor() { SANDBOXES_HOME=$WORLD/user-impostor/.docker/sandboxes SANDBOXD_BIN=$WORLD/impostor sandbox "$@"; }
impostor_up() {
  local home=$WORLD/user-impostor/.docker/sandboxes
  [[ ! -d $home ]] || return 0
  mkdir -p "$home" "$WORLD/ws-impostor"
  chmod 700 "$home"
  ln -s "$(readlink -f "$SANDBOXES_HOME/templates")" "$home/templates"
  cp -r "$SANDBOXD_BIN" "$WORLD/impostor"
}
impostor() {
  impostor_up
  local version
  version=$("$SANDBOXD_BIN/sandbox-init" --version | cut -d' ' -f2)
  {
    echo '#!/usr/bin/python3'
    echo "VERSION = '$version'"
    cat <<'PY'
import json, socket, struct
channel = socket.socket(fileno=3)
def frame(kind, stream, payload=b""): return struct.pack("<IIB3x", len(payload), stream, kind) + payload
def say(kind, stream, payload=b""): channel.sendall(frame(kind, stream, payload))
HELLO = frame(1, 0, json.dumps({"version": VERSION}).encode())
READY = frame(3, 0, b"{}")
def linger():  # until the channel ends or it is told to stop
    while (heard := channel.recv(1 << 16)) and b"grace_ms" not in heard: pass
PY
    cat
  } >"$WORLD/impostor/sandbox-init"
  as_impostor create -q --name impostor shell "$WORLD/ws-impostor" >/dev/null
  as_impostor start impostor
}
impostor_down() {
  as_impostor rm impostor
  as_impostor daemon stop
}
impostor_has_ended() { [[ $(as_impostor inspect impostor | jq -r '.[0].status') == stopped ]]; }

# bats test_tags=container
@test "a second hello or ready, or one out of turn, ends the machine, and the reason is said" {
  local attack
  for attack in 'channel.sendall(HELLO + HELLO)' 'channel.sendall(READY)' 'channel.sendall(HELLO + frame(32, 1 << 31, b"{}"))'; do
    run impostor <<<"$attack; linger()"
    ((status != 0)) || fail "it was taken for a guest: $attack"
    is_error "the guest broke the protocol"
    impostor_down
  done
  for attack in HELLO READY; do
    run -0 impostor <<<"channel.sendall(HELLO + READY)
while b'stdin' not in channel.recv(1 << 16): pass  # the first exec
channel.sendall($attack)
linger()"
    run -125 as_impostor exec impostor echo stdin
    says "the guest broke the protocol"
    eventually impostor_has_ended
    impostor_down
  done
}

# bats test_tags=container
@test "a guest that floods the log gets a few lines into it, and the rest is counted" {
  local dropped log=$WORLD/user-impostor/.docker/sandboxes/vm/impostor/shim.log
  run -0 impostor <<<'for i in range(20000): say(6, 0, b"flood " * 500)
channel.sendall(HELLO + READY)
linger()'
  as_impostor stop impostor
  (($(stat -c %s "$log") <= 2 << 20)) || fail "shim.log has $(stat -c %s "$log") bytes"
  (($(grep -c flood "$log") < 1000)) || fail "$(grep -c flood "$log") lines"
  dropped=$(grep -o '[0-9]* lines of the guest were dropped' "$log" | awk '{ sum += $1 } END { print sum }')
  equal $((dropped + $(grep -c flood "$log"))) 20000
  impostor_down
}

# bats test_tags=container
@test "a guest that holds a save, a byte at a time, keeps neither stop nor rm waiting" {
  local saving end log=$WORLD/user-impostor/.docker/sandboxes/vm/impostor/shim.log
  for end in stop rm; do
    run -0 impostor <<'PY'
import select
def frames():
    rest = b""
    while True:
        rest += channel.recv(1 << 16)
        while len(rest) >= 12 and len(rest) >= 12 + struct.unpack_from("<I", rest)[0]:
            length, stream, kind = struct.unpack_from("<IIB", rest)
            yield kind, stream
            rest = rest[12 + length:]
channel.sendall(HELLO + READY)
stream = next(stream for kind, stream in frames() if kind == 16)
say(17, stream, b'{"pid": 7}')
say(6, 0, b"asked to hold")
while not select.select([channel], [], [], 0.1)[0] or b"grace_ms" not in channel.recv(1 << 16): say(21, stream, b"x")
PY
    as_impostor save impostor impostor:1 >"$WORLD/saved" 2>&1 3>&- &
    saving=$!
    eventually grep -q "asked to hold" "$log"
    as_impostor "$end" impostor
    ! wait "$saving" || fail "it was saved"
    [[ $end == rm ]] || as_impostor rm impostor
  done
  as_impostor daemon stop
}
