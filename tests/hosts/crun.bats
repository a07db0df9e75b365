#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# crun, which refuses hybrid control groups and so runs on hosts of cgroup v2 only.

load ../e2e/world

@test "--backend crun: create, exec, workspace, limits, stop, start" {
  box fast --backend crun --memory 128m --pids 64
  run -3 sandbox exec fast sh -c 'echo hello >file; exit 3'
  equal "$(<"$WORLD/ws-fast/file")" hello
  equal "$(inspect fast .limits.enforced)" true
  run -137 sandbox exec fast python3 -c 'x = [b"x" * (1 << 20) + bytes([i % 256]) for i in range(600)]'
  run -0 sandbox stop fast
  run -0 sandbox exec fast cat file
  equal "$output" hello
}
