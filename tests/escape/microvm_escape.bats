#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: code in the guest has taken its kernel over and goes for the programs on the host that serve it, QEMU and
# virtiofsd; or it has taken one of those over and looks round.

load ../e2e/world

setup_file() {
  world_up
  mkdir -p "$WORLD/outside" "$WORLD/frozen" "$WORLD/ws-box" "$WORLD/ws-other"
  echo "the host's secret" >"$WORLD/outside/secret"
  echo frozen >"$WORLD/frozen/file"
  sandbox create -q --name box --cpus 1 --memory 512m shell "$WORLD/ws-box" "$WORLD/frozen:ro"
  sandbox start box
  box other
  echo "the other's" >"$WORLD/ws-other/theirs"
  remember_ids
}

setup() {
  WS=$(workspace_of box)
  QEMU=$(inspect box .pids.init)
  VIRTIOFSD=$(pgrep -P "$(inspect box .pids.shim)" -x virtiofsd)
  WARDEN=$(pgrep -P "$(inspect box .pids.shim)" -x sandbox-shim)
}

as_root() { sandbox exec -u root box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }

# Everything that there is below a process's root, but what the system's own directories hold.
seen_by() { (cd "/proc/$1/root" && find . \( -path ./usr/lib -o -path ./usr/lib64 -o -path ./usr/share/qemu -o -path ./usr/share/seabios -o -path ./proc -o -path ./lib -o -path ./lib64 \) -prune -o -print | sort); }
# The sources of its mounts: the whole of its mount namespace, whatever its root is.
mounted_for() { awk '{print $4}' "/proc/$1/mountinfo" | sort -u; }

@test "QEMU, virtiofsd, shim and gate have a control group with bounds: the machine's size and some more" {
  local pid group
  group=$(group_of "$QEMU" memory)
  matches "/sandboxd/$(inspect box .id)-helpers\$" "$group"
  for pid in "$VIRTIOFSD" "$WARDEN" "$(shim_pid_of box)" "$(gate_pid_of box)"; do
    equal "$(group_of "$pid" memory)" "$group"
    equal "$(group_of "$pid" pids)" "$(group_of "$QEMU" pids)"
  done
  run -0 sh -c "cat $group/memory.limit_in_bytes $group/memory.max 2>/dev/null || true"
  equal "$output" $(((512 << 20) + (1 << 30)))
  equal "$(cat "$(group_of "$QEMU" pids)/pids.max")" 1024
}

# --- what they can see -----------------------------------------------------------------------------------------------

