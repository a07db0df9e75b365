#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What a microVM needs and does not find: a program, a kernel, an answer, space. One clear error each, nothing left behind.

load world

teardown_file() {
  local home
  for home in "$WORLD"/user-*/; do  # of a test that has failed
    mountpoint -q "$home" || continue
    SANDBOXES_HOME=$home.docker/sandboxes sandbox reset -f >/dev/null || true
    SANDBOXES_HOME=$home.docker/sandboxes sandbox daemon stop 2>/dev/null || true
    umount -l "$home"
  done
  world_down
}

# without PROGRAM COMMAND...: hidden from this one command and the daemon that it starts, which has a home of its own.
without() {
  local program=$1
  shift
  SANDBOXES_HOME=$WORLD/user-lacking/.docker/sandboxes run --separate-stderr unshare --mount --propagation private sh -c '
    mount --bind /dev/null "$(readlink -f "$0")" && exec timeout 60 "$SANDBOXD_BIN/sandbox" "$@"' "$program" "$@" 3>&-
}

virtiofsd_program() { command -v virtiofsd || ls /usr/lib/qemu/virtiofsd /usr/libexec/virtiofsd 2>/dev/null | head -n 1; }

lacks() {
  local word=$1 program=$2
  SANDBOXES_HOME=$WORLD/user-lacking/.docker/sandboxes sandbox daemon stop 2>/dev/null  # of a test that has failed
  mkdir -p "$WORLD/ws-lacking" "$WORLD/user-lacking/.docker/sandboxes"
  ln -sfn "$(readlink -f "$SANDBOXES_HOME/templates")" "$WORLD/user-lacking/.docker/sandboxes/templates"
  without "$program" create --name lacking shell "$WORLD/ws-lacking"
  equal "$status" 125
  is_error "$word"
  says "apt-get install" "$stderr"
  [[ ! -e $WORLD/user-lacking/.docker/sandboxes/vm/lacking ]]
  without "$program" diagnose --json
  equal "$(jq -r --arg word "$word" '[.checks[] | select(.status == "fail" and (.message + .name | contains($word)) and .hint != "")] | length' <<<"$output")" 1
  SANDBOXES_HOME=$WORLD/user-lacking/.docker/sandboxes sandbox daemon stop 2>/dev/null
}

@test "no QEMU: an error that names the package, from create and from diagnose" { lacks QEMU "$(command -v qemu-system-x86_64)"; }
@test "no virtiofsd: the same" { lacks virtiofsd "$(virtiofsd_program)"; }
@test "no mkfs.erofs: the same" { lacks mkfs.erofs "$(command -v mkfs.erofs)"; }
@test "no mkfs.ext4: the same" { lacks mkfs.ext4 "$(command -v mkfs.ext4)"; }

configure() { jq -n --arg kernel "$1" '{backend: "microvm", kernel: $kernel}' >"$SANDBOXD_CONFIG"; }
restore_configuration() { echo '{"backend": "microvm"}' >"$SANDBOXD_CONFIG"; }

@test "a kernel that is not there, or is none: create and diagnose name it, and nothing is made" {
  mkdir -p "$WORLD/ws-kernel"
  for kernel in "$WORLD/no-kernel" /etc/passwd; do
    configure "$kernel"
    run --separate-stderr sandbox create --name kernel shell "$WORLD/ws-kernel"
    local code=$status
    run --separate-stderr sandbox diagnose --json
    restore_configuration
    ((code == 125 || code == 2)) || fail "$code"
    equal "$(jq -r --arg kernel "$kernel" '[.checks[] | select(.status == "fail" and (.message | contains($kernel)))] | length' <<<"$output")" 1
    [[ ! -e $SANDBOXES_HOME/vm/kernel ]]
  done
}

