#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A guest that may make containers, with every right that its own Docker daemon can give, gets no further than one that
# may not: docs/threat-model.md, "A Docker daemon of the sandbox's own".

setup_file() {
  load ../e2e/world
  world_up
  mkdir -p "$WORLD/project" "$WORLD/secret" "$WORLD/busybox/bin"
  echo treasure >"$WORLD/secret/treasure"
  cp "$(command -v busybox)" "$WORLD/busybox/bin/"
  local name
  for name in sh cat ls find grep mount mkdir nsenter chroot sleep sysctl wget ip; do ln -s busybox "$WORLD/busybox/bin/$name"; done
  tar -C "$WORLD/busybox" -cf "$WORLD/busybox.tar" .
  sandbox create -q --name box --memory 1g --pids 400 claude "$WORLD/project" >/dev/null
  sandbox network proxy box --policy deny >/dev/null
  sandbox exec -i box docker import - small <"$WORLD/busybox.tar" >/dev/null
}

teardown_file() {
  load ../e2e/world
  world_down
}

setup() { load ../e2e/world; }

# As much as docker can give.
almighty() { sandbox exec box docker run --rm --privileged --net=host --pid=host --ipc=host -v /:/guest small sh -c "$1"; }

@test "it sees the guest's files and none of the host's" {
  run -0 almighty 'ls /guest'
  run ! almighty 'find / -xdev -name treasure | grep .'
  run ! almighty "cat /guest$WORLD/secret/treasure"
}

@test "it finds no socket of the host's Docker, nor of another sandbox" {
  run -0 almighty 'ls -la /guest/run/docker.sock'
  says "/run/sandbox/docker.sock"
  run ! almighty "ls /guest$SANDBOXES_HOME"
}

# bats test_tags=container
@test "it cannot raise the limits of the sandbox" {
  run almighty 'for f in memory/memory.limit_in_bytes memory.max pids/pids.max pids.max; do
    f=/guest/sys/fs/cgroup/$f; [ -e $f ] && echo max > $f && echo "raised $f"; done; true'
  says_not raised
}

# bats test_tags=container
@test "it cannot write the host's settings" {
  run almighty 'for s in kernel/core_pattern kernel/modprobe vm/swappiness kernel/hostname; do
    cat /proc/sys/$s > /dev/null; done; echo 1 > /proc/sysrq-trigger && echo wrote; echo x > /proc/sys/kernel/core_pattern && echo wrote; true'
  says_not wrote
}

# bats test_tags=container
@test "it cannot mount the host's disks or make their devices" {
  run almighty 'mknod /tmp/sda b 8 0 && cat /tmp/sda | head -c 1 && echo read; mount -t ext4 /dev/vda /mnt && echo mounted; true'
  says_not read
  says_not mounted
}

@test "what is in a container asks the same policy" {
  local fetch="chroot /guest curl -sS --noproxy '*' http://198.51.100.7/"
  run -0 almighty "$fetch"
  says "Blocked by network policy"
  run -0 sandbox exec box docker run --rm -v /:/guest small sh -c "$fetch" # on docker's own bridge
  says "Blocked by network policy"
  run -0 almighty 'ip link'
  says_not "eth0"
}

@test "the limit of processes holds for all containers together" {
  run sandbox exec box docker run --rm small sh -c 'i=0; while [ $i -lt 600 ]; do sleep 20 & i=$((i+1)); done'
  says "can't fork"
}
