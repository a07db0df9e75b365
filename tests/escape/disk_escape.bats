#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A guest that wants the host's disk: it fills its own and no more, whatever way it writes, and finds no way to the image,
# the device or the quota that hold it.

load ../e2e/world

setup_file() {
  world_up
  box greedy --disk 64m
  box neighbour
}

state_of() { echo "$SANDBOXES_HOME/vm/$1"; }
# In KiB, all that the sandbox makes the host store: its files, its logs, its records.
held() { du -sk "$(state_of greedy)" | cut -f1; }
# What must hold after each attack.
others_go_on() {
  (($(held) < 120 << 10)) || fail "the host stores $(held) KiB for it"
  equal "$(sandbox exec neighbour sh -c 'head -c 10000000 /dev/zero >~/file && rm ~/file && echo fine')" fine
  run -0 sandbox exec -u root greedy sh -c 'rm -rf /big* /var/tmp/* && echo alive'
  equal "$output" alive
}

as_root() { sandbox exec -u root greedy "$@"; }

@test "bytes: as one file, as root, with every call that makes room" {
  run as_root python3 -c '
import os
for name, make in {"write": lambda fd: [os.write(fd, b"x" * (1 << 20)) for _ in range(1024)],
                   "fallocate": lambda fd: os.posix_fallocate(fd, 0, 1 << 30),
                   "sparse": lambda fd: [os.pwrite(fd, b"x" * 4096, i << 21) for i in range(1 << 20)]}.items():
    fd = os.open("/big-" + name, os.O_RDWR | os.O_CREAT)
    try:
        make(fd); print(name, "NO BOUND")
    except OSError as e: print(name, e.strerror)
    os.close(fd); os.unlink("/big-" + name)'
  says_not "NO BOUND"
  equal "$(grep -cE '(No space left|Disk quota exceeded)' <<<"$output")" 3
  others_go_on
}

@test "bytes: deleted files that stay open count, and are free when they are closed" {
  run as_root python3 -c '
import os
fds = []
try:
    for i in range(1024):
        fd = os.open("/big-open", os.O_RDWR | os.O_CREAT | os.O_EXCL); os.unlink("/big-open"); fds.append(fd)
        os.write(fd, b"x" * (1 << 20)); os.fsync(fd)
    print("NO BOUND")
except OSError as e: print(e.strerror)
try:
    for i in range(1024):
        fd = os.open("/var/tmp", os.O_RDWR | os.O_TMPFILE); fds.append(fd); os.write(fd, b"x" * (1 << 20)); os.fsync(fd)
    print("NO BOUND")
except OSError as e: print(e.strerror)'
  says_not "NO BOUND"
  others_go_on
}

@test "files: empty ones, directories, links and attributes are bounded" {
  run as_root python3 -c '
import os
os.mkdir("/big"); os.chdir("/big")
ways = {"empty": lambda i: os.close(os.open(f"e{i}", os.O_CREAT | os.O_WRONLY)),
        "directory": lambda i: os.mkdir(f"d{i}"), "symbolic": lambda i: os.symlink("x" * 4000, f"s{i}"),
        "attribute": lambda i: (os.close(os.open(f"a{i}", os.O_CREAT | os.O_WRONLY)), os.setxattr(f"a{i}", "user.x", bytes([i % 251]) * 900))}
for name, way in ways.items():
    try:
        for i in range(1000000): way(i)
        print(name, "NO BOUND")
    except OSError as e: print(name, e.strerror, i > 100)
    os.system("find . -mindepth 1 -delete")'
  says_not "NO BOUND"
  equal "$(grep -cE '(No space left on device|Disk quota exceeded) True$' <<<"$output")" 4
  others_go_on
}