# A first process of two instructions, as a static program: it waits for ever, or it exits.
make_init() {
  python3 - "$1" "$2" <<'PY'
import struct, sys
code = {"waits": b"\xb8\x22\0\0\0\x0f\x05\xeb\xf7", "exits": b"\xb8\x3c\0\0\0\xbf\x07\0\0\0\x0f\x05"}[sys.argv[2]]
head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 120 + len(code), 120 + len(code), 0x1000)
open(sys.argv[1], "wb").write(head + segment + code)
PY
  chmod 755 "$1"
}

# with_init BEHAVIOUR: a home of its own whose machines have that first process. Starts one.
with_init() {
  local programs=$WORLD/programs-$1 home=$WORLD/user-$1/.docker/sandboxes
  cp -r "$SANDBOXD_BIN" "$programs"
  rm "$programs/sandbox-init"
  make_init "$programs/sandbox-init" "$1"
  mkdir -p "$home" "$WORLD/ws-$1"
  ln -s "$(readlink -f "$SANDBOXES_HOME/templates")" "$home/templates"
  SANDBOXES_HOME=$home run --separate-stderr timeout 100 "$programs/sandbox" run -q -d --cpus 1 -m 512m --name mute shell "$WORLD/ws-$1" 3>&-
}

# Nothing of it runs, and there is nothing that reset cannot remove.
gone_with_init() {
  local programs=$WORLD/programs-$1 home=$WORLD/user-$1/.docker/sandboxes
  says_not '"running"' "$(SANDBOXES_HOME=$home "$programs/sandbox" ls --json 3>&-)"
  equal "$(grep -ls "$WORLD/ws-$1" /proc/[0-9]*/mountinfo)" ""
  equal "$(find /proc -maxdepth 3 -path '/proc/[0-9]*/fd/*' -lname "$home/vm/*" 2>/dev/null)" ""
  SANDBOXES_HOME=$home "$programs/sandbox" reset -f >/dev/null 3>&-
  SANDBOXES_HOME=$home "$programs/sandbox" daemon stop 3>&-
}

@test "a guest that never answers: an error after 30 s with the console's last lines, and nothing is left running" {
  with_init waits
  equal "$status" 125
  is_error "did not answer in 30 s"
  says "console" "$stderr"
  says "$(command -v qemu-system-x86_64)" "$stderr"
  matches 'firmware /usr/share/[a-z]+/[a-z.-]+, kernel ' "$stderr"
  says "QEMU said nothing" "$stderr"
  says "try: sandbox diagnose" "$stderr"
  gone_with_init waits
}

@test "a guest whose first process fails: the kernel's panic is the error" {
  with_init exits
  equal "$status" 125
  is_error "Kernel panic"
  says "Attempted to kill init" "$stderr"
  gone_with_init exits
}

@test "the host's disk is full: the guest is told or ended with a reason, and with space again it is whole" {
  mkdir -p "$WORLD/user-full"
  mount -t tmpfs -o size=400m,mode=755 tmpfs "$WORLD/user-full"
  export SANDBOXES_HOME=$WORLD/user-full/.docker/sandboxes
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
  box tight --disk 300m
  mount -o remount,size=100m "$WORLD/user-full"
  sandbox exec tight sh -c 'echo kept >~/mark; sync'
  run timeout -k 1 60 "$SANDBOXD_BIN/sandbox" exec tight sh -c 'head -c 80000000 /dev/urandom >~/big && sync ~/big' 3>&-
  ((status != 0 && status != 124 && status != 137)) || fail "$status: $output"
  if [[ $(status_of tight) == running ]]; then
    SANDBOX_TIMEOUT=40 run -0 sandbox stop tight
  else
    matches "[Ss]pace|full|I/O" "$(inspect tight .reason)"
  fi
  mount -o remount,size=400m "$WORLD/user-full"
  run -0 sandbox exec tight cat /home/agent/mark
  equal "$output" kept
  remember_ids
  sandbox reset -f >/dev/null
  sandbox daemon stop
  umount "$WORLD/user-full"
}
