#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: code in the guest, also as its root, wants to see, signal or become a process of the host's, or to use the
# kernel against it.

load ../e2e/world

setup_file() {
  world_up
  box box
}

as_agent() { sandbox exec box "$@"; }
as_root() { sandbox exec -u root box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }

# attempts KIND: python for the guest from standard input; each attempt prints its name and how it ended.
attempts() {
  local who=(-u root)
  [[ $1 == privileged ]] && who+=(--privileged)
  [[ $1 == agent ]] && who=()
  { cat <<'PY'; cat; } | sandbox exec -i "${who[@]}" box python3 -
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *arguments):
    result = libc.syscall(*arguments)
    print(name, "ALLOWED" if result >= 0 else errno.errorcode[ctypes.get_errno()])
PY
}

@test "only the guest's own processes are to be seen" {
  run -0 as_root sh -c 'ls -d /proc/[0-9]* | wc -l'
  ((output < 15))
  run -0 as_privileged sh -c 'cat /proc/[0-9]*/comm'
  says_not sandboxd
  says_not sandbox-shim
  says_not bats
}

@test "a process of the host's cannot be signalled" {
  sleep 1000 3>&- &
  local pid=$!
  as_root sh -c "kill -9 $pid; kill -9 $(daemon_pid); kill -9 $(inspect box .pids.shim)" || true
  # Never where it would be the host's: the guest's processes are numbered on their own, or nothing is killed.
  run as_privileged sh -c "test \$(readlink /proc/self/ns/pid) != '$(readlink /proc/self/ns/pid)' && kill -9 -1"
  kill -0 "$pid"
  kill -0 "$(daemon_pid)"
  kill "$pid"
}

@test "PID 1 cannot be killed, stopped or traced from inside" {
  local init
  init=$(inspect box .pids.init)
  for who in as_agent as_root as_privileged; do
    run $who sh -c 'kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1; echo tried'
    says tried
  done
  run -0 as_agent echo alive
  equal "$(inspect box .pids.init)" "$init"
  for kind in agent root; do
    run -0 attempts $kind <<'PY'
attempt("ptrace-attach", 101, 16, 1, 0, 0)
attempt("ptrace-seize", 101, 0x4206, 1, 0, 0)
class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(16)
attempt("process_vm_readv", 310, 1, ctypes.byref(Vector(ctypes.addressof(buffer), 16)), 1, ctypes.byref(Vector(0x400000, 16)), 1, 0)
attempt("pidfd_getfd", 438, libc.syscall(434, 1, 0), 3, 0)
PY
    says_not ALLOWED
    says ptrace-seize
  done
}

@test "init's environment, memory, descriptors and program are out of reach of plain root and agent" {
  for who in as_agent as_root; do
    run $who sh -c 'cat /proc/1/environ >/dev/null && echo GOT environ; ls -l /proc/1/fd 2>/dev/null | grep -q socket && echo GOT fds
      head -c 1 /proc/1/mem >/dev/null && echo GOT mem; cat /proc/1/maps 2>/dev/null | grep -q . && echo GOT maps
      (: >/proc/1/fd/3) 2>/dev/null && echo GOT channel; echo looked'
    says looked
    says_not GOT
  done
}

@test "dangerous system calls are not there, for --privileged neither" {
  for kind in root privileged; do
    run -0 attempts $kind <<'PY'
buffer = ctypes.create_string_buffer(4096)
attempt("bpf", 321, 0, buffer, 128)
attempt("perf_event_open", 298, buffer, 0, -1, -1, 0)
attempt("keyctl", 250, 0, -3, 1)
attempt("add_key", 248, b"user", b"x", b"y", 1, -3)
attempt("request_key", 249, b"user", b"x", None, -3)
attempt("kexec_load", 246, 0, 0, 0, 0)
attempt("kexec_file_load", 320, 0, 0, 0, b"", 0)
attempt("init_module", 175, buffer, 4096, b"")
attempt("finit_module", 313, 0, b"", 0)
attempt("delete_module", 176, b"x", 0)
attempt("reboot", 169, 0xfee1dead, 0x28121969, 0, 0)
attempt("swapon", 167, b"/tmp/x", 0)
attempt("userfaultfd", 323, 0)
attempt("io_uring_setup", 425, 1, buffer)
attempt("iopl", 172, 3)
attempt("ioperm", 173, 0, 1, 1)
attempt("settimeofday", 164, buffer, None)
attempt("clock_settime", 227, 0, buffer)
attempt("syslog", 103, 3, buffer, 4096)
attempt("acct", 163, b"/tmp/acct")
attempt("quotactl", 179, 0, None, 0, buffer)
attempt("nfsservctl", 180, 0, None, None)
attempt("lookup_dcookie", 212, 0, buffer, 4096)
attempt("fanotify_init", 300, 0, 0)
attempt("move_pages", 279, 1, 0, None, None, None, 0)
PY
    says_not ALLOWED
    says move_pages
  done
}

@test "plain root and agent can make no user namespace, and enter none" {
  for kind in agent root; do
    run -0 attempts $kind <<'PY'
attempt("unshare-user", 272, 0x10000000)
attempt("unshare-mount", 272, 0x00020000)
attempt("unshare-net", 272, 0x40000000)
attempt("clone-user", 56, 0x10000000 | 17, 0, 0, 0, 0)
args = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
attempt("clone3-user", 435, args, 88)
attempt("setns", 308, os.open("/proc/self/ns/user", os.O_RDONLY), 0)
PY
    says_not ALLOWED
    says setns
  done
}

