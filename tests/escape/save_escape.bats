#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: a guest prepares its own files so that `sandbox save`, or what starts from the template, reads or writes
# where nobody meant it, or never ends.

load ../e2e/registry

setup_file() {
  world_up
  own_templates
}

setup() {
  OUTSIDE=$WORLD/outside-$BATS_TEST_NUMBER
  mkdir -p "$OUTSIDE"
  echo "the host's" >"$OUTSIDE/file"
}

outside_is_untouched() {
  equal "$(ls -A "$OUTSIDE")" file
  equal "$(cat "$OUTSIDE/file")" "the host's"
}

top_root() {
  local image
  image=$(jq -r .image "$SANDBOXES_HOME/templates/names/docker.io%2Flibrary%2F$1" | cut -d: -f2)
  echo "$SANDBOXES_HOME/templates/layers/$(jq -r '.rootfs.diff_ids[-1]' "$SANDBOXES_HOME/templates/images/$image.json" | cut -d: -f2)/root"
}
no_scratch() { [[ -z $(ls -d "$SANDBOXES_HOME"/templates/tmp-* 2>/dev/null) ]]; }

@test "links to the host's files are saved as links, and nothing of the host's is in the layer" {
  box links
  sandbox exec -u root links sh -ec "mkdir /evil; cd /evil; ln -s '$OUTSIDE' dir; ln -s '$OUTSIDE/file' file; ln -s /proc/1/root root; ln -s ../../../../../../.. up"
  sandbox save -q links links:1
  outside_is_untouched
  local root
  root=$(top_root links:1)
  equal "$(readlink "$root/evil/file")" "$OUTSIDE/file"
  run -1 grep -rsF "the host's" "$root"
  box linked -t links:1
  equal "$(sandbox exec linked sh -c 'cat /evil/file 2>/dev/null; readlink /evil/up')" ../../../../../../..
}

@test "names that mean something else in a layer remove and hide nothing in the next sandbox" {
  box names
  sandbox exec -u root names sh -ec 'touch /etc/.wh.passwd /usr/.wh.bin /.wh..wh..opq /etc/.wh..wh..opq /.wh...; mkdir "/evil"; touch "/evil/
..newline" "/evil/ -rf" "/evil/$(printf "\377")"'
  sandbox save -q names names:1
  box named -t names:1
  run -0 sandbox exec named sh -c 'grep -c ^root /etc/passwd; ls /usr/bin/env; ls /evil | wc -l'
  equal "$output" $'1\n/usr/bin/env\n4'
}

@test "attributes of overlayfs and of the host, planted by the guest, are not believed" {
  box attributes
  run sandbox exec -u root --privileged attributes python3 -c '
import os
os.mkdir("/evil")
open("/evil/file", "w").close()
for path in ("/usr", "/etc", "/evil", "/evil/file"):
    for name in ("trusted.overlay.opaque", "trusted.overlay.redirect", "trusted.evil", "user.overlay.opaque", "user.overlay.redirect", "user.mine"):
        try: os.setxattr(path, name, b"y")
        except OSError as error: print(path, name, error.strerror)'
  # It may be refused: what must not be is that the next sandbox has less than the template.
  run sandbox save -q attributes attributes:1
  if ((status == 0)); then
    box attributed -t attributes:1
    run -0 sandbox exec attributed sh -c 'ls /usr/bin/env; grep -c ^root /etc/passwd'
  fi
  outside_is_untouched
}

@test "a file of a terabyte that is nothing but a hole does not fill the host's disk" {
  box hole
  sandbox exec hole truncate -s 1T /home/agent/hole || skip "its disk has no files of that size"
  local before
  before=$(df --output=avail "$SANDBOXES_HOME" | tail -n 1)
  run -125 --separate-stderr sandbox save -q hole hole:1
  [[ $stderr == *"larger than"* || $stderr == *"free for templates"* || $stderr == *"too large"* ]] || fail "$stderr"
  eventually no_scratch
  (($(df --output=avail "$SANDBOXES_HOME" | tail -n 1) > before - (1 << 20)))
  run -0 sandbox exec hole echo alive
}

@test "devices are not in the layer" {
  box devices
  sandbox exec -u root --privileged devices sh -c 'mkdir /evil; mknod /evil/disk b 8 0; mknod /evil/memory c 1 1; mknod /evil/gone c 0 0; mkfifo /evil/pipe; touch /evil/file'
  sandbox save -q devices devices:1
  local root
  root=$(top_root devices:1)
  run -0 find "$root" \( -type b -o -type c \) ! -name gone
  equal "$output" ""
  [[ -p $root/evil/pipe ]]
}

@test "a guest that kills and stops what holds it still cannot keep save waiting for ever, and can be removed" {
  box fighter
  sandbox exec -d -u root --privileged fighter python3 -c '
import os, signal
while True:
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try: os.kill(int(name), signal.SIGKILL)
            except OSError: pass'
  run sandbox save -q fighter fighter:1
  run -0 sandbox rm fighter
  eventually no_scratch
}
