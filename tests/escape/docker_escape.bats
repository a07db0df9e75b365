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
  for name in sh cat ls find grep mount mkdir mknod cp chmod id nsenter chroot sleep sysctl wget ip tail; do ln -s busybox "$WORLD/busybox/bin/$name"; done
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

# The directory of its Docker daemon, as the shim has it mounted.
images_of() { echo "/proc/$(shim_pid_of "$1")/root$SANDBOXES_HOME/vm/$1/disk/docker"; }
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

# An emulated machine would take minutes to run out of it.
# bats test_tags=container
@test "a container that takes more memory than the sandbox has is killed, and nothing else" {
  local shim
  shim=$(shim_pid_of box)
  run -137 sandbox exec box docker run --rm small sh -c 'exec tail -n 1 /dev/zero'
  run -0 almighty 'echo still here'
  equal "$output" "still here"
  equal "$(shim_pid_of box)" "$shim"
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

# The images' disk is mounted without nosuid and nodev, for BuildKit.
# bats test_tags=container
@test "a set-user-id file on the disk of its images has no rights on the host" {
  run -0 almighty 'cp /bin/busybox /guest/var/lib/docker/id && chmod 4755 /guest/var/lib/docker/id && /guest/var/lib/docker/id -u'
  equal "$output" 0
  run -0 stat -c '%a %u' "$(images_of box)/id"
  matches '^4755 [0-9]{6,}$'
  # Run on the host it stays who runs it: its mount is of another namespace, and its owner would be an id of the guest's.
  run -0 "$(images_of box)/id" -u
  equal "$output" 0
  run setpriv --reuid 65534 --clear-groups "$(images_of box)/id" -u
  [[ $status != 0 || $output == 65534 ]]
}

# bats test_tags=container
@test "a device on the disk of its images opens nothing" {
  mknod -m 666 "$(images_of box)/loop" b 7 0
  run -1 sandbox exec -u root box head -c 1 /var/lib/docker/loop
  says "Operation not permitted"
  run ! almighty 'cat /guest/var/lib/docker/loop'
  run ! almighty 'mknod /guest/var/lib/docker/own b 7 0'
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

@test "what BuildKit builds asks the same policy" {
  build() { printf 'FROM small\nRUN wget -O- http://198.51.100.7/\n' | sandbox exec -i -e DOCKER_BUILDKIT=1 box docker build --progress=plain -; }
  run -1 build
  [[ $output != *"buildx component is missing"* ]] || skip "the guest's docker client has no BuildKit (docker-buildx)"
  says "403 Forbidden"
}

@test "the limit of processes holds for all containers together" {
  run sandbox exec box docker run --rm small sh -c 'i=0; while [ $i -lt 600 ]; do sleep 20 & i=$((i+1)); done'
  says "can't fork"
}
