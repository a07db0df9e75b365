#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What only a microVM has: a kernel, a disk and memory of its own; and how it ends.

load world

setup_file() {
  world_up
  box box --memory 640m
}

guest() { sandbox exec box "$@"; }
as_root() { sandbox exec -u root box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }
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

# By its boot id, which each kernel draws when it boots: the release may be the host's.
@test "it has a kernel of its own" {
  matches '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' "$(guest cat /proc/sys/kernel/random/boot_id)"
  [[ $(guest cat /proc/sys/kernel/random/boot_id) != "$(</proc/sys/kernel/random/boot_id)" ]]
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

@test "emulated, one process waits for the next exec; a killed one is replaced, and execs do not notice" {
  [[ $(inspect box .isolation) == microvm-emulated ]] || skip "with KVM there is none"
  # As root, because such an exec is not for it.
  eventually as_root pgrep -x sandbox-spare
  run -0 as_root pkill -9 -x sandbox-spare
  run -0 guest echo fine
  equal "$output" fine
  eventually as_root pgrep -x sandbox-spare
  equal "$(as_root pgrep -c -x sandbox-spare)" 1
}

@test "the workspace is where an exec starts, whatever has been mounted there meanwhile" {
  run -0 as_privileged mount -t tmpfs none "$(workspace_of box)"
  equal "$(guest stat -f -c %T .)" tmpfs
  run -0 as_privileged umount -l "$(workspace_of box)"  # in which the process that waits may stand
  equal "$(guest stat -f -c %T .)" "$(guest sh -c "stat -f -c %T '$(workspace_of box)'")"
  [[ $(guest stat -f -c %T .) != tmpfs ]]
}

@test "--memory and --cpus are what the guest has" {
  equal "$(guest nproc)" 1
  local kib
  kib=$(guest awk '/^MemTotal/ {print $2}' /proc/meminfo)
  ((kib > 560 << 10 && kib <= 640 << 10)) || fail "$kib KiB"
  equal "$(inspect box .limits | jq -c '[.cpus + 0, .memory, .disk, .enforced]')" "[1,671088640,$(size_of "$SANDBOXES_HOME/vm/box/Docker.raw"),true]"
}

@test "programs have all processors that were asked for; emulated, what serves the host has the first" {
  (($(nproc) > 1)) || skip "this host has one processor"
  box pair --cpus 2
  [[ $(inspect pair .isolation) == microvm ]] ||
    eventually sandbox exec -u root pair pgrep -x sandbox-spare  # which becomes the next program of the agent's
  equal "$(sandbox exec pair nproc)" 2
  equal "$(sandbox exec -u root pair nproc)" 2  # and this one is forked
  run -0 sandbox exec pair awk '/^Cpus_allowed_list/ {print $2}' /proc/1/status
  equal "$output" "$([[ $(inspect pair .isolation) == microvm ]] && echo 0-1 || echo 0)"
  sandbox rm pair
}

@test "without flags it gets half of the host's memory, 8 GiB at most, all processors (emulated: one) and a disk that leaves the host room" {
  mkdir -p "$WORLD/ws-plain"
  sandbox create -q --name plain shell "$WORLD/ws-plain"
  local half=$(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) / 2048 << 20))
  equal "$(inspect plain '.limits.memory')" $((half < 8 << 30 ? half : 8 << 30))
  equal "$(inspect plain '.limits.cpus + 0')" "$([[ $(inspect plain '.isolation') == microvm ]] && nproc || echo 1)"
  local disk
  disk=$(inspect plain '.limits.disk')
  ((disk <= 64 << 30 && disk <= $(df -B1 --output=avail "$SANDBOXES_HOME" | tail -n 1))) || fail "$disk"
  equal "$(inspect plain '.limits.disk_bound')" "virtual disk"
  sandbox rm plain
}

@test "its table of connections is of one size, whatever the memory, and takes many" {
  equal "$(as_root cat /proc/sys/net/netfilter/nf_conntrack_buckets)" 16384
  run -0 as_root cat /proc/sys/net/netfilter/nf_conntrack_max
  ((output >= 65536)) || fail "nf_conntrack_max: $output"
}

