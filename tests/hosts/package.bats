#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The .deb, installed by apt, used by root and by an ordinary user, and purged. Each test goes on where the last one ended.
# The host has no network: what the package depends on is there, and so are the templates.

load ../e2e/world
load user

sandbox() { timeout --foreground 900 /usr/bin/sandbox "$@" 3>&-; }
user_sandbox() { as_user /usr/bin/sandbox "$@"; }

setup_file() {
  export DEB HERE=$BATS_FILE_TMPDIR
  DEB=$(echo "$SANDBOXD_BUILD_DIR"/package/sandboxd_*.deb)
  [[ -f $DEB ]] || fail "tests/hosts/run puts a package there: $DEB"
  export DEBIAN_FRONTEND=noninteractive
  user_up
  mkdir -p /root/project
  give_templates /build/templates /root root
  give_templates /build/user-templates $kUserHome $kUser
  files_of_the_host >"$HERE/before"
}

teardown_file() {
  [[ ! -x /usr/bin/sandbox ]] || { sandbox reset --all -f; user_sandbox reset --all -f; apt-get purge -y sandboxd; } >&2
  rm -rf /root/project
  user_down
}

# give_templates FROM HOME USER: as links, because `reset --all` removes them.
give_templates() {
  install -d -m 700 -o "$3" -g "$3" "$2/.docker" "$2/.docker/sandboxes"
  cp -al "$1" "$2/.docker/sandboxes/templates"
}

# All but what is users', what changes by itself, and the books of dpkg and apt.
files_of_the_host() {
  local place skipped=()
  for place in /root /home /tmp /build /var/log /var/cache /var/tmp /var/lib/{dpkg,apt,systemd,sandboxd-hosts}; do
    skipped+=(-path "$place" -prune -o)
  done
  find / -xdev "${skipped[@]}" -print | sort
}
# The package has left nothing, and not taken anything with it.
as_before() {
  files_of_the_host >"$HERE/after"
  run -0 diff "$HERE/before" "$HERE/after"
  run -1 dpkg-query -W sandboxd
}

install_package() { apt-get install -y --no-install-recommends "$DEB" 3>&-; }
purge_package() { apt-get purge -y sandboxd 3>&-; }
processes() { pgrep -f '^/usr/libexec/sandboxd/' || true; }
no_processes() { [[ -z $(processes) ]]; }

@test "apt installs it, is content with its dependencies, and says what comes next" {
  run -0 install_package
  says "sandbox setup"
  run -0 apt-get check
  run -0 dpkg --audit
  equal "$output" ""
  run -0 dpkg --verify sandboxd
  equal "$output" ""
  run -0 sandbox version
  says "v$(dpkg-query -W -f '${Version}' sandboxd)"
}

@test "setup is content with a kernel that is there, and diagnose with the host" {
  run -0 sandbox setup
  says "KVM"
  [[ ! -e /usr/local/lib/sandboxd ]]
}

@test "setup without a kernel and without the network says that it could not, and leaves nothing" {
  SANDBOXD_BOOT=/nosuch run -125 sandbox setup
  says "the kernel for microVMs could not be fetched"
  [[ ! -e /usr/local/lib/sandboxd ]]
  run as_user env SANDBOXD_BOOT=/nosuch sandbox setup
  says "try, as root: /usr/libexec/sandboxd/fetch-kernel"
}

# first_run OWNER COMMAND...: a microVM, as it is when nothing is asked for, and a container.
first_run() {
  local owner=$1 directory
  shift
  directory=$(getent passwd "$owner" | cut -d: -f6)/project
  run -0 --separate-stderr "$@" run shell "$directory" -- -c 'id -un; pwd; echo machine >machine'
  equal "$output" $'agent\n'"$directory"
  run -0 --separate-stderr "$@" run --backend container --name box shell "$directory" -- -c 'id -un; echo box >box'
  equal "$output" agent
  equal "$(stat -c %U "$directory/machine" "$directory/box")" "$owner"$'\n'"$owner"
  equal "$("$@" inspect shell-project box | jq -r '.[].isolation')" $'microvm\ncontainer'
}

