#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: code in the guest, also as its root, wants a file of the host's that it was not given.

load ../e2e/world

setup_file() {
  world_up
  mkdir -p "$WORLD/outside" "$WORLD/frozen" "$WORLD/ws-box"
  echo "the host's secret" >"$WORLD/outside/secret"
  echo frozen >"$WORLD/frozen/file"
  sandbox create -q --name box -v "$WORLD/frozen:/frozen-volume:ro" shell "$WORLD/ws-box" "$WORLD/frozen:ro"
  sandbox start box
  remember_ids
}

setup() { WS=$(workspace_of box); }

as_agent() { sandbox exec box "$@"; }
as_root() { sandbox exec -u root box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }

# python for the guest from standard input; each attempt prints its name and how it ended.
attempts() {
  local who=(-u root)
  [[ ${1-} == privileged ]] && who+=(--privileged)
  { cat <<'PY'; cat; } | sandbox exec -i "${who[@]}" box python3 -
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, result):
    print(name, "ALLOWED" if result >= 0 else errno.errorcode[ctypes.get_errno()])
def system_call(number, *arguments):
    return libc.syscall(number, *arguments)
PY
}

@test "a link in the workspace that leads out of it leads nowhere" {
  ln -sfn "$WORLD/outside/secret" "$WS/absolute"
  ln -sfn ../outside/secret "$WS/relative"
  ln -sfn "$WORLD/outside" "$WS/directory"
  for path in absolute relative directory/secret; do
    run ! as_agent cat "$WS/$path"
    says "No such file"
    run ! as_root cat "$WS/$path"
    says_not "the host's secret"
  done
  run as_root sh -c "echo planted >'$WS/relative'"
  equal "$(cat "$WORLD/outside/secret")" "the host's secret"
  ln -sfn /etc/hostname "$WS/etc"
  run -0 as_agent cat "$WS/etc"
  [[ $output != "$(cat /etc/hostname)" ]]
}

@test "links that the guest makes lead nowhere, either" {
  as_agent ln -sfn "$WORLD/outside/secret" "$WS/mine"
  run ! as_agent cat "$WS/mine"
  run ! as_root cat "$WS/mine"
}

@test ".. ends at the guest's own root" {
  run -0 as_root sh -c "cd '$WS' && cat ../../../../../../../../etc/debian_version >/dev/null && ls '$WS/..'"
  equal "$(sort <<<"$output")" "$(printf 'frozen\nws-box\n')"
  run ! as_root cat "$WS/../outside/secret"
}

@test "a hard link to what is outside cannot be made" {
  run ! as_root ln "$WORLD/outside/secret" "$WS/hard"
  run ! as_root ln /frozen-volume/file "$WS/hard"
  [[ ! -e $WS/hard ]]
}

@test "neither /proc/1/root nor any other process's root, cwd or fd leads out" {
  run as_root sh -c 'for r in /proc/[0-9]*/root /proc/[0-9]*/cwd; do cat "$r'"$WORLD"'/outside/secret" 2>/dev/null; done; echo looked'
  equal "$output" looked
  run as_privileged sh -c 'for r in /proc/[0-9]*/root /proc/[0-9]*/cwd /proc/[0-9]*/fd/*; do cat "$r'"$WORLD"'/outside/secret" 2>/dev/null; cat "$r/../../outside/secret" 2>/dev/null; done; echo looked'
  equal "$output" looked
}

@test "the host's own files are not there: state, hostname, accounts, other directories" {
  run ! as_root ls "$SANDBOXES_HOME"
  run ! as_root ls /work /root/.ssh
  run -0 as_root cat /etc/hostname
  [[ $output != "$(cat /etc/hostname)" ]]
  run -0 as_root cat /etc/passwd
  says_not "$(id -un 4242 2>/dev/null || echo sbx-nobody)"
  run -0 as_privileged sh -c 'cat /proc/mounts'
  says_not "$SANDBOXES_HOME"
  says_not "$WORLD/outside"
}

# bats test_tags=container
@test "open_by_handle_at is denied" {
  for kind in plain privileged; do
    run -0 attempts $kind <<'PY'
handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0" + b"\0" * 64)
mount = os.open(os.environ["WORKSPACE_DIR"], os.O_RDONLY)
attempt("open_by_handle_at", system_call(304, mount, handle, os.O_RDONLY))
PY
    matches '^open_by_handle_at (EPERM|ENOSYS)$'
  done
}