@test "emulated, a page fault maps 16 KiB and not the kernel's 64, for which no debugfs stays mounted" {
  local expected=65536
  [[ $(inspect box .isolation) != microvm-emulated ]] || expected=16384
  says_not ' - debugfs ' "$(as_privileged cat /proc/self/mountinfo)"
  as_privileged mount -t debugfs debugfs /sys/kernel/debug
  maps() { [[ $(as_privileged cat /sys/kernel/debug/fault_around_bytes) == "$1" ]]; }
  eventually maps "$expected"
  as_privileged umount /sys/kernel/debug
}

@test "programs can confine themselves with Landlock" {
  run -0 guest python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))'
  ((output >= 1)) || fail "landlock_create_ruleset: $output"
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

size_of() { stat -c %s "$1"; }
# The memory is a file, and the blocks of a file are what the host gives for it.
held() { echo $(($(stat -L -c %b "$1") / 2048)); }  # MiB
holds_less() { (($(held "$1") < $2)); }
@test "memory that the guest has used and freed goes back to the host" {
  local memory used
  memory=$(find "/proc/$(inspect box .pids.init)/fd" -lname /memory/guest)
  guest python3 -c 'x = b"x" * 300000000'
  used=$(held "$memory")
  ((used > 280)) || fail "only $used MiB were ever used"
  kPatience=60 eventually holds_less "$memory" $((used - 200))
}

# --- the disk --------------------------------------------------------------------------------------------------------

@test "the root is an overlay of the disk over the template, which is read-only" {
  # shellcheck disable=SC2016 # for the guest's shell
  run -0 as_root sh -c 'stat -f -c %T /; grep -c " / overlay " /proc/mounts
    for disk in /sys/block/vd*; do
      echo "$(cat $disk/serial) $(cat $disk/ro) $(blkid -o value -s TYPE /dev/${disk##*/})"
    done | sort'
  equal "$output" $'overlayfs\n1\ndisk 0 ext4\ntemplate 1 erofs'
}

@test "the disk is a sparse file, and what is deleted is given back" {
  local disk=$SANDBOXES_HOME/vm/box/Docker.raw
  equal "$(size_of "$disk")" "$(inspect box .limits.disk)"
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
  image=$(readlink -f "$SANDBOXES_HOME/templates/erofs")/$(inspect box .template_digest | cut -d: -f2).erofs
  before=$(stat -c '%i %s %Y %Z' "$image")
  box second
  equal "$(sandbox exec second cat /proc/sys/kernel/random/boot_id | wc -l)" 1
  [[ $(sandbox exec second cat /proc/sys/kernel/random/boot_id) != "$(guest cat /proc/sys/kernel/random/boot_id)" ]]
  # shellcheck disable=SC2016 # for the guest's shell
  run as_privileged sh -c 'disk=/dev/$(basename "$(dirname "$(grep -l template /sys/block/vd?/serial)")")
    mount -o remount,rw /lower; blockdev --setrw $disk; head -c 4096 /dev/zero >$disk; dd if=/dev/zero of=$disk bs=4096 count=1 oflag=direct; echo tried'
  says tried
  equal "$(stat -c '%i %s %Y %Z' "$image")" "$before"
  for one in box second; do
    equal "$(stat -L -c %i "$(find "/proc/$(inspect $one .pids.init)/fd" -lname '*.erofs' | head -n 1)")" "$(stat -c %i "$image")"
  done
  sandbox rm second
}

# --- the end ---------------------------------------------------------------------------------------------------------

@test "what was installed is there after an orderly stop, and no journal has to be recovered" {
  box keeper
  sandbox exec -u root keeper sh -c 'echo tool >/usr/local/bin/tool; echo data >/var/lib/data'  # not synced
  SANDBOX_TIMEOUT=$kPatience run -0 sandbox stop keeper
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

# The last command of a machine, which may end before it has answered.
sysrq() { sandbox exec -d -u root --privileged mortal sh -c "echo $1 >/proc/sysrq-trigger" || true; }

@test "a guest that panics: the panic is the reason, for the exec and in inspect" {
  is_there mortal || box mortal
  died mortal panic sysrq c
  says "Kernel panic" "$(inspect mortal .reason)"
  says "Kernel panic" "$(cat "$WORLD/attached.err")"
  says "Kernel panic" "$(sandbox logs --console mortal)"
  recovered mortal panic
}

@test "a guest that powers itself off has stopped, and says so" {
  is_there mortal || box mortal
  died mortal off sysrq o
  says "powered off" "$(inspect mortal .reason)"
  recovered mortal off
  sandbox rm mortal
}
