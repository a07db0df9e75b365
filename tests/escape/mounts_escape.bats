#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: what a user shares with a sandbox is written to by our own init, which needs no agent for that; it is more
# of the host than anybody should share; or it has a socket in it behind which there is a process of the host's.
# No directory of the host's own system is ever shared here: those that look like one are made, and the real ones are
# only refused.

load ../e2e/world

setup_file() {
  world_up
  mkdir -p "$WORLD"/like/{certs,certs/java,authorities,config,ssh,deep,pki}
  echo "their authorities" >"$WORLD/like/certs/ca-certificates.crt"
  echo "not a store" >"$WORLD/like/certs/java/cacerts"
  echo "their bundle" >"$WORLD/like/pki/ca-bundle.crt"
  echo "a key" >"$WORLD/like/ssh/id_ed25519"
  echo mine >"$WORLD/like/config/file"
  state_of "$WORLD/like" >"$WORLD/like.before"
  box box -v "$WORLD/like/certs:/etc/ssl/certs" -v "$WORLD/like/authorities:/usr/local/share/ca-certificates" \
    -v "$WORLD/like/config:/home/agent/.config" -v "$WORLD/like/ssh:/home/agent/.ssh" \
    -v "$WORLD/like/deep:/home/agent/one/two/deep" -v "$WORLD/like/pki:/etc/pki/tls/certs"
}

setup() { WS=$(workspace_of box); }

teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
  umount "$WORLD/odd/merged" 2>/dev/null || true
}

# A machine that boots faster.
small() { on_microvm && echo --cpus 1 --memory 512m || true; }

as_agent() { sandbox exec box "$@"; }
as_root() { sandbox exec -u root box "$@"; }
again() { sandbox stop "$1" >/dev/null && sandbox start "$1" >/dev/null; }

# Names, kinds, owners, modes, sizes, times and contents.
state_of() { (cd "$1" && find . -printf '%p %y %U:%G %m %s %T@ %l\n' | sort && find . -type f -exec sha256sum {} + | sort); }

# listen PATH: a server of the host's on a socket there; it says what came in. The socket has its name when it listens.
listen() {
  python3 -c '
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1] + ".new")
os.chmod(sys.argv[1] + ".new", 0o777)
server.listen(8)
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    connection, _ = server.accept()
    connection.sendall(b"the host answers\n")
    connection.close()
' "$1" 3>&- &
  eventually test -S "$1"
}

# connect BOX PATH: what a program in the guest gets from a socket, or how that failed.
connect() {
  sandbox exec "${@:3}" "$1" python3 -c '
import socket, sys
client = socket.socket(socket.AF_UNIX)
try:
    client.connect(sys.argv[1])
    print(client.recv(100).decode(), end="")
except OSError as error:
    print(type(error).__name__)
' "$2"
}

# --- init ------------------------------------------------------------------------------------------------------------

@test "a start writes nothing to what is mounted where init has its files, nor does a second" {
  equal "$(state_of "$WORLD/like")" "$(cat "$WORLD/like.before")"
  again box
  equal "$(state_of "$WORLD/like")" "$(cat "$WORLD/like.before")"
}

@test "what the guest needs of it is there all the same, over the user's" {
  run -0 as_agent cat /etc/ssl/certs/ca-certificates.crt
  says "their authorities"
  says "BEGIN CERTIFICATE"
  run -0 as_agent cat /etc/pki/tls/certs/ca-bundle.crt
  says "their bundle"
  says "BEGIN CERTIFICATE"
  run -0 as_agent sudo -n id -u
  equal "$output" 0
}

@test "what a guest writes over it stays in the guest" {
  as_root sh -c 'echo guest >/etc/ssl/certs/ca-certificates.crt'
  equal "$(state_of "$WORLD/like")" "$(cat "$WORLD/like.before")"
}

@test "a home with mounts in it is the agent's, and so are the directories that lead to them" {
  run -0 as_agent sh -c 'cd; stat -c %U . one one/two; touch one/two/mine && cat .config/file .ssh/id_ed25519'
  equal "$output" $'agent\nagent\nagent\nmine\na key'
}

