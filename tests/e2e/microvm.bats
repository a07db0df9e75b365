#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What only a microVM has: a kernel, a disk and memory of its own, and directories that it shares with the host.

setup_file() {
  load world
  world_up
  mkdir -p "$WORLD/lib" "$WORLD/frozen"
  echo frozen >"$WORLD/frozen/file"
  echo one >"$WORLD/single"
  mkdir -p "$WORLD/ws-box"
  sandbox create -q --name box --cpus 1 --memory 640m -v "$WORLD/single:/etc/single" -v "$WORLD/frozen:/frozen-volume:ro" \
    shell "$WORLD/ws-box" "$WORLD/lib" "$WORLD/frozen:ro"
  sandbox start box
  remember_ids
}

teardown_file() {
  load world
  local home
  for home in "$WORLD"/user-*/; do  # of a test that has failed
    mountpoint -q "$home" || continue
    SANDBOXES_HOME=$home.docker/sandboxes sandbox reset -f >/dev/null || true
    SANDBOXES_HOME=$home.docker/sandboxes sandbox daemon stop 2>/dev/null || true
    umount -l "$home"
  done
  world_down
}

setup() {
  load world
  WS=$(workspace_of box)
}

teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
}

guest() { sandbox exec box "$@"; }
as_root() { sandbox exec -u root box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }
in_python() { sandbox exec -i box python3 - "$@"; }
kernel_says() { sandbox exec -u root --privileged "$1" dmesg; }

# A process of a sandbox's machine: QEMU, virtiofsd, shim or warden.
part_of() {
  local shim pid
  shim=$(inspect "$1" .pids.shim)
  case $2 in
    shim) echo "$shim" ;;
    QEMU) inspect "$1" .pids.init ;;
    virtiofsd) pgrep -P "$shim" -x virtiofsd ;;
    warden) pgrep -P "$shim" -x sandbox-shim ;;
  esac
}

# --- the machine -----------------------------------------------------------------------------------------------------

@test "it has a kernel of its own" {
  [[ $(guest uname -r) != "$(uname -r)" ]]
  matches '^microvm(-emulated)?$' "$(inspect box .isolation)"
  matches $'\n'"box +shell +running +$(inspect box .isolation) " "$(sandbox ls)"
}

@test "it has lo and no other network card, and nothing on PCI or USB" {
  run -0 as_root sh -c 'ls /sys/class/net; find /sys/bus/pci/devices /sys/bus/usb /sys/class/drm /sys/class/input /sys/class/sound -mindepth 1 2>/dev/null; true'
  equal "$output" lo
}

@test "its devices are two disks, a channel, a console, a balloon and the shared directories" {
  run -0 as_root sh -c 'cat /sys/bus/virtio/devices/*/device | sort; ls /sys/block; ls -d /dev/ttyS0'
  # 2 disk, 3 ports, 5 balloon, 26 file system
  equal "$output" $'0x0002\n0x0002\n0x0003\n0x0005\n0x001a\nvda\nvdb\n/dev/ttyS0'
}

@test "--memory and --cpus are what the guest has" {
  equal "$(guest nproc)" 1
  local kib
  kib=$(guest awk '/^MemTotal/ {print $2}' /proc/meminfo)
  ((kib > 560 << 10 && kib <= 640 << 10)) || fail "$kib KiB"
  equal "$(inspect box .limits | jq -c '[.cpus, .memory, .disk, .enforced]')" '[1,671088640,68719476736,true]'
}

@test "without flags it gets half of the host's memory, 8 GiB at most, all processors and a disk of 64 GB" {
  mkdir -p "$WORLD/ws-plain"
  sandbox create -q --name plain shell "$WORLD/ws-plain"
  local half=$(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) / 2048 << 20))
  equal "$(inspect plain '.limits.memory')" $((half < 8 << 30 ? half : 8 << 30))
  equal "$(inspect plain '.limits.cpus')" "$(nproc)"
  equal "$(inspect plain '.limits.disk')" $((64 << 30))
  sandbox rm plain
}

