#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Unix sockets that appear in a shared directory after a container has started, on a kernel whose Landlock knows of them.

load ../e2e/world

setup_file() {
  world_up
  mkdir -p "$WORLD/volume"
  echo '{"backend": "container"}' >"$SANDBOXD_CONFIG"
  box box -v "$WORLD/volume:/volume:ro"
  sandbox exec box true
}

teardown_file() {
  [[ ! -e $WORLD/listener ]] || kill "$(<"$WORLD/listener")"
  world_down
}

setup() {
  [[ $(sandbox diagnose --json | jq -r '.checks[] | select(.name == "sockets in workspaces") | .status') == pass ]] ||
    skip "this kernel has no such right"
}

kListen='
import os, socket, sys
servers = []
for path in sys.argv[1:]:
    server = socket.socket(socket.AF_UNIX)
    server.bind(path + ".new")
    os.chmod(path + ".new", 0o777)
    server.listen(8)
    os.rename(path + ".new", path)
    servers.append(server)
import select
while True:
    for server in select.select(servers, [], [])[0]: server.accept()[0].sendall(b"answered")
'
kConnect='
import socket, sys
client = socket.socket(socket.AF_UNIX)
try:
    client.connect(sys.argv[1])
    print(client.recv(99).decode())
except OSError as error: print(error.strerror)
'
# connects EXEC_FLAG... BOX PATH
connects() { sandbox exec "${@:1:$#-1}" python3 -c "$kConnect" "${@: -1}"; }

@test "a socket of the host's that appears later is not reached, through :ro neither, by root neither" {
  python3 -c "$kListen" "$WORLD/ws-box/late.sock" "$WORLD/volume/late.sock" </dev/null >/dev/null 2>&1 3>&- &
  echo $! >"$WORLD/listener"
  eventually test -S "$WORLD/volume/late.sock"
  equal "$(python3 -c "$kConnect" "$WORLD/ws-box/late.sock")" answered
  for path in "$WORLD/ws-box/late.sock" /volume/late.sock; do
    equal "$(connects box "$path")" "Permission denied"
    equal "$(connects -u root box "$path")" "Permission denied"
  done
}

@test "programs of a sandbox reach the sockets of one another, from one exec to the next" {
  sandbox exec -d box python3 -c "$kListen" /tmp/guest.sock "$WORLD/ws-box/guest.sock"
  eventually test -S "$WORLD/ws-box/guest.sock"
  for path in /tmp/guest.sock "$WORLD/ws-box/guest.sock"; do
    equal "$(connects box "$path")" answered
    equal "$(connects -u root box "$path")" answered
  done
}

@test "sudo works behind the wall, and a privileged exec mounts" {
  equal "$(sandbox exec box sudo id -u)" 0
  run -0 sandbox exec -u root --privileged box sh -c 'mount -t tmpfs none /mnt && umount /mnt'
}

@test "a sandbox that shares a directory with another reaches no socket of it" {
  box other -- "$WORLD/ws-box"
  equal "$(connects other "$WORLD/ws-box/guest.sock")" "Permission denied"
}