@test "links that a guest puts in the place of init's files and directories lead init nowhere" {
  box links
  local ws
  ws=$(workspace_of links)
  mkdir -p "$ws"/{certs,sudoers.d,etc}
  echo "127.0.0.1 theirs" >"$ws/hosts"
  echo "their bundle" >"$ws/certs/ca-certificates.crt"
  sandbox exec -u root links sh -c "
    set -e
    sed -i /:1000:/d /etc/passwd
    rm -rf /etc/ssl/certs /etc/sudoers.d /home/agent /etc/hosts /etc/resolv.conf /etc/hostname /usr/local/share/ca-certificates
    ln -s '$ws/certs' /etc/ssl/certs
    ln -s '$ws/sudoers.d' /etc/sudoers.d
    ln -s '$ws/home' /home/agent
    ln -s '$ws/hosts' /etc/hosts
    ln -s '$ws/resolv.conf' /etc/resolv.conf
    ln -s '$ws/hostname' /etc/hostname
    ln -s ../../../../../../../..'$ws/authorities' /usr/local/share/ca-certificates
    mkdir -p /etc/skel && ln -sf '$ws/profile' /etc/skel/.profile"
  state_of "$ws" >"$WORLD/links.before"
  again links
  run sandbox exec -u root links cat /etc/resolv.conf
  says 198.18.0.1
  equal "$(state_of "$ws")" "$(cat "$WORLD/links.before")"
  sandbox rm -f links
}

@test "a mount in another one is made on what is there, and nothing is made for it on the host" {
  mkdir -p "$WORLD/nest-outer" "$WORLD/nest-inner"
  run -2 --separate-stderr sandbox create --name nest -v "$WORLD/nest-outer:/outer" -v "$WORLD/nest-inner:/outer/inner" shell "$WS"
  is_error "mkdir -p $WORLD/nest-outer/inner"
  equal "$(ls -A "$WORLD/nest-outer")" ""
  mkdir "$WORLD/nest-outer/inner"
  echo inside >"$WORLD/nest-inner/file"
  box nest -v "$WORLD/nest-outer:/outer" -v "$WORLD/nest-inner:/outer/inner"
  run -0 sandbox exec nest cat /outer/inner/file
  equal "$output" inside
  sandbox stop nest >/dev/null
  rmdir "$WORLD/nest-outer/inner"
  run ! --separate-stderr sandbox start nest
  is_error "$WORLD/nest-outer"
  equal "$(ls -A "$WORLD/nest-outer")" ""
  sandbox rm nest
}

# --- what may be shared ----------------------------------------------------------------------------------------------

# bats test_tags=once
@test "system directories are refused as a workspace and as a writable mount, and the error says why" {
  local directory
  for directory in / /etc /usr /usr/bin /bin /sbin /lib /boot /dev /proc /sys /run /var /var/lib /home /tmp; do
    [[ -d $directory ]] || continue
    run -2 --separate-stderr sandbox create --name wide shell "$directory"
    is_error "$(readlink -f "$directory")"
    run -2 --separate-stderr sandbox create --name wide -v "$directory:/host" shell "$WS"
    is_error "$(readlink -f "$directory")"
  done
  for directory in / /dev /proc /sys /run /home /tmp; do
    run -2 --separate-stderr sandbox create --name wide -v "$directory:/host:ro" shell "$WS"
    is_error
  done
  ln -sfn /etc "$WORLD/harmless"
  run -2 --separate-stderr sandbox create --name wide -v "$WORLD/harmless:/host" shell "$WS"
  is_error "settings"
  run ! is_there wide
}

# bats test_tags=once
@test "what a sandbox needs to run is refused as a target" {
  local target
  for target in / /usr /bin /sbin /lib /lib64 /etc /proc /sys /dev /run /var /etc/passwd /etc/hosts /etc/resolv.conf \
    /etc/sudoers.d /run/sandbox /.sandbox-init; do
    run -2 --separate-stderr sandbox create --name wide -v "$WORLD/like/config:$target" shell "$WS"
    is_error "$target"
  done
  run ! is_there wide
}