# bats test_tags=container
@test "plain root can mount nothing" {
  for command in 'mount -t tmpfs none /mnt' 'mount --bind / /mnt' 'mount -t proc proc /mnt' 'mount -o remount,rw /frozen-volume' \
    'umount /proc/sys' 'umount -l /frozen-volume' 'mount -t overlay -o lowerdir=/,upperdir=/tmp,workdir=/tmp o /mnt' 'unshare -m true' \
    'unshare -Ur true' 'chroot / mount -t tmpfs none /mnt'; do
    # shellcheck disable=SC2086
    run as_root $command
    ((status != 0)) || fail "$command worked"
  done
}

@test "a read-only mount stays so, for agent, root and --privileged, whatever is tried" {
  for path in /frozen-volume "$WORLD/frozen"; do
    for who in as_agent as_root as_privileged; do
      run $who sh -c "
        echo changed >'$path/file'; touch '$path/new'; rm -f '$path/file'; mkdir '$path/dir'; chmod 777 '$path/file'
        mount -o remount,rw '$path'; mount -o remount,bind,rw '$path'; echo changed >'$path/file'; touch '$path/new'
        mkdir -p /tmp/again; mount --bind '$path' /tmp/again; mount -o remount,bind,rw /tmp/again; echo changed >/tmp/again/file; umount -l /tmp/again
        umount -l '$path'; echo done"
      says done
      equal "$(cat "$WORLD/frozen/file")" frozen
      equal "$(ls -A "$WORLD/frozen")" file
    done
  done
  sandbox stop box
  sandbox start box
}

# bats test_tags=container
@test "--privileged cannot loosen a read-only mount with the newer mount calls, either" {
  run -0 attempts privileged <<'PY'
AT_FDCWD, RECURSIVE = -100, 0x8000
class Change(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("set", "clear", "propagation", "userns")]
attempt("mount_setattr", system_call(442, AT_FDCWD, b"/frozen-volume", 0, ctypes.byref(Change(0, 1, 0, 0)), 32))
tree = system_call(428, AT_FDCWD, b"/frozen-volume", 1)  # open_tree with OPEN_TREE_CLONE
print("open_tree", tree >= 0)
if tree >= 0:
    attempt("mount_setattr of a clone", system_call(442, tree, b"", 0x1000, ctypes.byref(Change(0, 1, 0, 0)), 32))
PY
  says_not ALLOWED
  says mount_setattr
}

