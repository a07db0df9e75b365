#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What the network log keeps when a guest floods it, and when a neighbour has filled the disk that it is on.

load world

# A home on a small file system of its own.
setup_file() {
  world_up
  mkdir -p "$WORLD/user-small"
  mount -t tmpfs -o size=300m,mode=755 tmpfs "$WORLD/user-small"
  export SANDBOXES_HOME=$WORLD/user-small/.docker/sandboxes
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
  box box
  sandbox network proxy box --policy deny >/dev/null
}

teardown_file() {
  rm -f "$WORLD/user-small/filler"
  remember_ids
  sandbox reset -f >/dev/null
  sandbox daemon stop 2>/dev/null
  umount "$WORLD/user-small" || umount -l "$WORLD/user-small"
  SANDBOXES_HOME=$WORLD/user/.docker/sandboxes
  world_down
}

teardown() { rm -f "$WORLD/user-small/filler"; }

LOG=network/network.db
log_of() { sandbox network log --json "$1"; }
# How often a host was refused: count_of SANDBOX HOST
count_of() { log_of "$1" | jq --arg host "$2" '[.blocked_hosts[] | select(.host == $host) | .count_since] | add // 0'; }
unwritten_of() { log_of "$1" | jq -c '[.unwritten[] | [.vm_name, .count]]'; }
# Refusals, and decisions that are not in the log.
total_of() { log_of "$1" | jq '[.blocked_hosts[].count_since, .unwritten[].count] | add'; }
# ask SANDBOX URL...: each by itself; curl knows ranges ([1-100]).
ask() { sandbox exec "$1" sh -c 'exec curl -sS "$@" >/dev/null' sh "${@:2}"; }
fill_disk() { head -c 400m /dev/zero >"$WORLD/user-small/filler" || true; }
is_full() { (($(df -B1 --output=avail "$WORLD/user-small" | tail -n 1) == 0)); }

@test "on a disk that is full what is refused is in the log" {
  ask box http://before.test/
  fill_disk
  is_full
  ask box http://during.test/ http://during.test/again
  equal "$(count_of box during.test:80)" 2
  ask box "http://during.test/[1-3000]"
  equal "$(count_of box during.test:80)" 3002
  equal "$(count_of box before.test:80)" 1
  equal "$(unwritten_of box)" '[]'
  is_full
}

@test "what cannot be written is counted, said at once, and in the file when there is room" {
  box loser
  sandbox network proxy loser --policy deny >/dev/null
  ask loser http://before.test/
  equal "$(count_of loser before.test:80)" 1
  : >"$SANDBOXES_HOME/vm/loser/$LOG-journal"  # the room that it has: as on a file system that keeps none
  fill_disk
  ask loser http://lost.test/ http://lost.test/ http://lost.test/
  run -0 sandbox network log loser
  says "loser: 3 decisions could not be written, "
  says before.test:80
  says_not lost.test
  run -0 --separate-stderr sandbox network log --hosts loser
  equal "$output" before.test:80
  says "3 decisions could not be written" "$stderr"
  equal "$(unwritten_of loser)" '[["loser",3]]'
  rm "$WORLD/user-small/filler"
  ask loser http://after.test/
  equal "$(count_of loser after.test:80)" 1
  sandbox stop loser >/dev/null
  equal "$(unwritten_of loser)" '[["loser",3]]'
  equal "$(sandbox network log --json | jq -c '[.unwritten[].vm_name]')" '["loser"]'
  sandbox rm loser >/dev/null
}

# That it hides nothing when the records are forgotten, too, is shown where that takes no minute: tests/netlog/sums_test.cc.
@test "a flood of names that are made up is counted, takes a bounded number of lines and hides nothing" {
  box flooded
  sandbox network proxy flooded --policy deny >/dev/null
  ask flooded http://evil.test/ http://evil.test/
  local first
  first=$(log_of flooded | jq -r '.blocked_hosts[0].since')
  ask flooded "http://x[1-5000].test/"
  equal "$(total_of flooded)" 5002
  equal "$(count_of flooded evil.test:80)" 2
  equal "$(log_of flooded | jq -r '.blocked_hosts[] | select(.host == "evil.test:80") | .since')" "$first"
  run -0 sandbox network log flooded --blocked
  matches 'flooded +evil\.test:80 +<default policy> '
  matches 'flooded +<other hosts> +<default policy> '
  ((${#lines[@]} < 2000))
  run -0 sandbox network log flooded --hosts
  says evil.test:80
  says_not other
  sandbox rm flooded >/dev/null
}