# bats test_tags=once
@test "a runtime directory is refused, also read only" {
  mkdir -p "$WORLD/runtime/bus"
  sandbox daemon stop
  export XDG_RUNTIME_DIR=$WORLD/runtime
  for directory in "$WORLD/runtime" "$WORLD/runtime/bus"; do
    run -2 --separate-stderr sandbox create --name wide -v "$directory:/host:ro" shell "$WS"
    is_error XDG_RUNTIME_DIR
  done
  unset XDG_RUNTIME_DIR
  sandbox daemon stop
}

@test "the home takes --allow-home, and then the sandboxes' own state is not in it" {
  run -2 --separate-stderr sandbox create --name home shell "$HOME"
  is_error "keys, logins"
  says --allow-home "$stderr"
  run -2 --separate-stderr sandbox create --name home -v "$HOME:/host:ro" shell "$WS"
  is_error "--allow-home"
  run -2 --separate-stderr sandbox create --name home --allow-home -v "$HOME/.docker:/host" shell "$WS"
  is_error "$SANDBOXES_HOME"
  echo "a key" >"$HOME/key"
  # shellcheck disable=SC2046
  sandbox create -q --name home --allow-home $(small) shell "$HOME"
  remember_ids
  run -0 sandbox exec home sh -c "cat '$HOME/key'; ls -A '$SANDBOXES_HOME'; touch '$SANDBOXES_HOME/x' 2>/dev/null || echo refused"
  equal "$output" $'a key\nrefused'
  run sandbox exec -u root --privileged home sh -c "umount -l '$SANDBOXES_HOME'; mount --bind '$HOME' /mnt; ls -A '$SANDBOXES_HOME' /mnt/.docker/sandboxes"
  says_not sandboxd.sock
  says_not metadata
  equal "$(inspect home '.workspaces[0]')" "$HOME"
  sandbox rm -f home
}

# --- sockets ---------------------------------------------------------------------------------------------------------

@test "a socket of the host's in a workspace or mount is not reached, through :ro neither" {
  mkdir -p "$WORLD/ws-sockets/deep/er" "$WORLD/sockets"
  listen "$WORLD/ws-sockets/top.sock"
  listen "$WORLD/ws-sockets/deep/er/deep.sock"
  listen "$WORLD/sockets/volume.sock"
  equal "$(python3 -c 'import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); print(s.recv(99).decode(),end="")' "$WORLD/ws-sockets/top.sock")" "the host answers"
  box sockets -v "$WORLD/sockets:/volume:ro"
  local path
  for path in "$WORLD/ws-sockets/top.sock" "$WORLD/ws-sockets/deep/er/deep.sock" /volume/volume.sock; do
    for who in agent root; do
      run -0 connect sockets "$path" -u "$who"
      says_not "the host answers"
      says Error
    done
    run -0 connect sockets "$path" -u root --privileged
    says_not "the host answers"
  done
  # By a name of its own, by what lies below the cover, or by a way around it.
  run sandbox exec -u root --privileged sockets sh -c "
    cd '$WORLD/ws-sockets'; ln top.sock linked; mv top.sock moved; umount -l top.sock; mv deep deep2
    mkdir -p /tmp/around; mount --bind . /tmp/around; echo tried"
  says tried
  for path in "$WORLD"/ws-sockets/{linked,moved,top.sock,deep2/er/deep.sock} /tmp/around/top.sock /tmp/around/deep2/er/deep.sock; do
    run connect sockets "$path" -u root
    says_not "the host answers"
  done
}

# bats test_tags=container
@test "what was covered is said: at create, by inspect, in the log" {
  mkdir -p "$WORLD/ws-said"
  listen "$WORLD/ws-said/agent.sock"
  run -0 --separate-stderr sandbox create --name said shell "$WORLD/ws-said"
  says "A unix socket of the host's" "$stderr"
  says "$WORLD/ws-said/agent.sock" "$stderr"
  sandbox start said
  remember_ids
  equal "$(inspect said '.sockets.covered[0]')" "$WORLD/ws-said/agent.sock"
  equal "$(inspect said .sockets.searched)" true
  grep -qF "$WORLD/ws-said/agent.sock" "$SANDBOXES_HOME/vm/said/shim.log"
  sandbox rm -f said
}

