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
    # All 64 bits of a number: ctypes would pass the lower half of it.
    result = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
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

@test "sockets are of four families, whatever the bits that the kernel does not read" {
  local kind
  for kind in agent root privileged; do
    run -0 attempts $kind <<'PY'
high = (0, 1 << 32, 1 << 63, 0xffffffff00000000, 0x5555aaaa00000000)
opened = {call: {f for f in range(-1, 64) for h in high if libc.syscall(ctypes.c_long(call), ctypes.c_long((f & 0xffffffff) | h), ctypes.c_long(kind), ctypes.c_long(0), pair) >= 0}
          for pair in [(ctypes.c_int * 2)()] for call, kind in ((41, 2), (53, 2))}
print("socket", *sorted(opened[41]))
print("socketpair", *sorted(opened[53]))
for h in high:
    for kind in 1, 2, 3, 5: attempt("vsock-%x-%d" % (h, kind), 41, 40 | h, kind, 0)
    attempt("vsock-pair-%x" % h, 53, 40 | h, 1, 0, (ctypes.c_int * 2)())
    attempt("alg-%x" % h, 41, 38 | h, 5, 0)
PY
    says_not ALLOWED
    says vsock-5555aaaa00000000-5
    local packet=''
    [[ $kind != privileged ]] || packet=' 17'
    equal "${lines[0]}" "socket 1 2 10 16$packet"
    equal "${lines[1]}" "socketpair 1"
  done
}

@test "a lease on a shared file, which the host's open would wait for, is refused" {
  echo shared >"$(workspace_of box)/leased"
  for kind in agent root privileged; do
    run -0 attempts $kind <<PY
file = os.open("$(workspace_of box)/leased", os.O_RDONLY)
directory = os.open("$(workspace_of box)", os.O_RDONLY)
for high in 0, 1 << 32, 0xffffffff00000000:
    for lease in 0, 1: attempt("lease-%x-%d" % (high, lease), 72, file, 1024 | high, lease)
    attempt("notify-%x" % high, 72, directory, 1026 | high, 1)
    attempt("delegation-%x" % high, 72, directory, 1040 | high, (ctypes.c_uint64 * 2)())
PY
    says_not ALLOWED
    says delegation-ffffffff00000000
  done
}

@test "every other fcntl that programs use is there" {
  run -0 attempts agent <<PY
import fcntl
file = os.open("$(workspace_of box)/locked", os.O_RDWR | os.O_CREAT)
lock = (ctypes.c_uint64 * 4)()
ends = os.pipe()
seals = os.memfd_create("x", 2)
for name, fd, command, argument in (("DUPFD", file, 0, 10), ("GETFD", file, 1, 0), ("SETFD", file, 2, 1), ("GETFL", file, 3, 0),
    ("SETFL", file, 4, 0), ("GETLK", file, 5, lock), ("SETLK", file, 6, lock), ("SETLKW", file, 7, lock), ("SETOWN", ends[0], 8, os.getpid()),
    ("GETOWN", ends[0], 9, 0), ("SETSIG", ends[0], 10, 0), ("GETSIG", ends[0], 11, 0), ("GETOWN_EX", ends[0], 16, lock),
    ("OFD_GETLK", file, 36, (ctypes.c_uint64 * 4)()), ("OFD_SETLK", file, 37, (ctypes.c_uint64 * 4)()),
    ("OFD_SETLKW", file, 38, (ctypes.c_uint64 * 4)()), ("GETLEASE", file, 1025, 0), ("DUPFD_CLOEXEC", file, 1030, 10),
    ("SETPIPE_SZ", ends[0], 1031, 8192), ("GETPIPE_SZ", ends[0], 1032, 0), ("ADD_SEALS", seals, 1033, 8), ("GET_SEALS", seals, 1034, 0),
    ("GET_RW_HINT", file, 1035, lock), ("GET_FILE_RW_HINT", file, 1037, lock)):
    if libc.syscall(72, fd, command, argument) < 0 and ctypes.get_errno() in (errno.ENOSYS, errno.EPERM): print("REFUSED", name)
print("tried")
PY
  says tried
  says_not REFUSED
}