@test "QEMU sees its program, its libraries, the kernel, the initramfs and its memory, and nothing else of the host's" {
  run -0 seen_by "$QEMU"
  equal "$(grep -vxE '\./(dev/kvm|usr/share)' <<<"$output")" "$(printf '%s\n' . ./dev ./dev/null ./etc ./etc/ld.so.cache ./initramfs ./kernel ./memory ./memory/guest ./usr ./usr/bin "./usr/bin/$(basename "$(readlink "/proc/$QEMU/exe")")")"
  local source
  for source in $(mounted_for "$QEMU"); do
    case $source in
      /usr/* | /lib* | /etc/ld.so.cache | / | /null | /kvm | */cache/kernels/*/kernel | */cache/kernels/*/initramfs) ;;
      *) fail "QEMU has $source" ;;
    esac
  done
}

@test "virtiofsd sees the directories that are shared, the kernel's modules, and nothing else" {
  equal "$(cd "/proc/$VIRTIOFSD/root" && find . -maxdepth 1 | sort)" $'.\n./m0\n./m1\n./modules'
  [[ $(grep ' /modules ' "/proc/$VIRTIOFSD/mountinfo" | cut -d' ' -f6) == ro,* ]]
  equal "$(cat "/proc/$VIRTIOFSD/root/m1/file")" frozen
  local source
  for source in $(mounted_for "$VIRTIOFSD"); do
    case $source in
      "${WS#"$(findmnt -n -o TARGET -T "$WS" | sed 's|^/$||')"}" | "${WORLD#"$(findmnt -n -o TARGET -T "$WORLD" | sed 's|^/$||')"}/frozen" | /usr/* | /lib* | /etc/ld.so.cache | /) ;;
      *) fail "virtiofsd has $source" ;;
    esac
  done
}

@test "neither sees the user's home, our state, the workspaces of others or anything in /etc" {
  local pid path
  for pid in "$QEMU" "$VIRTIOFSD"; do
    for path in "$HOME" "$SANDBOXES_HOME" "$WORLD/outside/secret" "$WORLD/ws-other" /root /home /tmp /var /run /boot /etc/passwd /etc/shadow /sys /dev/mem /dev/vda; do
      [[ ! -e /proc/$pid/root$path ]] || fail "$(cat "/proc/$pid/comm") sees $path"
    done
  done
}

@test "their roots cannot be written to, nor can what is in them" {
  local path
  for path in "/proc/$QEMU/root/x" "/proc/$QEMU/root/usr/lib/x" "/proc/$QEMU/root/kernel" "/proc/$VIRTIOFSD/root/x" "/proc/$VIRTIOFSD/root/m1/x"; do
    run bash -c ': >"$1"' - "$path"  # as the host's root
    ((status != 0)) || fail "$path"
    says "Read-only file system"
  done
  equal "$(stat -c '%a %u %g' "/proc/$QEMU/root/memory")" "755 0 0"  # QEMU is none of these: it can make no file there
}

@test "they have no privilege: not root, no capability on the host, no new ones, no other groups, seccomp" {
  local pid id
  for pid in "$QEMU" "$VIRTIOFSD"; do
    for id in $(status_line "$pid" Uid) $(status_line "$pid" Gid); do ((id >= 65536)) || fail "$(cat "/proc/$pid/comm") has id $id"; done
    equal "$(status_line "$pid" NoNewPrivs) $(status_line "$pid" Seccomp)" "1 2"
    equal "$(status_line "$pid" CapInh) $(status_line "$pid" CapAmb) $(status_line "$pid" CapBnd)" "0000000000000000 0000000000000000 0000000000000000"
  done
  equal "$(status_line "$QEMU" CapPrm) $(status_line "$QEMU" CapEff)" "0000000000000000 0000000000000000"
  matches "^($(getent group kvm | cut -d: -f3))?$" "$(status_line "$QEMU" Groups)"
  equal "$(status_line "$VIRTIOFSD" Groups)" ""
  # What virtiofsd may do it may do to the guest's ids only: its user namespace holds no others.
  [[ $(readlink "/proc/$VIRTIOFSD/ns/user") != "$(readlink /proc/self/ns/user)" ]]
  equal "$(awk '{print $3}' "/proc/$VIRTIOFSD/uid_map" "/proc/$VIRTIOFSD/gid_map" | sort -u)" 65536
  (($(awk '{print $2}' "/proc/$VIRTIOFSD/uid_map") >= 65536))
}

@test "QEMU, virtiofsd and shim are three users, and those of another sandbox three others" {
  local one two
  one=$(for pid in "$QEMU" "$VIRTIOFSD" "$(inspect box .pids.shim)"; do status_line "$pid" Uid | cut -d' ' -f1; done)
  two=$(for pid in "$(inspect other .pids.init)" "$(pgrep -P "$(inspect other .pids.shim)" -x virtiofsd)" "$(inspect other .pids.shim)"; do status_line "$pid" Uid | cut -d' ' -f1; done)
  equal "$(sort -u <<<"$one"$'\n'"$two" | wc -l)" 6
}

@test "they have namespaces of their own, and a network without an interface that is up" {
  local kind
  for kind in mnt pid net ipc uts; do
    equal "$(readlink "/proc/$QEMU/ns/$kind" "/proc/$VIRTIOFSD/ns/$kind" /proc/self/ns/$kind | sort -u | wc -l)" 3
  done
  for pid in "$QEMU" "$VIRTIOFSD"; do
    equal "$(nsenter -t "$pid" -n ip -o link | grep -vc 'LOOPBACK> ')" 0
    equal "$(nsenter -t "$pid" -n ip -o link show up)" ""
  done
}

@test "their environment is empty" {
  equal "$(cat "/proc/$QEMU/environ" "/proc/$VIRTIOFSD/environ" | wc -c)" 0
}

@test "their descriptors are their own disk, template, log, lock, memory and sockets" {
  local pid target
  for pid in "$QEMU" "$VIRTIOFSD"; do
    while read -r target; do
      case $target in
        /dev/null | /dev/kvm | socket:* | anon_inode:* | /memory/guest) ;;
        "$SANDBOXES_HOME/vm/box/Docker.raw" | "$SANDBOXES_HOME/vm/box/shim.log" | "$SANDBOXES_HOME/vm/box/machine.lock" | *.erofs) ;;
        /shared | /shared/* | /proc/1/fd | /proc/1/task) [[ $pid == "$VIRTIOFSD" ]] || fail "QEMU has $target" ;;
        *) fail "$(cat "/proc/$pid/comm") has $target" ;;
      esac
    done < <(find "/proc/$pid/fd" -mindepth 1 -printf '%l\n')
  done
  local template
  template=$(find "/proc/$QEMU/fd" -lname '*.erofs' -printf '%p\n' | head -n 1)
  equal "$(awk '/^flags/ {print $2 % 10}' "/proc/$QEMU/fdinfo/${template##*/}")" 0  # read only
}