@test "what the guest writes to its root does not reach the template" {
  local root
  root=$(readlink -f "$SANDBOXES_HOME"/templates/layers/*/root | head -n 1)
  local before
  before=$(sha256sum <"$root/etc/os-release")
  as_root sh -c 'echo changed >/etc/os-release; echo x >/usr/bin/planted'
  [[ ! -e $root/usr/bin/planted ]]
  equal "$(sha256sum <"$root/etc/os-release")" "$before"
}

@test "init's own program cannot be changed from inside" {
  local before
  before=$(sha256sum "$SANDBOXD_BIN/sandbox-init")
  run as_privileged sh -c 'echo x >/.sandbox-init; cp /bin/true /.sandbox-init; mount -o remount,bind,rw /.sandbox-init; echo x >>/.sandbox-init
    echo x >/proc/1/exe; rm -f /.sandbox-init; chmod 777 /.sandbox-init; echo done'
  says done
  equal "$(sha256sum "$SANDBOXD_BIN/sandbox-init")" "$before"
}

@test "a set-user-id file made in the workspace is nobody's but the host user's, and never of the host's root by a guest's wish" {
  chown 4242:4242 "$WS"
  sandbox stop box
  sandbox start box
  as_root sh -c "cp /bin/true '$WS/suid'; chown 0:0 '$WS/suid'; chmod 6755 '$WS/suid'" || true
  as_agent sh -c "cp /bin/true '$WS/suid2'; chmod 6755 '$WS/suid2'" || true
  local file
  for file in "$WS"/suid*; do
    [[ $(stat -c %u "$file") != 0 ]] || [[ $(($(stat -c 0%a "$file") & 06000)) == 0 ]] || fail "$(ls -l "$file")"
  done
  chown 0:0 "$WS"
  rm -f "$WS"/suid*
}

@test "a set-user-id file does not raise anybody in the guest when it comes through the workspace" {
  cp "$(readlink -f /usr/bin/id)" "$WS/suid-id"
  chmod 4755 "$WS/suid-id"
  run -0 sandbox exec -u 1234 box "$WS/suid-id" -u
  equal "$output" 1234
}

# bats test_tags=container
@test "device nodes can be neither made to use nor opened" {
  run as_root sh -c "mknod /tmp/sda b 254 0; mknod /dev/mem c 1 1; mknod '$WS/vda' b 254 0; mknod /opt/vda b 254 0
    for d in /tmp/sda /dev/mem '$WS/vda' /opt/vda /dev/vda /dev/kmsg /dev/mem /dev/fuse /dev/kvm; do head -c 1 \$d >/dev/null 2>&1 && echo OPENED \$d; done; echo tried"
  says tried
  says_not OPENED
  run as_privileged sh -c "mknod /dev/vdb b 254 0; mknod /dev/kmem c 1 2; head -c 1 /dev/vdb 2>/dev/null | wc -c; ls /dev"
  matches $'(^|\n)0'
  [[ ! -b $WS/vda ]]
}

# bats test_tags=container
@test "/dev holds only what a program needs" {
  run -0 as_root sh -c 'cd /dev; ls -d * | sort | tr "\n" " "'
  for name in $output; do
    [[ " console core fd full mqueue null ptmx pts random shm stderr stdin stdout tty urandom zero " == *" $name "* ]] || fail "/dev/$name"
  done
}

@test "a guest cannot swap a nested workspace for a link and have the host's directory at the next start" {
  mkdir -p "$WORLD/nest/sub" "$WORLD/nest/volume"
  sandbox create -q --name nested -v "$WORLD/nest/volume:/volume" shell "$WORLD/nest" "$WORLD/nest/sub"
  sandbox exec nested true
  remember_ids
  # In the guest sub is a mount point of its own; its name in the parent is free to be changed from another sandbox.
  sandbox create -q --name neighbour shell "$WORLD/nest"
  sandbox exec neighbour sh -c "cd '$WORLD/nest' && rm -rf sub volume && ln -s ../outside sub && ln -s ../outside volume"
  remember_ids
  [[ -L $WORLD/nest/sub ]]
  sandbox stop nested
  run sandbox exec nested sh -c "cat '$WORLD/nest/sub/secret' /volume/secret; touch /volume/planted '$WORLD/nest/sub/planted'"
  says_not "the host's secret"
  equal "$(ls "$WORLD/outside")" secret
  sandbox rm nested neighbour
}

# in_layer NAME COMMAND...: runs it on the host in the writable layer of a sandbox that is stopped.
in_layer() {
  local state=$SANDBOXES_HOME/vm/$1
  if [[ -e $state/disk.raw ]]; then
    flock "$state/disk.raw" unshare -m sh -c 'mount -o loop "$1/disk.raw" "$1/disk" && cd "$1/disk/upper" && shift && "$@"' - "$state" "${@:2}"
  else
    (cd "$state/disk/upper" && "${@:2}")
  fi
}

# bats test_tags=container
@test "a guest that puts a link in the place of a mount's target gains nothing at the next start" {
  mkdir -p "$WORLD/target-volume" "$WORLD/aim"
  echo "the host's secret" >"$WORLD/aim/secret"
  sandbox create -q --name aimer -v "$WORLD/target-volume:/data/volume" shell "$WORLD/ws-box"
  sandbox exec -u root aimer sh -c 'echo in >/data/volume/file'
  remember_ids
  sandbox stop aimer
  # What a guest with --privileged could do after an umount of its own: the target is a link in the writable layer.
  in_layer aimer sh -c 'rm -rf data && ln -s "../../../../../../..$WORLD/aim" data'
  run sandbox exec -u root aimer sh -c 'touch /data/planted /data/volume/planted; ls /data'
  says_not secret
  equal "$(ls "$WORLD/aim")" secret
  sandbox rm aimer
}

# bats test_tags=once
@test "a workspace above or inside our own state is refused" {
  for directory in "$HOME" "$SANDBOXES_HOME" "$SANDBOXES_HOME/vm/box" /; do
    run -2 --separate-stderr sandbox create --name inside shell "$directory"
    is_error "$directory"
  done
  ln -sfn "$HOME" "$WORLD/link-home"
  run -2 --separate-stderr sandbox create --name inside shell "$WORLD/link-home"
  run -2 --separate-stderr sandbox create --name inside -v "$SANDBOXES_HOME:/state" shell "$WORLD/ws-box"
  is_error "$SANDBOXES_HOME"
}

# bats test_tags=once
@test "mounts over the guest's own /proc, /sys and /dev are refused" {
  for target in /proc /proc/sys /sys /sys/fs/cgroup /dev /dev/shm / /tmp/../proc //proc; do
    run -2 --separate-stderr sandbox create --name over -v "$WORLD/outside:$target" shell "$WORLD/ws-box"
    is_error
  done
}
