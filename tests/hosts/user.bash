# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The ordinary user of an emulated host. user_up gives them a systemd of their own and a directory to work in; user_down
# takes them away.

kUser=sandboxd-test
kUserHome=/home/$kUser

user_up() {
  install -d -o $kUser -g $kUser $kUserHome/project
  loginctl enable-linger $kUser
  eventually test -S "/run/user/$(id -u $kUser)/bus"
  as_user systemctl --user set-environment "SANDBOXD_START_SECONDS=${SANDBOXD_START_SECONDS:-30}"
}

user_down() {
  loginctl disable-linger $kUser
  rm -rf --one-file-system $kUserHome/project
}

# As in a login session: not below the user's systemd.
as_user() {
  local uid
  uid=$(id -u $kUser)
  runuser -u $kUser -- env -i HOME=$kUserHome USER=$kUser PATH=/usr/bin:/bin XDG_RUNTIME_DIR="/run/user/$uid" \
    DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/$uid/bus" SANDBOXD_START_SECONDS="${SANDBOXD_START_SECONDS:-30}" \
    timeout 900 "$@" 3>&- # the first run makes a disk of the template
}

main_process() { as_user systemctl --user show -p MainPID --value sandboxd; }