@test "sandbox run shell, as root: a microVM on KVM, and a container" {
  first_run root sandbox
}

@test "sandbox run shell, as an ordinary user: a microVM on KVM, and a container" {
  first_run $kUser user_sandbox
}

@test "man finds the pages, bash completes, docker has the plugin" {
  equal "$(man -w sandbox-run)" /usr/share/man/man1/sandbox-run.1.gz
  run -0 env MANPAGER=cat man sandbox-run
  says "--idle-stop"
  # shellcheck disable=SC2016 # expands inside
  run -0 bash -c '. /usr/share/bash-completion/bash_completion
    _completion_loader sandbox
    complete -p sandbox
    COMP_LINE="sandbox stop b" COMP_POINT=14
    _sandbox
    echo "${COMPREPLY[@]}"'
  equal "$output" $'complete -F _sandbox sandbox\nbox'
  run -0 docker sandbox ls -q
  equal "$output" $'box\nshell-project'
}

@test "systemd starts the user unit in the place of a daemon that a command has started; limits hold then" {
  local before
  before=$(pgrep -u $kUser -x sandboxd)
  as_user systemctl --user daemon-reload
  run -0 as_user systemctl --user enable --now sandboxd
  is_gone "$before"
  equal "$(as_user systemctl --user is-enabled sandboxd)" enabled
  equal "$(readlink "/proc/$(main_process)/exe")" /usr/libexec/sandboxd/sandboxd
  run -0 user_sandbox exec box echo alive
  equal "$(main_process)" "$(pgrep -u $kUser -x sandboxd)"
  run -0 user_sandbox run -q --backend container --name small --memory 128m shell $kUserHome/project -- -c 'echo kept >~/kept'
  equal "$(user_sandbox inspect small | jq -r '.[0].limits.enforced')" true
}

@test "an update under running sandboxes ends none; the next command has systemd start the new daemon, and limits hold" {
  local before
  before=$(main_process)
  run -0 apt-get install -y --reinstall "$DEB" 3>&-
  run -0 user_sandbox exec small cat /home/agent/kept
  equal "$output" kept
  is_gone "$before"
  equal "$(main_process)" "$(pgrep -u $kUser -x sandboxd)"
  run -0 user_sandbox run -q --backend container --name next --memory 128m shell $kUserHome/project -- -c 'echo next'
  equal "$output" next
  run -0 user_sandbox rm -f next box shell-project
}

@test "root's reset removes all of root's; purge removes all of the package's, and says where the users' is, which stays" {
  run -0 sandbox reset --all --force
  says "Removed /root/.docker/sandboxes"
  [[ ! -e /root/.docker/sandboxes ]]
  equal "$(ls /root/project)" $'box\nmachine'
  user_sandbox stop small
  as_user systemctl --user disable --now sandboxd sandboxd-sandboxes
  eventually no_processes
  mkdir -p /usr/local/lib/sandboxd/kernel/boot # as setup unpacks one
  run -0 purge_package
  says "left where they are: ~/.docker/sandboxes and ~/.sandboxd"
  as_before
  [[ -f $kUserHome/.docker/sandboxes/vm/small/metadata.json ]]
}

@test "installed again it finds what the user had; reset and purge leave nothing but settings" {
  run -0 install_package
  as_user systemctl --user daemon-reload
  run -0 as_user systemctl --user start sandboxd # the sandbox has limits
  run -0 user_sandbox exec small cat /home/agent/kept
  equal "$output" kept
  run -0 user_sandbox reset --all --force
  run -0 as_user systemctl --user stop sandboxd sandboxd-sandboxes
  eventually no_processes
  [[ ! -e $kUserHome/.docker/sandboxes ]]
  run -0 purge_package
  as_before
  run -0 find /root $kUserHome -mindepth 1 -iname '*sandbox*'
  equal "$output" "/root/.sandboxd"$'\n'"$kUserHome/.sandboxd"
}
