#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: somebody takes over the gate, the one process of a sandbox that may use the network, and finds more there
# than the network. tests/gate/confine_test.cc tries the system calls; here is the process of a real sandbox.

load ../e2e/world

setup_file() {
  world_up
  box box
  box other
}

setup() { GATE=$(gate_pid_of box); }

@test "the gate has no capability, gets no privilege, and filters its system calls" {
  local set
  for set in CapInh CapPrm CapEff CapBnd CapAmb; do equal "$set $(status_line "$GATE" $set)" "$set 0000000000000000"; done
  equal "$(status_line "$GATE" NoNewPrivs) $(status_line "$GATE" Seccomp)" "1 2"
  local task
  for task in /proc/"$GATE"/task/*; do equal "$(awk '$1 == "Seccomp:" {print $2}' "$task/status")" 2; done
}

@test "the gate is nobody else: neither root, nor its shim, nor the gate of another sandbox" {
  local uids
  uids=$(for pid in "$GATE" "$(gate_pid_of other)" "$(shim_pid_of box)"; do status_line "$pid" Uid | cut -d' ' -f1; done)
  equal "$(sort -u <<<"$uids" | wc -l)" 3
  says_not $'\n0\n' $'\n'"$uids"$'\n'
  equal "$(status_line "$GATE" Groups)" ""
}

@test "the gate's root has no file of the user's, no device, no process and no socket" {
  local path
  for path in /root /home /dev /proc /sys /var /boot /usr/bin "$WORLD" "$HOME" "$SANDBOXES_HOME"; do
    [[ ! -e /proc/$GATE/root$path ]] || fail "it sees $path"
  done
  equal "$(ls "/proc/$GATE/root/network")" "$(ls "$SANDBOXES_HOME/vm/box/network")"
  run find "/proc/$GATE/root/" -xdev -type s
  equal "$output" ""
}

@test "the gate cannot read /etc/shadow, and can write to its own directory only" {
  local uid
  uid=$(status_line "$GATE" Uid | cut -d' ' -f1)
  [[ -e /proc/$GATE/root/etc/shadow ]]
  run setpriv --reuid "$uid" --regid "$uid" --clear-groups cat /etc/shadow
  ((status != 0)) || fail "its user reads /etc/shadow"
  run awk '$5 != "/network" && $6 !~ /^ro,/ {print $5}' "/proc/$GATE/mountinfo"
  equal "$output" ""
  run awk '{print $5}' "/proc/$GATE/mountinfo"
  says /network
  equal "$(stat -c %a:%u "$SANDBOXES_HOME/vm/box/network")" "700:$uid"
}

@test "the gate's descriptors are its log, its line, its sockets and its directory" {
  local target
  while read -r target; do
    case $target in
      /dev/null | "$SANDBOXES_HOME/vm/box/shim.log" | socket:* | 'anon_inode:[eventpoll]' | 'anon_inode:[eventfd]') ;;
      "$SANDBOXES_HOME/vm/box/network" | /network/network.db | /network/network.db-journal) ;;
      *) fail "it has $target" ;;
    esac
  done < <(find "/proc/$GATE/fd" -mindepth 1 -printf '%l\n')
}

@test "a sandbox whose gate is killed runs on, without network" {
  local pid
  pid=$(gate_pid_of other)
  kill -9 "$pid"
  gate_is_gone() { ! gate_pid_of other; }
  eventually gate_is_gone
  run -0 sandbox exec other echo still here
  equal "$output" "still here"
  run grep -c 'no network until it is started again' "$SANDBOXES_HOME/vm/other/shim.log"
  equal "$output" 1
  sandbox stop other >/dev/null
  sandbox start other >/dev/null
  [[ -n $(gate_pid_of other) ]]
}

@test "a shim that is killed leaves no gate behind" {
  local gate
  gate=$(gate_pid_of other)
  kill -9 "$(shim_pid_of other)"
  gate_is_gone() { [[ ! -e /proc/$gate ]]; }
  eventually gate_is_gone
}

# bats test_tags=once
@test "the authority's key is in the shim's memory and in no other process of the sandbox" {
  local key=$SANDBOXES_HOME/vm/box/proxy_cacerts/proxy-ca.key shim
  shim=$(inspect box .pids.shim)
  run -0 python3 "$BATS_TEST_DIRNAME/memory.py" "$key" "$shim"
  says "$shim"
  run -0 python3 "$BATS_TEST_DIRNAME/memory.py" "$key" $(pgrep -P "$shim")
  equal "$output" ""
}