@test "plain root and agent can make no user namespace, and enter none" {
  for kind in agent root; do
    run -0 attempts $kind <<'PY'
attempt("unshare-user", 272, 0x10000000)
attempt("unshare-mount", 272, 0x00020000)
attempt("unshare-net", 272, 0x40000000)
attempt("clone-user", 56, 0x10000000 | 17, 0, 0, 0, 0)
for high in 1 << 32, 1 << 63, 0xffffffff00000000:
    attempt("unshare-user-%x" % high, 272, 0x10000000 | high)
    attempt("clone-user-%x" % high, 56, 0x10000000 | 17 | high, 0, 0, 0, 0)
    attempt("setns-%x" % high, 308, os.open("/proc/self/ns/user", os.O_RDONLY), 0x10000000 | high)
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
  run as_root sh -c 'for f in /proc/kcore /proc/keys /proc/timer_list /proc/kmsg /proc/sched_debug /proc/scsi /proc/interrupts /proc/softirqs /proc/fs /proc/zoneinfo \
      /proc/buddyinfo /proc/diskstats /proc/kallsyms /proc/swaps /sys/firmware /sys/kernel/security /sys/kernel/debug /sys/kernel/vmcoreinfo /sys/kernel/boot_params \
      /sys/kernel/notes /sys/kernel/btf /sys/devices/virtual/block; do
    test -e $f && { head -c 10 $f 2>/dev/null | grep -q . && echo TELLS $f; test -d $f && ls -A $f 2>/dev/null | grep -q . && echo TELLS $f; }; done; echo looked'
  says looked
  says_not TELLS
}

@test "mountinfo tells nothing of where on the host the state, the template and our programs are" {
  local who
  for who in as_agent as_root as_privileged; do
    run -0 $who cat /proc/self/mountinfo
    says /.sandbox-init
    says_not "$SANDBOXES_HOME"
    says_not .docker
    says_not template-cache
    says_not "$(basename "$(readlink -f "$SANDBOXES_HOME/templates")")"
    says_not "${SANDBOXD_BIN#/}"
    # What the user shares is at its own place, and nothing of the host's beside it.
    equal "$(grep -F "$WORLD" <<<"$output" | awk '{print $5}' | sort -u)" "$(workspace_of box)"
  done
}

