#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# An ordinary user of a host with systemd: the user unit, control groups that systemd delegates, KVM by the group.

load ../e2e/world

kUser=sandboxd-test

setup_file() {
  world_up
  install -d -m 755 /usr/local/libexec/sandboxd
  cp "$SANDBOXD_BIN"/* /usr/local/libexec/sandboxd/
  install -d /etc/systemd/user
  sed 's#@CMAKE_INSTALL_PREFIX@#/usr/local#' "$kSource/packaging/sandboxd.service.in" >/etc/systemd/user/sandboxd.service
  install -d -m 700 -o $kUser -g $kUser /home/$kUser/.docker /home/$kUser/.docker/sandboxes
  ln -sfn /build/user-templates /home/$kUser/.docker/sandboxes/templates
  install -d -o $kUser -g $kUser /home/$kUser/project
  loginctl enable-linger $kUser
  eventually test -S "/run/user/$(id -u $kUser)/bus"
  as_user systemctl --user set-environment "SANDBOXD_START_SECONDS=${SANDBOXD_START_SECONDS:-30}"
}

teardown_file() {
  as_user /usr/local/libexec/sandboxd/sandbox reset -f >/dev/null || true
  as_user systemctl --user stop sandboxd || true
  loginctl disable-linger $kUser
  world_down
}

# As in a session of that user's.
as_user() {
  local uid
  uid=$(id -u $kUser)
  runuser -u $kUser -- env -i HOME=/home/$kUser USER=$kUser PATH=/usr/bin:/bin XDG_RUNTIME_DIR="/run/user/$uid" \
    DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" timeout 300 "$@" 3>&-
}
cli() { as_user /usr/local/libexec/sandboxd/sandbox "$@"; }

@test "systemd starts the unit, and the CLI finds that daemon" {
  as_user systemctl --user daemon-reload
  run -0 as_user systemctl --user start sandboxd
  equal "$(as_user systemctl --user is-active sandboxd)" active
  run -0 cli ls
  equal "$(as_user systemctl --user show -p MainPID --value sandboxd)" "$(pgrep -u $kUser -x sandboxd)"
}

@test "a container of an ordinary user's is held to its limits by what systemd delegates" {
  run -0 cli create -q --backend container --name small --memory 128m --pids 64 shell /home/$kUser/project
  run -0 cli start small
  equal "$(cli inspect small | jq -r '.[0].limits.enforced')" true
  run -137 cli exec small python3 -c 'x = [b"x" * (1 << 20) + bytes([i % 256]) for i in range(600)]'
  run -0 cli exec small sh -c 'echo alive; echo mine >file'
  equal "$(stat -c %U /home/$kUser/project/file)" $kUser
}

@test "a restart of the unit ends no sandbox" {
  run -0 as_user systemctl --user restart sandboxd
  equal "$(cli ls --json | jq -r '.vms[] | select(.name == "small") | .status')" running
  run -0 cli exec small echo alive
}

@test "a microVM on KVM, by the group" {
  run -0 cli create -q --backend microvm --name machine --cpus 1 --memory 512m shell /home/$kUser/project
  run -0 cli exec machine sh -c 'echo from the machine >file2'
  equal "$(cli inspect machine | jq -r '.[0].isolation')" microvm
  equal "$(stat -c %U /home/$kUser/project/file2)" $kUser
  run -0 cli stop machine
}