@test "/proc/sys, sysrq, core_pattern and the like cannot be written, for --privileged neither" {
  local core_pattern
  core_pattern=$(cat /proc/sys/kernel/core_pattern)
  for who in as_agent as_root as_privileged; do
    run $who sh -c '
      umount /proc/sys 2>/dev/null; mount -o remount,rw /proc/sys 2>/dev/null; mkdir -p /tmp/p; mount -t proc proc /tmp/p 2>/dev/null
      for base in /proc /tmp/p; do for f in sys/kernel/core_pattern sys/kernel/modprobe sys/vm/overcommit_memory sys/fs/binfmt_misc/register sys/kernel/hotplug sysrq-trigger sys/kernel/randomize_va_space; do
        test -e $base/$f && (echo 1 >$base/$f) 2>/dev/null && echo WROTE $f; done; done; umount /tmp/p 2>/dev/null; echo tried'
    says tried
    says_not WROTE
  done
  equal "$(cat /proc/sys/kernel/core_pattern)" "$core_pattern"
  sandbox stop box
  sandbox start box
}

@test "what /proc and /sys tell about the host is masked" {
  run as_root sh -c 'for f in /proc/kcore /proc/keys /proc/timer_list /proc/kmsg /proc/sched_debug /proc/scsi /sys/firmware /sys/kernel/security /sys/kernel/debug; do
    test -e $f && { head -c 10 $f 2>/dev/null | grep -q . && echo TELLS $f; test -d $f && ls -A $f 2>/dev/null | grep -q . && echo TELLS $f; }; done; echo looked'
  says looked
  says_not TELLS
}

@test "control groups cannot be used to run something on the host" {
  for who in as_root as_privileged; do
    run $who sh -c '
      mkdir -p /tmp/cg; mount -t cgroup -o rdma cgroup /tmp/cg 2>/dev/null && echo MOUNTED rdma
      mount -o remount,rw /sys/fs/cgroup/memory 2>/dev/null
      for f in $(find /sys/fs/cgroup /tmp/cg -name release_agent -o -name notify_on_release -o -name devices.allow -o -name cgroup.procs 2>/dev/null); do
        (echo 1 >$f) 2>/dev/null && echo WROTE $f; done
      find /sys/fs/cgroup -name release_agent 2>/dev/null | sed "s/^/SEES /"; echo tried'
    says tried
    says_not WROTE
    says_not SEES
  done
}

@test "root has the documented capabilities and no others, agent none" {
  # CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE SYS_CHROOT MKNOD
  # AUDIT_WRITE SETFCAP: what sudo, package managers and ordinary servers need.
  local expected=0 bit
  for bit in 0 1 2 3 4 5 6 7 8 10 18 27 29 31; do expected=$((expected | 1 << bit)); done
  run -0 as_root sh -c "grep -E '^Cap(Prm|Eff|Bnd)' /proc/self/status | cut -f2 | sort -u"
  equal "$((16#$output))" "$expected"
  run -0 as_agent sh -c "grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u"
  equal "$output" 0000000000000000
  run -0 as_agent sudo -n sh -c "grep -E '^CapEff' /proc/self/status | cut -f2"
  equal "$((16#$output))" "$expected"
}

@test "the guest's root is nobody on the host" {
  sandbox exec -d -u root box sleep 7000
  eventually host_sees_sleep
  equal "$(awk '/^Uid/ {print ($2 >= 65536)}' "/proc/$(pgrep -f '^sleep 7000$' | head -n 1)/status")" 1
  as_root pkill -f 'sleep 7000'
}
host_sees_sleep() { pgrep -f '^sleep 7000$' >/dev/null; }

@test "every process in the guest is under seccomp" {
  for who in as_agent as_root as_privileged; do
    run -0 $who grep '^Seccomp:' /proc/self/status
    equal "${output//[^0-9]/}" 2
  done
}

@test "32-bit and x32 system calls are no way around it" {
  for number in 39 321; do
    run attempts root <<<"attempt('x32', 0x40000000 + $number, 0, None, 0)"
    ((status == 159)) || { matches '^x32 E' && ((status == 0)); }  # killed by SIGSYS, or refused
  done
}

@test "terminal injection (TIOCSTI) into a terminal that the guest shares with nobody" {
  run -0 sandbox exec -i box python3 - <<'PY'
import fcntl, os, termios
try:
    fcntl.ioctl(0, termios.TIOCSTI, b"x")
    print("ALLOWED")
except OSError as e:
    print("refused", e.errno)
PY
  says refused
}

@test "a fork bomb in a sandbox without limits of its own is bounded" {
  local bounds
  bounds=$(find /sys/fs/cgroup -path "*$(inspect box .id)*" -name pids.max -exec cat {} +)
  matches '^[0-9]+$' "$bounds"
}

@test "one sandbox sees nothing of another" {
  box other
  sandbox exec -d other sleep 8000
  run -0 as_privileged sh -c 'cat /proc/[0-9]*/cmdline | tr "\0" " "'
  says_not "sleep 8000"
  run ! as_root ls "$(workspace_of other)"
  local one two
  for kind in pid mnt net ipc uts user cgroup; do
    one=$(readlink "/proc/$(inspect box .pids.init)/ns/$kind")
    two=$(readlink "/proc/$(inspect other .pids.init)/ns/$kind")
    [[ $one != "$two" && $one != "$(readlink /proc/self/ns/$kind)" ]] || fail "$kind is shared"
  done
  [[ $(awk '{print $2}' "/proc/$(inspect box .pids.init)/uid_map" | head -n 1) != $(awk '{print $2}' "/proc/$(inspect other .pids.init)/uid_map" | head -n 1) ]]
}

@test "shared memory, semaphores and message queues of the host's are not to be seen" {
  local key
  key=$(ipcmk -M 100 | grep -oE '[0-9]+$')
  run -0 as_root sh -c 'cat /proc/sysvipc/shm | wc -l'
  ipcrm -m "$key"
  equal "$output" 1
}