@test "the warden can kill and nothing else, and holds nothing but its leash and its charges" {
  equal "$(status_line "$WARDEN" NoNewPrivs) $(status_line "$WARDEN" Seccomp) $(status_line "$WARDEN" CapEff)" "1 2 0000000000000020"
  equal "$(find "/proc/$WARDEN/fd" -mindepth 1 -printf '%l\n' | sed 's/:.*//' | sort | uniq -c | awk '{print $2, $1}')" $'anon_inode 2\npipe 1'
}

# --- what the guest can do to them -----------------------------------------------------------------------------------

@test "the template's disk cannot be written to, and there is no disk of another's" {
  run as_privileged sh -c 'disk=/dev/$(basename "$(dirname "$(grep -l template /sys/block/vd?/serial)")")
    blockdev --setrw $disk; for d in /dev/vda /dev/vdb /dev/vdc; do test -b $d && echo $d; done
    dd if=/dev/zero of=$disk bs=4096 count=1 conv=fsync 2>&1; mknod /tmp/vdc b 254 32; head -c 1 /tmp/vdc >/dev/null 2>&1 && echo OPENED'
  says $'/dev/vda\n/dev/vdb'
  says_not /dev/vdc$'\n'
  says_not OPENED
  matches 'not permitted|I/O error|Read-only'
}

@test "the shared file system has nothing above the workspaces, however it is mounted" {
  run as_privileged sh -c "mkdir -p /mnt/again; mount -t virtiofs sandbox.shared /mnt/again && echo mounted
    cd /mnt/again; ls -a; for d in . .. m0/.. m0/../.. m1 m1/.. ../../..; do touch \$d/planted; mkdir \$d/planted-dir; done
    cat ../outside/secret m0/../../outside/secret m0/../ws-other/theirs; ln -s / root; cat root$WORLD/outside/secret
    mount -o remount,rw /mnt/again; touch m1/planted; echo tried" 2>/dev/null
  says mounted
  says tried
  says_not "the host's secret"
  says_not "the other's"
  equal "$(ls -A "$WORLD/frozen") $(ls -A "$WORLD/outside") $(ls -A "$WORLD/ws-other")" "file secret theirs"
  equal "$(find "$WORLD" -maxdepth 1 -name 'planted*')" ""
  as_privileged sh -c "umount /mnt/again; rm -rf '$WS'/planted* '$WS/root'"
}

@test "a link in the workspace that leads out of it leads nowhere, also for virtiofsd" {
  as_root sh -c "ln -sfn '$WORLD/outside/secret' '$WS/absolute'; ln -sfn ../../outside/secret '$WS/relative'; ln -sfn /proc/1/root/etc/passwd '$WS/proc'; ln -sfn / '$WS/top'"
  for path in absolute relative "top$WORLD/outside/secret"; do
    run ! as_privileged cat "$WS/$path"
    says "No such file"
  done
  run as_privileged sh -c "echo planted >'$WS/absolute'; echo planted >'$WS/relative'"
  equal "$(cat "$WORLD/outside/secret")" "the host's secret"
  rm -f "$WS"/{absolute,relative,proc,top}
}

@test "a directory that the host swaps for a link while the guest uses it is not followed out" {
  mkdir -p "$WS/swapped"
  sandbox exec -d -u root box sh -c "cd '$WS'; touch begun; while [ ! -e enough ]; do cat swapped/secret; touch swapped/planted; done >/tmp/swap 2>/dev/null; touch finished"
  eventually test -e "$WS/begun"
  for _ in $(seq 200); do
    mv "$WS/swapped" "$WS/aside" && ln -s "$WORLD/outside" "$WS/swapped" && rm "$WS/swapped" && mv "$WS/aside" "$WS/swapped"
  done
  touch "$WS/enough"
  eventually test -e "$WS/finished"
  equal "$(as_root cat /tmp/swap)" ""
  equal "$(ls "$WORLD/outside")" secret
  rm -rf "$WS"/{swapped,begun,enough,finished}
}

@test "device nodes cannot be made in the workspace, and the guest's root owns nothing of the host's root's there" {
  run as_privileged sh -c "cd '$WS'; mknod block b 254 0; mknod character c 1 1; touch by-root; chown 0:0 by-root; cp /bin/true suid; chown 0:0 suid; chmod 6755 suid; setcap cap_sys_admin+ep suid; echo tried"
  says tried
  [[ ! -e $WS/block && ! -e $WS/character ]]
  (($(stat -c %u "$WS/by-root") >= 65536))
  [[ $(stat -c %u "$WS/suid") != 0 || $(($(stat -c 0%a "$WS/suid") & 06000)) == 0 ]] || fail "$(ls -l "$WS/suid")"
  equal "$(getcap "$WS/suid" 2>/dev/null | grep -v rootid)" ""
  rm -f "$WS"/{by-root,suid}
}