@test "less memory than a kernel needs and more processors than there are are refused in words" {
  mkdir -p "$WORLD/none"
  run -2 --separate-stderr sandbox create -m 32m shell "$WORLD/none"
  is_error "--memory"
  run -2 --separate-stderr sandbox create --cpus 1000 shell "$WORLD/none"
  is_error "--cpus"
  run -2 --separate-stderr sandbox create --disk 1m shell "$WORLD/none"
  is_error "--disk"
  run -0 sandbox ls -q
  says_not none
}

@test "its clock is the host's from the start" {
  local before after there
  before=$(date +%s%3N)
  there=$(guest date +%s%3N)
  after=$(date +%s%3N)
  ((there >= before - 2000 && there <= after + 2000)) || fail "the guest's $there is not between $before and $after"
}

@test "inspect tells where the time of the start went" {
  run -0 --separate-stderr sandbox inspect box
  for step in prepare virtiofsd qemu_exec guest_kernel guest_modules guest_template guest_port guest_root guest_shared total; do
    equal "$(jq ".[0].timings.$step > 0" <<<"$output")" true
  done
}

@test "logs --console shows what is said on the serial console" {
  as_privileged sh -c 'echo said on the console >/dev/ttyS0'
  eventually console_says "said on the console"
}
console_says() { [[ $(sandbox logs --console box) == *"$1"* ]]; }

# The memory is a file, and the blocks of a file are what the host gives for it.
held() { echo $(($(stat -L -c %b "$1") / 2048)); }  # MiB
holds_less() { (($(held "$1") < $2)); }
@test "memory that the guest has used and freed goes back to the host" {
  local memory used
  memory=$(find "/proc/$(inspect box .pids.init)/fd" -lname '/memfd:*')
  guest python3 -c 'x = b"x" * 300000000'
  used=$(held "$memory")
  ((used > 280)) || fail "only $used MiB were ever used"
  kPatience=60 eventually holds_less "$memory" $((used - 200))
}

# --- the disk --------------------------------------------------------------------------------------------------------

@test "the root is an overlay of the disk over the template, which is read-only" {
  run -0 as_root sh -c 'stat -f -c %T /; cat /sys/block/vda/ro; blkid -o value -s TYPE /dev/vda /dev/vdb; grep -c " / overlay " /proc/mounts'
  equal "$output" $'overlayfs\n1\nerofs\next4\n1'
}

@test "the disk is a sparse file, and what is deleted is given back" {
  local disk=$SANDBOXES_HOME/vm/box/Docker.raw
  equal "$(stat -c %s "$disk")" $((64 << 30))
  (($(held "$disk") < 50)) || fail "$(held "$disk") MiB"
  guest sh -c 'head -c 100000000 /dev/zero >~/big; sync'
  (($(held "$disk") > 90)) || fail "only $(held "$disk") MiB"
  guest sh -c 'rm ~/big; sync'
  eventually holds_less "$disk" 50
}

@test "--disk is its size" {
  box tiny --disk 128m
  equal "$(stat -c %s "$SANDBOXES_HOME/vm/tiny/Docker.raw")" $((128 << 20))
  equal "$(inspect tiny .limits.disk)" $((128 << 20))
  run ! sandbox exec tiny sh -c 'head -c 200000000 /dev/zero >~/big'
  says "No space left"
  run -0 sandbox exec tiny sh -c 'rm ~/big; echo alive'
  equal "$output" alive
  sandbox rm tiny
}

