#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A container's own disk is bounded, by a project quota where the file system has it, else by a loop image; and it lives
# through everything that a sandbox does.

load world

setup_file() {
  world_up
  box small --disk 128m
  box plain
}

teardown_file() {
  if mountpoint -q "$WORLD/user-tight"; then  # its test has failed
    SANDBOXES_HOME=$WORLD/user-tight/.docker/sandboxes
    rm -f "$WORLD/user-tight/filler"
    sandbox reset -f >/dev/null || true
    sandbox daemon stop || true
    umount -l "$WORLD/user-tight"
    SANDBOXES_HOME=$WORLD/user/.docker/sandboxes
  fi
  world_down
}

state_of() { echo "$SANDBOXES_HOME/vm/$1"; }
bound_of() { inspect "$1" .limits.disk_bound; }
# What the host stores for a sandbox, in KiB: held NAME
held() { du -sk "$(state_of "$1")" | cut -f1; }
holds_less() { (($(held "$1") < $2)); }
free_here() { df -B1 --output=avail "$SANDBOXES_HOME" | tail -n 1; }
# Fills the guest's disk with one file; says how many MiB went in, and why no more.
kFill='import os, errno
fd, sum = os.open("/home/agent/big", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 0
try:
    while sum < 4096: sum += os.write(fd, b"x" * (1 << 20)) >> 20
    print("no bound")
except OSError as e:
    print(errno.errorcode[e.errno], sum)'

fill() { sandbox exec "$1" python3 -c "$kFill"; }
needs_image() { [[ $(bound_of "$1") == "loop image" ]] || skip "here it is a $(bound_of "$1")"; }
loops_of() { grep -lsF "$(state_of "$1")/" /sys/block/loop*/loop/backing_file; }
has_no_loop() { [[ -z $(loops_of "$1") ]]; }

@test "--disk is a bound: what goes over it fails, and the sandbox can be used on" {
  matches '^(project quota|loop image)$' "$(bound_of small)"
  equal "$(inspect small .limits.disk)" $((128 << 20))
  run -0 fill small
  matches '^(ENOSPC|EDQUOT) [0-9]+$'
  ((${output#* } <= 128 && ${output#* } > 64)) || fail "it took ${output#* } MiB"
  holds_less small $((160 << 10))
  run -0 sandbox exec small echo alive
  equal "$output" alive
  run -0 sandbox exec plain sh -c 'head -c 200000000 /dev/zero >~/big && rm ~/big && echo neighbour'
  equal "$output" neighbour
}

@test "a full one can be stopped and started, and holds what it held" {
  fill small
  SANDBOX_TIMEOUT=$((2 * kPatience)) run -0 sandbox stop small
  run -0 sandbox exec small sh -c 'test -s ~/big && rm ~/big && echo room >~/small && cat ~/small'
  equal "$output" room
}

@test "what is deleted is given back to the host" {
  fill small
  (($(held small) > 64 << 10))
  sandbox exec small sh -c 'rm ~/big; sync -f ~'
  eventually holds_less small $((48 << 10))
}

@test "the number of files is bounded, too" {
  run -0 sandbox exec small python3 -c '
import errno, os
os.mkdir("/home/agent/many")
try:
    for i in range(1000000): os.close(os.open(f"/home/agent/many/{i}", os.O_CREAT | os.O_WRONLY))
    print("no bound")
except OSError as e:
    print(errno.errorcode[e.errno])'
  matches '^(ENOSPC|EDQUOT)$'
  run -0 sandbox exec small sh -c 'rm -rf ~/many && touch ~/again && echo again'
  equal "$output" again
}

@test "without --disk it is a power of two, 64 GB at most, and at most half of what is free" {
  local before after disk
  before=$(free_here)
  box default
  after=$(free_here)
  disk=$(inspect default .limits.disk)
  matches '^(project quota|loop image)$' "$(bound_of default)"
  (((disk & (disk - 1)) == 0)) || fail "$disk"
  ((disk <= 64 << 30 && disk <= (before > after ? before : after) / 2)) || fail "$disk of $before, $after"
  ((disk == 64 << 30 || 2 * disk > (before < after ? before : after) / 2)) || fail "$disk of $before, $after"
  equal "$(sandbox ls --json | jq -c '.vms[] | select(.name == "default") | [.disk, .disk_bound]')" "[$disk,\"$(bound_of default)\"]"
  sandbox rm default >/dev/null
}

@test "diagnose says what bounds a disk here" {
  run sandbox diagnose
  says "held to their --disk by a $(bound_of small)"
}

@test "sizes that cannot be had are refused, and what is more than there is now is said" {
  mkdir -p "$WORLD/none"
  for size in 1m 63m 4096t; do
    run -2 --separate-stderr sandbox create --disk $size shell "$WORLD/none"
    is_error "--disk"
  done
  run -0 sandbox ls -q
  says_not none
}

@test "its files live through stop, a killed shim and a killed daemon" {
  box kept --disk 128m
  sandbox exec kept sh -c 'echo one >~/file; sync -f ~'
  sandbox stop kept >/dev/null
  equal "$(sandbox exec kept cat /home/agent/file)" one
  sandbox exec kept sh -c 'echo two >~/file'
  kill -9 "$(shim_pid_of kept)"
  eventually has_status kept stopped
  equal "$(sandbox exec kept cat /home/agent/file)" two
  kill -9 "$(daemon_pid)"
  equal "$(sandbox exec kept cat /home/agent/file)" two
  run -0 sandbox exec -u root kept sh -c 'echo host >/etc/marker; cat /etc/marker'
}

@test "a loop device lives as long as its sandbox runs, and no longer" {
  needs_image small
  box looped --disk 128m
  [[ $(loops_of looped | wc -l) == 1 ]]
  sandbox stop looped >/dev/null
  eventually has_no_loop looped
  sandbox start looped >/dev/null
  kill -9 "$(shim_pid_of looped)"
  eventually has_status looped stopped
  eventually has_no_loop looped
  sandbox start looped >/dev/null
  sandbox rm looped >/dev/null
  eventually has_no_loop looped
  [[ ! -e $(state_of looped) ]]
}

@test "the image is mounted where only the shim sees it" {
  needs_image small
  run ! grep -F "$(state_of small)" /proc/self/mountinfo
  equal "$(stat -c %a "$(state_of small)/disk.raw")" 600
  equal "$(ls -A "$(state_of small)/disk")" ""
}

@test "a sandbox that was made before disks were bounded goes on as it was" {
  box old
  needs_image old
  sandbox stop old >/dev/null
  sandbox daemon stop 2>/dev/null
  local state
  state=$(state_of old)
  rm "$state/disk.raw"
  jq -c 'del(.limits.disk_bound) | .limits.disk = 0' "$state/metadata.json" >"$WORLD/record"
  cp "$WORLD/record" "$state/metadata.json"
  sandbox exec old sh -c 'echo kept >~/file'
  equal "$(cat "$state/disk/upper/home/agent/file")" kept
  equal "$(inspect old .limits | jq -c '[.disk, .disk_bound]')" '[0,""]'
  sandbox stop old >/dev/null
  equal "$(sandbox exec old cat /home/agent/file)" kept
  sandbox rm old >/dev/null
  [[ ! -e $state ]]
}

# A home on a small file system of its own, tmpfs, which has no project quota.
enter_tight() {
  export SANDBOXES_HOME=$WORLD/user-tight/.docker/sandboxes
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
}

@test "on a small host the default is small, and says so; one that is nearly full takes no sandbox" {
  mkdir -p "$WORLD/user-tight" "$WORLD/ws-tight"
  mount -t tmpfs -o size=300m,mode=755 tmpfs "$WORLD/user-tight"
  enter_tight
  run -0 --separate-stderr sandbox create --name tight shell "$WORLD/ws-tight"
  matches 'disk is bounded to 128 MB, because only 29[0-9] MB are free' "$stderr"
  equal "$(inspect tight '.limits.disk')" $((128 << 20))
  run -0 --separate-stderr sandbox create --disk 295m --name wide shell "$WORLD/ws-tight"
  run -2 --separate-stderr sandbox create --disk 301m --name never shell "$WORLD/ws-tight"
  is_error "in all"
  head -c 200m /dev/zero >"$WORLD/user-tight/filler"
  run -125 --separate-stderr sandbox create --name late shell "$WORLD/ws-tight"
  is_error "No space left"
  equal "$(sandbox ls -q | sort | xargs)" "tight wide"
}

@test "a host that fills up under an image: the guest is told, it can be stopped and removed, and with room it is whole" {
  enter_tight
  rm -f "$WORLD/user-tight/filler"
  run -0 sandbox exec tight sh -c 'echo precious >~/precious; sync -f ~; cat ~/precious'
  head -c 400m /dev/zero >"$WORLD/user-tight/filler" || true
  # fsync of the file, because an overlay's syncfs tells no error that writeback met before it.
  run sandbox exec tight dd if=/dev/zero of=/home/agent/big bs=1M count=95 conv=fsync
  ((status != 0))
  matches 'Input/output error|Read-only file system|No space left'
  SANDBOX_TIMEOUT=$((2 * kPatience)) run -0 sandbox stop tight
  rm "$WORLD/user-tight/filler"
  run -0 sandbox exec tight cat /home/agent/precious
  equal "$output" precious
  run -0 sandbox exec tight sh -c 'echo again >~/again && cat ~/again'
  head -c 400m /dev/zero >"$WORLD/user-tight/filler" || true
  run -0 sandbox rm tight wide
  rm "$WORLD/user-tight/filler"
  remember_ids
  sandbox daemon stop 2>/dev/null
  umount "$WORLD/user-tight"
}