@test "nobody takes anything out of the process that waits for the next exec, and shares init's descriptors" {
  [[ $(inspect box .isolation) == microvm-emulated ]] || skip "with KVM there is none"
  # What the guest's root can do to make it easy.
  run -0 sandbox exec -u root box sh -c 'echo 1 >/proc/sys/fs/suid_dumpable; pkill -9 -x sandbox-spare; true'
  for user in agent root; do
    eventually as_root pgrep -x sandbox-spare
    run -0 sandbox exec -i -u "$user" box python3 - <<'PY'
import ctypes, os, subprocess
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
spare = int(subprocess.run(["pgrep", "-x", "sandbox-spare"], capture_output=True, text=True, check=True).stdout)
if libc.ptrace(16, spare, None, None) == 0: print("ATTACHED")
pidfd = libc.syscall(434, spare, 0)
for number in range(0, 32):
    if libc.syscall(438, pidfd, number, 0) >= 0: print("TOOK", number)
    try:
        os.open("/proc/%d/fd/%d" % (spare, number), os.O_RDWR)
        print("OPENED", number)
    except OSError:
        pass
try:
    open("/proc/%d/mem" % spare, "rb")
    print("READ")
except OSError:
    pass
print("tried")
PY
    equal "$output" tried
  done
  run -0 sandbox exec -u root box sh -c 'echo 0 >/proc/sys/fs/suid_dumpable'
}

@test "a set-user-id file of the host's does not raise anybody in the guest" {
  cp "$(readlink -f /usr/bin/id)" "$WS/suid-id"
  chmod 4755 "$WS/suid-id"
  equal "$(sandbox exec -u 1234 box "$WS/suid-id" -u)" 1234
  rm "$WS/suid-id"
}

size_of_console() { stat -c %s "$SANDBOXES_HOME/vm/box/console.log"; }
@test "a guest that floods its console fills no disk, and drives no terminal" {
  # The line is slow; this is what it looks like after some minutes.
  truncate -s 16M "$SANDBOXES_HOME/vm/box/console.log"
  as_privileged sh -c 'head -c 100000 /dev/zero | tr "\0" x | fold -w 200 >/dev/ttyS0; printf "\033]0;owned\007\033[2J the end\n" >/dev/ttyS0'
  eventually console_ends
  (($(size_of_console) < 1 << 20)) || fail "$(size_of_console) bytes"
  local shown
  shown=$(script -qec "'$SANDBOXD_BIN/sandbox' logs --console --tail 3 box" /dev/null 3>&-)  # on a terminal
  says "the end" "$shown"
  says_not $'\e' "$shown"
  says_not $'\a' "$shown"
}
console_ends() { tail -c 200 "$SANDBOXES_HOME/vm/box/console.log" | grep -q "the end"; }

@test "garbage on the channel ends its own sandbox, with a reason, and no other" {
  local port
  port=$(as_root sh -c 'cd /sys/class/virtio-ports && grep -l sandbox.channel */name | cut -d/ -f1')
  # init has the port; only one may open it. A guest that has taken its kernel over would take it from init.
  run as_privileged sh -c "head -c 1 /dev/$port"
  ((status != 0)) || fail "the port can be opened twice"
  sandbox exec -d -i -u root --privileged box python3 -c '
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
init = libc.syscall(434, 1, 0)
for number in range(3, 40):
    fd = libc.syscall(438, init, number, 0)
    if fd >= 0 and "vport" in os.readlink("/proc/self/fd/%d" % fd):
        os.set_blocking(fd, True)
        while True: os.write(fd, os.urandom(4096))
'
  eventually has_status box stopped
  matches "protocol|frame|guest" "$(inspect box .reason)"
  run -0 sandbox exec other echo calm
  equal "$output" calm
  run -0 sandbox exec box echo again
  equal "$output" again
}

size_of_log() { stat -c %s "$SANDBOXES_HOME/vm/other/shim.log"; }
@test "a guest that resets its devices again and again has nothing written about it" {
  sandbox exec other true
  local before
  before=$(size_of_log)
  sandbox exec -u root --privileged other sh -c 'cd /sys/bus/virtio/drivers/virtiofs && device=$(ls -d virtio*) &&
    for i in $(seq 10); do echo $device >unbind; echo $device >bind; done'
  equal "$(size_of_log)" "$before"
}