@test "all machines share one image of the template, and none changes it" {
  local image before
  image=$(ls -d "$SANDBOXES_HOME"/templates/*/root.erofs)
  equal "$(wc -l <<<"$image")" 1
  before=$(stat -c '%i %s %Y %Z' "$image")
  box second
  equal "$(sandbox exec second cat /proc/sys/kernel/random/boot_id | wc -l)" 1
  [[ $(sandbox exec second cat /proc/sys/kernel/random/boot_id) != "$(guest cat /proc/sys/kernel/random/boot_id)" ]]
  run as_privileged sh -c 'mount -o remount,rw /lower; blockdev --setrw /dev/vda; head -c 4096 /dev/zero >/dev/vda; dd if=/dev/zero of=/dev/vda bs=4096 count=1 oflag=direct; echo tried'
  says tried
  equal "$(stat -c '%i %s %Y %Z' "$image")" "$before"
  for one in box second; do
    equal "$(stat -L -c %i "$(find "/proc/$(inspect $one .pids.init)/fd" -lname '*.erofs' | head -n 1)")" "$(stat -c %i "$image")"
  done
  sandbox rm second
}

# --- the workspace ---------------------------------------------------------------------------------------------------

@test "1,000 files from each side at once are all there on both, whole" {
  mkdir "$WS/both"
  guest sh -c 'cd both && for i in $(seq 1000); do echo "guest $i" >"guest-$i"; done' &
  local writer=$!
  for i in $(seq 1000); do echo "host $i" >"$WS/both/host-$i"; done
  wait "$writer"
  equal "$(ls "$WS/both" | wc -l) $(guest sh -c 'ls both | wc -l')" "2000 2000"
  local sum
  sum=$(cd "$WS/both" && cat guest-* host-* | sort | sha256sum)
  equal "$(guest sh -c 'cd both && cat guest-* host-* | sort | sha256sum')" "$sum"
  equal "$(cat "$WS"/both/guest-* | sort -u | wc -l) $(cat "$WS"/both/host-* | sort -u | wc -l)" "1000 1000"
  rm -r "$WS/both"
}

# 100 ms are what is promised; the guest has looked right before, so that it has something old to remember.
a_tenth_later() { sleep 0.1; }

@test "what the host creates, changes and removes shows in the guest 100 ms later" {
  run ! guest ls "$WS/news"
  echo first >"$WS/news"
  a_tenth_later
  equal "$(guest cat news)" first
  echo "second, and longer" >"$WS/news"
  a_tenth_later
  equal "$(guest sh -c 'cat news; stat -c %s news')" $'second, and longer\n19'
  printf 'same length, again\n' >"$WS/news"
  a_tenth_later
  equal "$(guest cat news)" "same length, again"
  echo other >"$WS/replacement"
  mv "$WS/replacement" "$WS/news"
  a_tenth_later
  equal "$(guest cat news)" other
  chmod 600 "$WS/news"
  a_tenth_later
  equal "$(guest stat -c %a news)" 600
  rm "$WS/news"
  a_tenth_later
  run ! guest ls news
}

@test "a program that keeps looking sees what the host creates, changes and removes within 100 ms" {
  in_python "$WS" <<'PY' >"$WORLD/watcher" &
import os, sys
path = sys.argv[1] + "/watched"
def look():
    try:
        with open(path) as f: return f.read()
    except FileNotFoundError:
        return None
last = "nothing yet"
while last != "end":
    seen = look()
    if seen != last: print(repr(seen), flush=True)
    last = seen
PY
  local watcher=$!
  eventually grep -qx None "$WORLD/watcher"
  for text in first second "a longer third"; do
    printf '%s' "$text" >"$WS/watched.new"
    mv "$WS/watched.new" "$WS/watched"
    a_tenth_later
    equal "$(guest cat watched)" "$text"
    eventually grep -qx "'$text'" "$WORLD/watcher"
  done
  rm "$WS/watched"
  eventually is_last "$WORLD/watcher" None
  printf end >"$WS/watched"
  wait "$watcher"
}
is_last() { [[ $(tail -n 1 "$1") == "$2" ]]; }

@test "what the guest creates, changes and removes is at once the host's" {
  guest sh -c 'echo first >mine'
  equal "$(cat "$WS/mine")" first
  guest sh -c 'echo more >>mine; chmod 640 mine'
  equal "$(cat "$WS/mine")" $'first\nmore'
  equal "$(stat -c %a "$WS/mine")" 640
  guest rm mine
  [[ ! -e $WS/mine ]]
}

@test "a file that the guest holds open gets what the host appends" {
  echo begin >"$WS/growing"
  in_python <<'PY' >"$WORLD/tail" &
import time
f = open("growing")
while True:
    line = f.readline()
    if line: print(line, end="", flush=True)
    if line == "end\n": break
PY
  local reader=$!
  eventually grep -q begin "$WORLD/tail"
  echo middle >>"$WS/growing"
  eventually grep -q middle "$WORLD/tail"
  echo end >>"$WS/growing"
  wait "$reader"
}

@test "inotify in the guest tells of changes made in the guest" {
  run -0 in_python <<'PY'
import ctypes, os, struct
libc = ctypes.CDLL(None)
watch = libc.inotify_init()
os.mkdir("inotify")
libc.inotify_add_watch(watch, b"inotify", 0x100 | 0x2 | 0x200 | 0x80)  # create, modify, delete, moved to
with open("inotify/a", "w") as f: f.write("x")
os.rename("inotify/a", "inotify/b")
os.remove("inotify/b")
os.rmdir("inotify")
events, offset = os.read(watch, 4096), 0
while offset < len(events):
    _, mask, _, length = struct.unpack_from("iIII", events, offset)
    print(mask, events[offset + 16:offset + 16 + length].rstrip(b"\0").decode())
    offset += 16 + length
PY
  says $'256 a\n2 a\n'
  says $'128 b\n512 b'
}

@test "hard links, renames, locks, shared mappings, sparse files, times and long names work in it" {
  run -0 in_python <<'PY'
import errno, fcntl, mmap, os
os.mkdir("odd")
os.chdir("odd")
def done(name, holds): print(name, "yes" if holds else "NO")

with open("file", "w") as f: f.write("content")
os.link("file", "hard")
done("hard link", os.stat("hard").st_nlink == 2 and os.path.samefile("file", "hard"))
os.rename("file", "renamed")
os.rename("renamed", "hard2")
done("rename", sorted(os.listdir()) == ["hard", "hard2"])
os.mkdir("d1"); os.mkdir("d2"); open("d1/x", "w").close()
try:
    os.rename("d2", "d1")
    done("rename over a full directory", False)
except OSError as e:
    done("rename over a full directory is refused", e.errno in (errno.ENOTEMPTY, errno.EEXIST))

with open("mapped", "w+b") as f:
    f.truncate(8192)
    with mmap.mmap(f.fileno(), 8192) as m:
        m[0:5] = b"hello"; m[8187:8192] = b"world"
        m.flush()
    f.seek(0)
    text = f.read()
done("shared mapping", text[:5] == b"hello" and text[-5:] == b"world")

first, second = open("lock", "w"), open("lock", "w")
fcntl.flock(first, fcntl.LOCK_EX)
try:
    fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    done("flock", False)
except BlockingIOError:
    done("flock", True)
fcntl.lockf(first, fcntl.LOCK_EX)
if os.fork() == 0:
    try:
        fcntl.lockf(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os._exit(1)
    except OSError:
        os._exit(0)
done("fcntl lock", os.wait()[1] == 0)

with open("sparse", "wb") as f:
    f.seek(1 << 30); f.write(b"x")
done("sparse file", os.stat("sparse").st_size == (1 << 30) + 1 and os.stat("sparse").st_blocks < 100)
os.utime("sparse", ns=(1_000_000_001, 2_000_000_003))
done("times", os.stat("sparse").st_mtime_ns == 2_000_000_003)
name = "n" * 255
open(name, "w").close()
done("long name", name in os.listdir())
try:
    open(name + "n", "w")
    done("too long a name", False)
except OSError as e:
    done("too long a name is refused", e.errno == errno.ENAMETOOLONG)
open("Case", "w").close(); open("case", "w").close()
done("case", {"Case", "case"} <= set(os.listdir()))
odd = b"\xff\xfe odd\n"
open(odd, "w").close()
done("a name that is not text", odd in os.listdir(b"."))
with open("gone", "w+") as f:
    f.write("still"); f.flush()
    os.remove("gone")
    f.seek(0)
    done("a removed file that is open", f.read() == "still")
os.symlink("nowhere", "dangling")
done("symbolic link", os.readlink("dangling") == "nowhere" and not os.path.exists("dangling"))
os.mkfifo("fifo")
done("fifo", os.path.exists("fifo"))
directory = os.open(".", os.O_RDONLY); os.fsync(directory)
done("fsync of a directory", True)
PY
  says_not NO
  says "fsync of a directory yes"
  equal "$(stat -c '%s %y' "$WS/odd/sparse" | cut -c1-10)" 1073741825
  (($(stat -c %b "$WS/odd/sparse") < 100))
  [[ -e $WS/odd/Case && -e $WS/odd/case && -L $WS/odd/dangling ]]
  rm -r "$WS/odd"
}

@test "10,000 files in one directory are all there, on both sides" {
  mkdir "$WS/many"
  (cd "$WS/many" && seq 9900 | xargs touch)
  guest sh -c 'cd many && seq 9901 10000 | xargs touch'
  equal "$(ls -U "$WS/many" | sort -n | sha256sum)" "$(seq 10000 | sha256sum)"
  equal "$(guest sh -c 'ls -U many | sort -n | sha256sum')" "$(seq 10000 | sha256sum)"
  rm -r "$WS/many"
}

@test "git works in it: init, commit, status, and the host's git sees the same" {
  guest sh -c 'mkdir repo && cd repo && git init -q . && git config user.email a@b && git config user.name a &&
    for i in $(seq 100); do echo "$i" >"file $i"; done && git add . && git commit -qm one'
  equal "$(guest git -C repo status --porcelain)" ""
  equal "$(git -c safe.directory='*' -C "$WS/repo" status --porcelain)" ""
  echo changed >"$WS/repo/file 7"
  a_tenth_later
  equal "$(guest git -C repo status --porcelain)" ' M "file 7"'
  guest git -C repo fsck --strict
  guest rm -rf repo
}

@test "extra workspaces and single files are where they belong, and writable" {
  guest sh -c "echo from-guest >'$WORLD/lib/file'; echo two >>/etc/single"
  equal "$(cat "$WORLD/lib/file")" from-guest
  equal "$(cat "$WORLD/single")" $'one\ntwo'
  echo three >>"$WORLD/single"
  a_tenth_later
  equal "$(guest tail -n 1 /etc/single)" three
}

@test ":ro is kept by the host, whatever the guest's root does to its mounts" {
  for path in "$WORLD/frozen" /frozen-volume; do
    run as_privileged sh -c "
      umask 0; mount -o remount,rw '$path' && echo remounted; mount -o remount,bind,rw '$path' && echo remounted
      echo changed >'$path/file'; touch '$path/new'; mkdir '$path/dir'; rm '$path/file'; chmod 777 '$path/file' '$path'
      ln -s x '$path/link'; mknod '$path/fifo' p; truncate -s 0 '$path/file'; echo tried"
    says remounted  # or nothing was tried
    says tried
    equal "$(cat "$WORLD/frozen/file") $(ls -A "$WORLD/frozen") $(stat -c %a "$WORLD/frozen/file")" "frozen file 644"
  done
}

# --- the end ---------------------------------------------------------------------------------------------------------

@test "what was installed is there after an orderly stop, and no journal has to be recovered" {
  box keeper
  sandbox exec -u root keeper sh -c 'echo tool >/usr/local/bin/tool; echo data >/var/lib/data'  # not synced
  SANDBOX_TIMEOUT=30 run -0 sandbox stop keeper
  run -0 sandbox exec -u root keeper cat /usr/local/bin/tool /var/lib/data
  equal "$output" $'tool\ndata'
  run -0 kernel_says keeper
  says_not "recovery complete"
  says_not "EXT4-fs error"
}

# died BOX PART: how the end of a part shows.
died() {
  local box=$1 part=$2 client code=0
  sandbox exec "$box" sh -c "echo '$part' >~/mark; sync"
  "$SANDBOXD_BIN/sandbox" exec "$box" sh -c 'echo up; exec sleep 1000' >"$WORLD/attached" 2>"$WORLD/attached.err" 3>&- &
  client=$!
  eventually grep -q up "$WORLD/attached"
  shift 2
  "$@"
  eventually is_gone "$client"
  wait "$client" || code=$?
  equal "$code" 125
  eventually has_status "$box" stopped
}

# recovered BOX MARK: it starts again, with all that was synced.
recovered() {
  equal "$(sandbox exec "$1" cat /home/agent/mark)" "$2"
  says_not "EXT4-fs error" "$(kernel_says "$1")"
}

kill_part() {
  local pid
  pid=$(part_of "$1" "$2")
  parts=$(part_of "$1" QEMU; part_of "$1" virtiofsd; part_of "$1" shim; part_of "$1" warden)
  equal "$(wc -w <<<"$parts")" 4
  kill -9 "$pid"
}

all_gone() {
  local pid
  for pid in "$@"; do is_gone "$pid" || return 1; done
}

@test "kill -9 of QEMU: its name is the reason, nothing is left, and the journal is recovered at the next start" {
  box mortal
  died mortal QEMU kill_part mortal QEMU
  says QEMU "$(inspect mortal .reason)"
  says QEMU "$(cat "$WORLD/attached.err")"
  # shellcheck disable=SC2086
  eventually all_gone $parts
  recovered mortal QEMU
  says "recovery complete" "$(kernel_says mortal)"
}

@test "kill -9 of virtiofsd, of the warden and of the shim: the same" {
  is_there mortal || box mortal
  local part
  for part in virtiofsd warden shim; do
    died mortal "$part" kill_part mortal "$part"
    says "$part" "$(inspect mortal .reason)"
    # shellcheck disable=SC2086
    eventually all_gone $parts
    recovered mortal "$part"
  done
}

@test "a guest that panics: the panic is the reason, for the exec and in inspect" {
  is_there mortal || box mortal
  died mortal panic sandbox exec -d -u root --privileged mortal sh -c 'echo c >/proc/sysrq-trigger'
  says "Kernel panic" "$(inspect mortal .reason)"
  says "Kernel panic" "$(cat "$WORLD/attached.err")"
  says "Kernel panic" "$(sandbox logs --console mortal)"
  recovered mortal panic
}

@test "a guest that powers itself off has stopped, and says so" {
  is_there mortal || box mortal
  died mortal off sandbox exec -d -u root --privileged mortal sh -c 'echo o >/proc/sysrq-trigger'
  says "powered off" "$(inspect mortal .reason)"
  recovered mortal off
  sandbox rm mortal
}

# --- what is missing -------------------------------------------------------------------------------------------------

# without PROGRAM COMMAND...: hidden from this one command and the daemon that it starts, which has a home of its own.
without() {
  local program=$1
  shift
  SANDBOXES_HOME=$WORLD/user-lacking/.docker/sandboxes run --separate-stderr unshare --mount --propagation private sh -c '
    mount --bind /dev/null "$(readlink -f "$0")" && exec timeout 60 "$SANDBOXD_BIN/sandbox" "$@"' "$program" "$@" 3>&-
}

virtiofsd_program() { command -v virtiofsd || ls /usr/lib/qemu/virtiofsd /usr/libexec/virtiofsd 2>/dev/null | head -n 1; }

lacks() {
  local word=$1 program=$2
  mkdir -p "$WORLD/ws-lacking" "$WORLD/user-lacking/.docker/sandboxes"
  ln -sfn "$(readlink -f "$SANDBOXES_HOME/templates")" "$WORLD/user-lacking/.docker/sandboxes/templates"
  without "$program" create --name lacking shell "$WORLD/ws-lacking"
  equal "$status" 125
  is_error "$word"
  says "apt-get install" "$stderr"
  [[ ! -e $WORLD/user-lacking/.docker/sandboxes/vm/lacking ]]
  without "$program" diagnose --json
  equal "$(jq -r --arg word "$word" '[.checks[] | select(.status == "fail" and (.message + .name | contains($word)) and .hint != "")] | length' <<<"$output")" 1
  SANDBOXES_HOME=$WORLD/user-lacking/.docker/sandboxes sandbox daemon stop 2>/dev/null
}

@test "no QEMU: an error that names the package, from create and from diagnose" { lacks qemu-system "$(command -v qemu-system-x86_64)"; }
@test "no virtiofsd: the same" { lacks virtiofsd "$(virtiofsd_program)"; }
@test "no mkfs.erofs: the same" { lacks mkfs.erofs "$(command -v mkfs.erofs)"; }
@test "no mkfs.ext4: the same" { lacks mkfs.ext4 "$(command -v mkfs.ext4)"; }

configure() { jq -n --arg kernel "$1" '{backend: "microvm", kernel: $kernel}' >"$SANDBOXD_CONFIG"; }
restore_configuration() { echo '{"backend": "microvm"}' >"$SANDBOXD_CONFIG"; }

@test "a kernel that is not there, or is none: create and diagnose name it, and nothing is made" {
  mkdir -p "$WORLD/ws-kernel"
  for kernel in "$WORLD/no-kernel" /etc/passwd; do
    configure "$kernel"
    run --separate-stderr sandbox create --name kernel shell "$WORLD/ws-kernel"
    local code=$status
    run --separate-stderr sandbox diagnose --json
    restore_configuration
    equal "$code" 125
    equal "$(jq -r --arg kernel "$kernel" '[.checks[] | select(.status == "fail" and (.message | contains($kernel)))] | length' <<<"$output")" 1
    [[ ! -e $SANDBOXES_HOME/vm/kernel ]]
  done
}

# A first process of two instructions, as a static program: it waits for ever, or it exits.
make_init() {
  python3 - "$1" "$2" <<'PY'
import struct, sys
code = {"waits": b"\xb8\x22\0\0\0\x0f\x05\xeb\xf7", "exits": b"\xb8\x3c\0\0\0\xbf\x07\0\0\0\x0f\x05"}[sys.argv[2]]
head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 120 + len(code), 120 + len(code), 0x1000)
open(sys.argv[1], "wb").write(head + segment + code)
PY
  chmod 755 "$1"
}

# with_init BEHAVIOUR: a home of its own whose machines have that first process. Starts one.
with_init() {
  local programs=$WORLD/programs-$1 home=$WORLD/user-$1/.docker/sandboxes
  cp -r "$SANDBOXD_BIN" "$programs"
  rm "$programs/sandbox-init"
  make_init "$programs/sandbox-init" "$1"
  mkdir -p "$home" "$WORLD/ws-$1"
  ln -s "$(readlink -f "$SANDBOXES_HOME/templates")" "$home/templates"
  SANDBOXES_HOME=$home run --separate-stderr timeout 100 "$programs/sandbox" run -q -d --cpus 1 -m 512m --name mute shell "$WORLD/ws-$1" 3>&-
}

# Nothing of it runs, and there is nothing that reset cannot remove.
gone_with_init() {
  local programs=$WORLD/programs-$1 home=$WORLD/user-$1/.docker/sandboxes
  says_not '"running"' "$(SANDBOXES_HOME=$home "$programs/sandbox" ls --json 3>&-)"
  equal "$(grep -ls "$WORLD/ws-$1" /proc/[0-9]*/mountinfo)" ""
  equal "$(find /proc -maxdepth 3 -path '/proc/[0-9]*/fd/*' -lname "$home/vm/*" 2>/dev/null)" ""
  SANDBOXES_HOME=$home "$programs/sandbox" reset -f >/dev/null 3>&-
  SANDBOXES_HOME=$home "$programs/sandbox" daemon stop 3>&-
}

@test "a guest that never answers: an error after 30 s with the console's last lines, and nothing is left running" {
  with_init waits
  equal "$status" 125
  is_error "did not answer in 30 s"
  says "console" "$stderr"
  gone_with_init waits
}

@test "a guest whose first process fails: the kernel's panic is the error" {
  with_init exits
  equal "$status" 125
  is_error "Kernel panic"
  says "Attempted to kill init" "$stderr"
  gone_with_init exits
}

@test "the host's disk is full: the guest is told or ended with a reason, and with space again it is whole" {
  mkdir -p "$WORLD/user-full"
  mount -t tmpfs -o size=100m,mode=755 tmpfs "$WORLD/user-full"
  export SANDBOXES_HOME=$WORLD/user-full/.docker/sandboxes
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
  box tight
  sandbox exec tight sh -c 'echo kept >~/mark; sync'
  run timeout -k 1 60 "$SANDBOXD_BIN/sandbox" exec tight sh -c 'head -c 80000000 /dev/urandom >~/big && sync ~/big' 3>&-
  ((status != 0 && status != 124 && status != 137)) || fail "$status: $output"
  if [[ $(status_of tight) == running ]]; then
    SANDBOX_TIMEOUT=40 run -0 sandbox stop tight
  else
    matches "[Ss]pace|full|I/O" "$(inspect tight .reason)"
  fi
  mount -o remount,size=400m "$WORLD/user-full"
  run -0 sandbox exec tight cat /home/agent/mark
  equal "$output" kept
  remember_ids
  sandbox reset -f >/dev/null
  sandbox daemon stop
  umount "$WORLD/user-full"
}