@test "no name leads from the workspace to the disk without being counted there" {
  echo host >"$(workspace_of greedy)/file"
  run as_root python3 -c '
import os
ws = os.environ["WORKSPACE_DIR"]
open("/own", "w").close()
for what in (lambda: os.rename(ws + "/file", "/moved"), lambda: os.link(ws + "/file", "/linked"),
             lambda: os.rename("/own", ws + "/own"), lambda: os.link("/own", ws + "/own")):
    try: what(); print("DONE")
    except OSError as e: print(e.strerror)'
  says_not DONE
  equal "$(ls "$(workspace_of greedy)")" file
}

@test "the project of a file, its flags and its quota are not the guest's to change" {
  run sandbox exec -u root --privileged greedy python3 -c '
import ctypes, fcntl, os, struct
GET, SET, SETFLAGS, PROJINHERIT = 0x801c581f, 0x401c5820, 0x40086602, 0x20000000
fd = os.open("/home/agent", os.O_RDONLY)
attributes = bytearray(28)
try: fcntl.ioctl(fd, GET, attributes)
except OSError as e: print("get:", e.strerror)
for change in ({12: 0xffffff}, {12: 1}, {0: 0x200}):
    wanted = bytearray(attributes)
    for offset, value in change.items():
        struct.pack_into("I", wanted, offset, struct.unpack_from("I", wanted, offset)[0] ^ value)
    try: fcntl.ioctl(fd, SET, wanted); print("CHANGED", change)
    except OSError as e: print(e.strerror)
try: fcntl.ioctl(fd, SETFLAGS, struct.pack("l", PROJINHERIT)); print("CHANGED flags")
except OSError as e: print(e.strerror)
libc = ctypes.CDLL(None, use_errno=True)
block = (ctypes.c_char * 128)()
for number in (179, 443):  # quotactl, quotactl_fd
    for kind in (0, 1, 2):
        first = fd if number == 443 else 0
        if libc.syscall(number, first if number == 443 else (0x800008 << 8 | kind), (0x800008 << 8 | kind) if number == 443 else b"/dev/loop0", 0, block) == 0:
            print("CHANGED quota")'
  says_not CHANGED
}

@test "there is no device, image or mount of the layer to be found" {
  run sandbox exec -u root --privileged greedy sh -c '
    find / -xdev \( -name "loop*" -path "/dev/*" -o -name disk.raw \) 2>/dev/null
    for i in 0 1 2 3 4 5 6 7; do mknod /tmp/loop$i b 7 $i 2>/dev/null && head -c 1024 /tmp/loop$i >/dev/null 2>&1 && echo READ $i; done
    test -e /dev/loop-control && echo CONTROL
    mkdir -p /tmp/m; for d in /dev/loop0 /tmp/loop0; do mount -t ext4 $d /tmp/m 2>/dev/null && echo MOUNTED; done
    grep -E "/disk(\.raw)?[ /]" /proc/self/mountinfo | grep -v overlay; true'
  says_not READ
  says_not CONTROL
  says_not MOUNTED
  says_not disk.raw
}

@test "remounting, freezing, trimming and growing what holds it is refused" {
  run sandbox exec -u root --privileged greedy python3 -c '
import fcntl, os, struct
fd = os.open("/home/agent", os.O_RDONLY)
for name, call in {"FIFREEZE": 0xc0045877, "EXT4_IOC_RESIZE_FS": 0x40086610, "EXT4_IOC_SHUTDOWN": 0x8004587d}.items():
    try: fcntl.ioctl(fd, call, struct.pack("Q", 1 << 40)); print("DONE", name)
    except OSError as e: print(name, e.strerror)'
  says_not DONE
  run -0 sandbox exec greedy sh -c 'echo x >~/still && cat ~/still'
  equal "$output" x
}

@test "a full disk and a flood of output at once: logs are bounded, too" {
  sandbox exec -d greedy sh -c 'head -c 300000000 /dev/zero; cat /dev/zero >/home/agent/big' || true
  run as_root sh -c 'head -c 300000000 /dev/zero >/big-root'
  sandbox exec greedy true
  (($(stat -c %s "$(state_of greedy)/output.log") <= 20 << 20))
  others_go_on
}