@test "shim and gate have a control group with bounds of its own, beside the guest's" {
  local pid shim gate
  shim=$(shim_pid_of box)
  gate=$(gate_pid_of box)
  for pid in "$shim" "$gate"; do
    equal "$(group_of "$pid" pids)" "$(group_of "$shim" pids)"
    matches '/sandboxd/[^/]+-helpers$' "$(group_of "$pid" memory)"
  done
  run -0 sh -c "cat $(group_of "$shim" memory)/memory.limit_in_bytes $(group_of "$shim" memory)/memory.max 2>/dev/null || true"
  equal "$output" $((1 << 30))
  equal "$(cat "$(group_of "$shim" pids)/pids.max")" 1024
  run -0 cat "$(group_of "$(inspect box .pids.init)" pids)/cgroup.procs"
  says_not "$shim"
  matches '/sandboxd/[^/]+$' "$(group_of "$(inspect box .pids.init)" memory)"
  says_not -helpers "$(group_of "$(inspect box .pids.init)" memory)"
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

is_killed_or_refused() { ((status == 159)) || { matches "^$1 E" && ((status == 0)); }; }  # 159: by SIGSYS

@test "32-bit and x32 system calls are no way around it" {
  for number in 39 321; do
    run attempts root <<<"attempt('x32', 0x40000000 + $number, 0, None, 0)"
    is_killed_or_refused x32
  done
  for number in 41 53 519; do  # socket, socketpair; and one that only x32 has
    run attempts privileged <<<"attempt('x32', 0x40000000 + $number, 40, 1, 0, (ctypes.c_int * 2)())"
    is_killed_or_refused x32
  done
  for number in 41 425; do  # a longer number is the same call
    run -0 attempts privileged <<<"attempt('long', (1 << 32) + $number, 40, 1, 0)"
    is_killed_or_refused long
  done
}

@test "int 0x80, the system calls of another architecture, makes no socket either" {
  # socketcall(SYS_SOCKET), socket, socketpair, fcntl64, io_uring_setup; each with what is refused otherwise.
  for number in 102 359 360 221 425; do
    run attempts privileged <<PY
import mmap, struct
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
# push rbx; mov eax, number; mov ebx, 40; mov ecx, 1; mov edx, 0; int 0x80; pop rbx; ret
page.write(b"\x53\xb8" + struct.pack("<I", $number) + b"\xbb" + struct.pack("<I", 40) + b"\xb9\x01\0\0\0\xba\0\0\0\0\xcd\x80\x5b\xc3")
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print("running", flush=True)
result = call()
print("compat", "ALLOWED" if result >= 0 else errno.errorcode[-result])
PY
    says running
    says_not ALLOWED
    ((status == 159)) || says "compat E"
  done
}

@test "a tracer that changes a system call after it was made gets no other one" {
  run -0 attempts privileged <<'PY'
import signal, struct
class Registers(ctypes.Structure): _fields_ = [(n, ctypes.c_ulonglong) for n in "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs gs ds es fs_base gs_base".split()]
def ptrace(request, pid, data): return libc.ptrace(ctypes.c_long(request), ctypes.c_long(pid), None, data)
def traced(name, change):
    child = os.fork()
    if child == 0:
        libc.ptrace(ctypes.c_long(0), ctypes.c_long(0), None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0 if libc.syscall(ctypes.c_long(41), ctypes.c_long(1), ctypes.c_long(1), ctypes.c_long(0)) >= 0 else ctypes.get_errno())
    os.waitpid(child, 0)
    registers, changed = Registers(), False
    while True:
        ptrace(24, child, None)  # PTRACE_SYSCALL
        status = os.waitpid(child, 0)[1]
        if not os.WIFSTOPPED(status): break
        ptrace(12, child, ctypes.byref(registers))  # PTRACE_GETREGS
        if not changed and registers.orig_rax == 41:
            change(registers)
            ptrace(13, child, ctypes.byref(registers))  # PTRACE_SETREGS
            changed = True
    how = os.WEXITSTATUS(status) if os.WIFEXITED(status) else errno.ENOSYS
    print(name, "never changed" if not changed else "ALLOWED" if how == 0 else errno.errorcode[how])
def vsock(r): r.rdi = 40
def long_vsock(r): r.rdi = 40 | 1 << 32
def io_uring(r): r.orig_rax = 425
def nothing(r): pass
traced("vsock", vsock)
traced("long-vsock", long_vsock)
traced("io_uring", io_uring)
traced("control", nothing)
PY
  says "vsock ENOSYS"
  says "long-vsock ENOSYS"
  says "io_uring ENOSYS"
  says "control ALLOWED"
}

@test "vsock cannot be had by its device, nor be listed" {
  run -0 attempts privileged <<'PY'
import socket, struct
for path in "/dev/vsock", "/dev/vhost-vsock", "/dev/kvm": print(path, "THERE" if os.path.exists(path) else "absent")
try:
    os.mknod("/tmp/vsock", 0o600 | 0o020000, os.makedev(10, 121))
    print("mknod", "ALLOWED" if os.open("/tmp/vsock", os.O_RDWR) >= 0 else "")
except OSError as e: print("mknod", errno.errorcode[e.errno])
diag = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)
diag.settimeout(60)
# SOCK_DIAG_BY_FAMILY, dump, of AF_VSOCK in any state: the end of the list, or an error, and no socket.
diag.send(struct.pack("=IHHIIBBHIIIII", 16 + 24, 20, 0x301, 1, 0, 40, 0, 0, 0xffffffff, 0, 0, 0, 0))
kind = struct.unpack_from("=IH", diag.recv(65536))[1]
print("diag", {2: "error", 3: "none"}.get(kind, "LISTED"))
PY
  says "/dev/vhost-vsock absent"
  says diag
  says_not THERE
  says_not ALLOWED
  says_not LISTED
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
  bounds=$(find /sys/fs/cgroup -path "*/$(inspect box .id)/*" -name pids.max -exec cat {} +)
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
