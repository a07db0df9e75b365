#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A reboot of the host under running sandboxes: records and files stay, sockets and locks of the dead are no hindrance.
# tests/hosts/inside runs the first test, reboots, and runs the others.

load ../e2e/world

kHome=/var/lib/sandboxd-hosts/reboot
setup_file() {
  mkdir -p $kHome/ws
  export HOME=$kHome SANDBOXES_HOME=$kHome/.docker/sandboxes SANDBOXD_CONFIG=$kHome/config.json
  echo '{"backend": "container"}' >"$SANDBOXD_CONFIG"
  share_templates "$SANDBOXD_TEMPLATES"
}
teardown_file() { :; }

@test "sandboxes run when the host goes down" {
  sandbox create -q --name kept --memory 256m shell $kHome/ws
  sandbox exec kept sh -c 'echo layer >~/layer; echo workspace >workspace; sync'
  sandbox create -q --backend microvm --name machine --cpus 1 --memory 512m shell $kHome/ws
  sandbox exec machine sh -c 'echo layer >~/layer; sync'
  equal "$(status_of kept)$(status_of machine)" runningrunning
  [[ -S $SANDBOXES_HOME/vm/kept/shim.sock ]]
  cp /proc/sys/kernel/random/boot_id $kHome/boot
  sync
}

# bats test_tags=after_reboot
@test "after it they are there and stopped, and a new daemon takes the old socket's place" {
  [[ $(<$kHome/boot) != "$(</proc/sys/kernel/random/boot_id)" ]]
  equal "$(status_of kept)$(status_of machine)" stoppedstopped
}

# bats test_tags=after_reboot
@test "both start again and have what they had" {
  run -0 sandbox exec kept sh -c 'cat ~/layer workspace'
  equal "$output" $'layer\nworkspace'
  run -0 sandbox exec machine sh -c 'cat ~/layer'
  equal "$output" layer
  equal "$(inspect kept .limits.enforced)" true
}

# bats test_tags=after_reboot
@test "nothing is left when they are removed" {
  run -0 sandbox rm -f kept machine
  equal "$(ls "$SANDBOXES_HOME/vm")" ""
  run -0 sandbox daemon stop
}
