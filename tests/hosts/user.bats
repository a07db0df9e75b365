#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# An ordinary user of a host with systemd: the user unit, control groups that systemd delegates, KVM by the group.

load ../e2e/world
load user

setup_file() {
  world_up
  install -d -m 755 /usr/local/libexec/sandboxd
  cp "$SANDBOXD_BIN"/* /usr/local/libexec/sandboxd/
  install -d /etc/systemd/user
  sed 's#@CMAKE_INSTALL_PREFIX@#/usr/local#' "$kSource/packaging/sandboxd.service.in" >/etc/systemd/user/sandboxd.service
  cp "$kSource/packaging/sandboxd-sandboxes.service" /etc/systemd/user/
  install -d -m 700 -o $kUser -g $kUser $kUserHome/.docker $kUserHome/.docker/sandboxes
  ln -sfn /build/user-templates $kUserHome/.docker/sandboxes/templates
  user_up
}

teardown_file() {
  as_user /usr/local/libexec/sandboxd/sandbox reset -f >/dev/null || true
  as_user systemctl --user stop sandboxd sandboxd-sandboxes || true
  user_down
  rm -rf /usr/local/libexec/sandboxd /etc/systemd/user/sandboxd*.service $kUserHome/.docker
  world_down
}

cli() { as_user /usr/local/libexec/sandboxd/sandbox "$@"; }

status_is() { [[ $(cli inspect "$1" | jq -r '.[0].status') == "$2" ]]; }
group_of() { cut -d: -f3- "/proc/$1/cgroup"; }
# held NAME: to its 128 MB, by what the record says and in fact.
held() {
  equal "$(cli inspect "$1" | jq -r '.[0].limits.enforced')" true
  run -137 cli exec "$1" python3 -c 'x = [b"x" * (1 << 20) + bytes([i % 256]) for i in range(600)]'
  run -0 cli exec "$1" echo alive
}

@test "systemd starts the unit, and the CLI finds that daemon" {
  as_user systemctl --user daemon-reload
  run -0 as_user systemctl --user start sandboxd
  equal "$(as_user systemctl --user is-active sandboxd sandboxd-sandboxes)" $'active\nactive'
  run -0 cli ls
  equal "$(main_process)" "$(pgrep -u $kUser -x sandboxd)"
  run -0 cli diagnose --json
  equal "$(jq -r '.checks[] | select(.name == "cgroups") | .status' <<<"$output")" pass
}

@test "a container of an ordinary user's is held to its limits by what systemd delegates" {
  run -0 cli create -q --backend container --name small --memory 128m --cpus 0.5 --pids 64 shell $kUserHome/project
  run -0 cli start small
  held small
  run -0 cli exec small sh -c 'echo mine >file'
  equal "$(stat -c %U $kUserHome/project/file)" $kUser
  local group
  group=/sys/fs/cgroup$(group_of "$(pgrep -u $kUser -x sandbox-shim | head -n 1)")
  equal "$(<"${group%-helpers}/memory.max") $(<"${group%-helpers}/pids.max")" '134217728 64'
  equal "$(<"${group%-helpers}/cpu.max")" '50000 100000'
  equal "$(<"$group/memory.max")" $((1 << 30))
}

@test "a restart of the unit ends no sandbox, and limits hold afterwards" {
  local before
  before=$(main_process)
  run -0 as_user systemctl --user restart sandboxd
  [[ $(main_process) != "$before" ]]
  equal "$(cli ls --json | jq -r '.vms[] | select(.name == "small") | .status')" running
  held small
  run -0 cli create -q --backend container --name later --memory 128m shell $kUserHome/project
  run -0 cli start later
  held later
}

@test "sandbox daemon restart leaves the daemon in systemd's hands" {
  local before
  before=$(main_process)
  run -0 cli daemon restart
  is_gone "$before"
  equal "$(main_process)" "$(pgrep -u $kUser -x sandboxd)"
  held later
}

@test "systemd starts a daemon that was killed again, and no sandbox ends" {
  local before
  before=$(main_process)
  kill -9 "$before"
  another() { [[ $(main_process) != "$before" && $(main_process) != 0 ]]; }
  eventually another
  run -0 cli exec small echo alive
  run -0 cli stop later
  run -0 cli start later
  held later
}

@test "a microVM on KVM, by the group, and its QEMU has limits" {
  run -0 cli create -q --backend microvm --name machine --cpus 1 --memory 512m shell $kUserHome/project
  run -0 cli exec machine sh -c 'echo from the machine >file2'
  equal "$(cli inspect machine | jq -r '.[0].isolation')" microvm
  equal "$(stat -c %U $kUserHome/project/file2)" $kUser
  equal "$(<"/sys/fs/cgroup$(group_of "$(pgrep -x qemu-system-x86 | head -n 1)")/memory.max")" $(((1 << 30) + (512 << 20)))
  run -0 cli stop machine
}

@test "a daemon that systemd did not start refuses limits, says what helps, and does without" {
  as_user systemctl --user stop sandboxd
  run -0 cli exec small echo alive
  run cli start later
  ((status == 0)) && run -0 cli stop later
  run -125 cli start later
  says "cannot be enforced"
  says "systemctl --user start sandboxd"
  run -0 cli create -q --backend container --name free shell $kUserHome/project
  run -0 cli exec free echo alive
  run -0 cli rm -f free
  run -0 cli daemon stop
}

@test "a daemon started in a scope of the user's systemd has them" {
  run -0 as_user systemd-run --user --scope -q /usr/local/libexec/sandboxd/sandbox start later
  held later
  run -0 cli daemon stop
  run -0 as_user systemctl --user start sandboxd
  run -0 cli exec later echo alive
}

@test "stopping the groups' unit ends the sandboxes and nothing else; the daemon's unit brings it back" {
  run -0 as_user systemctl --user stop sandboxd-sandboxes
  eventually status_is small stopped
  eventually status_is later stopped
  run -125 cli start small
  says "cannot be enforced"
  run -0 as_user systemctl --user restart sandboxd
  run -0 cli start small
  held small
}