@test "two sandboxes that share a directory do not reach each other's sockets that are there at the start" {
  mkdir -p "$WORLD/shared"
  box first -v "$WORLD/shared:/shared"
  sandbox exec -d first python3 -c '
import os, socket
server = socket.socket(socket.AF_UNIX); server.bind("/shared/new.sock"); server.listen(8)
os.rename("/shared/new.sock", "/shared/first.sock")
while True:
    connection, _ = server.accept(); connection.sendall(b"the other answers\n"); connection.close()
'
  eventually test -S "$WORLD/shared/first.sock"
  box second -v "$WORLD/shared:/shared"
  run -0 connect second /shared/first.sock -u root
  says_not "the other answers"
  run -0 connect first /shared/first.sock
  equal "$output" "the other answers"
  sandbox rm -f first second
}

@test "a socket that nobody listens on any more can be removed and made anew" {
  mkdir -p "$WORLD/ws-stale"
  python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$WORLD/ws-stale/server.sock"
  chmod 777 "$WORLD/ws-stale/server.sock"
  box stale
  run -0 sandbox exec stale python3 -c '
import os, socket
os.unlink("server.sock")
server = socket.socket(socket.AF_UNIX); server.bind("server.sock"); server.listen(1)
client = socket.socket(socket.AF_UNIX); client.connect("server.sock"); print("works")'
  equal "$output" works
  sandbox rm -f stale
}

# A file system that has no idmapped mounts.
mount_odd() {
  rm -rf "$WORLD/odd"
  mkdir -p "$WORLD"/odd/{lower,upper,work,merged}
  mount -t overlay overlay -o "lowerdir=$WORLD/odd/lower,upperdir=$WORLD/odd/upper,workdir=$WORLD/odd/work" "$WORLD/odd/merged"
}

# --- file systems ----------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "as root, root's directory on a file system that cannot map ids is refused at create, and the error says what works" {
  mount_odd
  run --separate-stderr sandbox create --name odd shell "$WORLD/odd/merged"
  umount "$WORLD/odd/merged"
  ((status != 0))
  is_error "cannot map ids"
  says "ordinary user" "$stderr"
  run ! is_there odd
}

@test "as root, another user's directory there works, and the agent is that user on the host" {
  mount_odd
  chown 4242:4243 "$WORLD/odd/merged"
  install -m 600 -o 4242 -g 4243 /dev/null "$WORLD/odd/merged/from-host"
  echo "root's" >"$WORLD/odd/merged/of-root"
  chmod 600 "$WORLD/odd/merged/of-root"
  # shellcheck disable=SC2046
  sandbox create -q --name odd $(small) shell "$WORLD/odd/merged" "$WS"
  remember_ids
  run sandbox exec odd sh -c 'id -u; echo changed >>from-host && cat from-host; echo x >from-guest; stat -c %U from-host from-guest
    cat of-root 2>/dev/null || echo "not of root"; sudo -n cat of-root 2>/dev/null || echo "not of root"; touch ~/mine && stat -c %U ~/mine'
  local said=$output owners
  owners=$(stat -c %u:%g "$WORLD/odd/merged/from-guest")
  run sandbox exec -u root odd sh -c "touch '$WORLD/odd/merged/by-root' && chown 0:0 '$WORLD/odd/merged/of-root'; touch '$WS/by-root'; true"
  local roots
  roots=$(stat -c %u "$WORLD/odd/merged/by-root" "$WS/by-root" "$WORLD/odd/merged/of-root" | xargs)
  sandbox rm -f odd
  umount "$WORLD/odd/merged"
  equal "$said" $'1000\nchanged\nagent\nagent\nnot of root\nnot of root\nagent'
  equal "$owners" 4242:4243
  matches '^[0-9]{7,} [0-9]{7,} 0$' "$roots"
}
