#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A host as people have it: KVM, cgroup v2, systemd. What works there in a few minutes.

load ../e2e/world

@test "the host is one: systemd, cgroup v2, /dev/kvm as udev makes it" {
  equal "$(</proc/1/comm)" systemd
  equal "$(stat -f -c %T /sys/fs/cgroup)" cgroup2fs
  equal "$(stat -c '%a %G' /dev/kvm)" '660 kvm'
}

@test "diagnose finds KVM and nothing that fails" {
  echo '{}' >"$SANDBOXD_CONFIG"
  run -0 sandbox diagnose --json
  equal "$(jq -r '.checks[] | select(.name == "KVM") | .status' <<<"$output")" pass
  equal "$(jq -r '[.checks[] | select(.status == "fail")] | length' <<<"$output")" 0
}

@test "a microVM on KVM is what a sandbox is when nothing is asked for, and it works" {
  echo '{}' >"$SANDBOXD_CONFIG"
  mkdir -p "$WORLD/ws-machine"
  run -0 sandbox create -q --name machine --cpus 1 --memory 512m shell "$WORLD/ws-machine"
  says_not "emulated"
  run -0 sandbox exec machine sh -c 'cat /proc/sys/kernel/random/boot_id >boot; uname -r'
  remember_ids
  equal "$(inspect machine .isolation)" microvm
  [[ $(<"$WORLD/ws-machine/boot") != "$(</proc/sys/kernel/random/boot_id)" ]]
  run -0 sandbox stop machine
  run -0 sandbox rm machine
}

@test "a container is held to its limits by cgroup v2" {
  echo '{"backend": "container"}' >"$SANDBOXD_CONFIG"
  sandbox daemon stop
  box small --memory 128m
  equal "$(inspect small .limits.enforced)" true
  # One group is the guest's, another that of the programs which serve it.
  run -0 find /sys/fs/cgroup -path "*$(inspect small .id)*" -name memory.max -exec cat {} +
  matches $'(^|\n)134217728($|\n)'
  run -137 sandbox exec small python3 -c 'x = [b"x" * (1 << 20) + bytes([i % 256]) for i in range(600)]'
  run -0 sandbox exec small echo alive
}

@test "/dev/kvm that is root's alone: create says so, diagnose what helps, and the sandbox is made and runs" {
  echo '{}' >"$SANDBOXD_CONFIG"
  sandbox daemon stop
  chown root:root /dev/kvm
  chmod 600 /dev/kvm
  mkdir -p "$WORLD/ws-closed"
  run sandbox create --name closed shell "$WORLD/ws-closed"
  local code=$status said=$output advice
  advice=$(sandbox diagnose) || true
  chown root:kvm /dev/kvm
  chmod 660 /dev/kvm
  equal "$code" 0
  says "not for QEMU" "$said"
  says "chgrp kvm" "$advice"
  equal "$(inspect closed .isolation)" container
  run -0 sandbox exec closed echo hello
  remember_ids
}
