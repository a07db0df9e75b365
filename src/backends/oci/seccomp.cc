// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/seccomp.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <vector>

namespace sbx::backends::oci {
namespace {

// Grouped by what they are for. Left out on purpose, because no build, editor or agent needs them and kernels were
// attacked through them: bpf, perf_event_open, userfaultfd, io_uring_*, add_key, keyctl, request_key, kexec_*,
// *_module, open_by_handle_at, kcmp, lookup_dcookie, nfsservctl, quotactl*, swapon, swapoff, acct, reboot, syslog,
// settimeofday, clock_settime, clock_adjtime, adjtimex, iopl, ioperm, modify_ldt, uselib, ustat, sysfs, vm86*,
// move_pages, mbind, set_mempolicy, migrate_pages, process_vm_writev, fanotify_init, vhangup, pidfd_getfd.
constexpr const char* kAllowedForAgents[] = {
    // files
    "access",
    "chdir",
    "chmod",
    "chown",
    "close",
    "close_range",
    "copy_file_range",
    "creat",
    "dup",
    "dup2",
    "dup3",
    "faccessat",
    "faccessat2",
    "fadvise64",
    "fallocate",
    "fchdir",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "fdatasync",
    "fgetxattr",
    "flistxattr",
    "flock",
    "fremovexattr",
    "fsetxattr",
    "fstat",
    "fstatfs",
    "fsync",
    "ftruncate",
    "futimesat",
    "getcwd",
    "getdents",
    "getdents64",
    "getxattr",
    "ioctl",
    "lchown",
    "lgetxattr",
    "link",
    "linkat",
    "listxattr",
    "llistxattr",
    "lremovexattr",
    "lseek",
    "lsetxattr",
    "lstat",
    "mkdir",
    "mkdirat",
    "mknod",
    "mknodat",
    "newfstatat",
    "open",
    "openat",
    "openat2",
    "pread64",
    "preadv",
    "preadv2",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "read",
    "readahead",
    "readlink",
    "readlinkat",
    "readv",
    "removexattr",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "sendfile",
    "setxattr",
    "splice",
    "stat",
    "statfs",
    "statx",
    "symlink",
    "symlinkat",
    "sync",
    "sync_file_range",
    "syncfs",
    "tee",
    "truncate",
    "umask",
    "unlink",
    "unlinkat",
    "utime",
    "utimensat",
    "utimes",
    "vmsplice",
    "write",
    "writev",
    "cachestat",
    "name_to_handle_at",
    // mounts, which still need CAP_SYS_ADMIN of the guest's user namespace
    "chroot",
    "fsconfig",
    "fsmount",
    "fsopen",
    "fspick",
    "mount",
    "mount_setattr",
    "move_mount",
    "open_tree",
    "pivot_root",
    "umount",
    "umount2",
    "setns",
    // waiting and notification
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "eventfd",
    "eventfd2",
    "inotify_add_watch",
    "inotify_init",
    "inotify_init1",
    "inotify_rm_watch",
    "poll",
    "ppoll",
    "pselect6",
    "select",
    "signalfd",
    "signalfd4",
    "timerfd_create",
    "timerfd_gettime",
    "timerfd_settime",
    "fanotify_mark",
    // memory
    "brk",
    "get_mempolicy",
    "madvise",
    "membarrier",
    "memfd_create",
    "memfd_secret",
    "mincore",
    "mlock",
    "mlock2",
    "mlockall",
    "mmap",
    "mprotect",
    "mremap",
    "mseal",
    "msync",
    "munlock",
    "munlockall",
    "munmap",
    "pkey_alloc",
    "pkey_free",
    "pkey_mprotect",
    "process_madvise",
    "process_mrelease",
    "remap_file_pages",
    "map_shadow_stack",
    // processes and threads
    "arch_prctl",
    "capget",
    "capset",
    "execve",
    "execveat",
    "exit",
    "exit_group",
    "fork",
    "futex",
    "futex_wait",
    "futex_waitv",
    "futex_wake",
    "futex_requeue",
    "get_robust_list",
    "get_thread_area",
    "getcpu",
    "getegid",
    "geteuid",
    "getgid",
    "getgroups",
    "getpgid",
    "getpgrp",
    "getpid",
    "getppid",
    "getpriority",
    "getresgid",
    "getresuid",
    "getrlimit",
    "getrusage",
    "getsid",
    "gettid",
    "getuid",
    "kill",
    "personality",
    "pidfd_open",
    "pidfd_send_signal",
    "prctl",
    "prlimit64",
    "process_vm_readv",
    "ptrace",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigqueueinfo",
    "rt_sigreturn",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "rt_tgsigqueueinfo",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "sched_getaffinity",
    "sched_getattr",
    "sched_getparam",
    "sched_getscheduler",
    "sched_rr_get_interval",
    "sched_setaffinity",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
    "sched_yield",
    "seccomp",
    "set_robust_list",
    "set_thread_area",
    "set_tid_address",
    "setfsgid",
    "setfsuid",
    "setgid",
    "setgroups",
    "setpgid",
    "setpriority",
    "setregid",
    "setresgid",
    "setresuid",
    "setreuid",
    "setrlimit",
    "setsid",
    "setuid",
    "sigaltstack",
    "tgkill",
    "times",
    "tkill",
    "vfork",
    "wait4",
    "waitid",
    "ioprio_get",
    "ioprio_set",
    "landlock_add_rule",
    "landlock_create_ruleset",
    "landlock_restrict_self",
    // time
    "alarm",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "getitimer",
    "gettimeofday",
    "nanosleep",
    "pause",
    "setitimer",
    "time",
    "timer_create",
    "timer_delete",
    "timer_getoverrun",
    "timer_gettime",
    "timer_settime",
    // sockets and System V
    "accept",
    "accept4",
    "bind",
    "connect",
    "getpeername",
    "getsockname",
    "getsockopt",
    "listen",
    "recvfrom",
    "recvmmsg",
    "recvmsg",
    "sendmmsg",
    "sendmsg",
    "sendto",
    "setsockopt",
    "shutdown",
    "mq_getsetattr",
    "mq_notify",
    "mq_open",
    "mq_timedreceive",
    "mq_timedsend",
    "mq_unlink",
    "msgctl",
    "msgget",
    "msgrcv",
    "msgsnd",
    "pipe",
    "pipe2",
    "semctl",
    "semget",
    "semop",
    "semtimedop",
    "shmat",
    "shmctl",
    "shmdt",
    "shmget",
    // asynchronous I/O of the old kind, which databases use
    "io_cancel",
    "io_destroy",
    "io_getevents",
    "io_pgetevents",
    "io_setup",
    "io_submit",
    // about the machine
    "getrandom",
    "sethostname",
    "setdomainname",
    "sysinfo",
    "uname",
};

// A value of an argument: (argument & mask) == value.
struct Masked {
  std::uint64_t mask;
  std::uint64_t value;
};

// A call that is allowed if one of its arguments has one of these values, and otherwise is not there.
//
// The kernel reads an `int` where a filter sees all 64 bits of the register, so that a comparison without a mask is one
// that the guest evades by setting a bit above. For the same reason these are lists of what is allowed: "anything but
// X" cannot be said with a mask.
struct Restricted {
  const char* name;
  unsigned argument;  // from 0
  std::vector<Masked> values;
};

constexpr std::uint64_t kInt = 0xffff'ffff;

constexpr Masked exactly(std::uint64_t value) { return {kInt, value}; }
// 2^bits values from this one on, which must be a multiple of as many.
constexpr Masked from(std::uint64_t first, unsigned bits) { return {kInt & ~((1ull << bits) - 1), first}; }
constexpr Masked without(std::uint64_t flags) { return {flags, 0}; }

// socket: nothing that reaches past the guest's own network namespace, as vsock does, which ends in a hypervisor below
// us, nor what few need and many attacked (AF_ALG, AF_KEY, AF_RDS, AF_TIPC, AF_CAN, AF_BLUETOOTH, ...). AF_PACKET is
// for CAP_NET_RAW, which only `exec --privileged` has. fcntl: not F_SETLEASE, which makes the host's open of a shared
// file wait for the guest (nor F_SETDELEG, the same for directories), and not F_NOTIFY, which inotify replaced. All
// others up to F_SET_FILE_RW_HINT.
const Restricted kRestricted[] = {
    {"clone", 0, {without(CLONE_NEWUSER)}},
    {"unshare", 0, {without(CLONE_NEWUSER)}},
    {"socket", 0, {exactly(AF_UNIX), exactly(AF_INET), exactly(AF_INET6), exactly(AF_NETLINK), exactly(AF_PACKET)}},
    {"socketpair", 0, {exactly(AF_UNIX), exactly(AF_INET), exactly(AF_INET6), exactly(AF_NETLINK)}},
    {"fcntl",
     1,
     {from(F_DUPFD, 4), from(16, 1), from(F_OFD_GETLK, 1), exactly(F_OFD_SETLKW), exactly(F_GETLEASE), exactly(1027),
      from(1028, 2), from(F_GETPIPE_SZ, 2), from(F_SET_RW_HINT, 1), exactly(F_SET_FILE_RW_HINT)}},
};

// The same, but what is refused says so: a program that gets EPERM for a namespace goes on without one.
struct Refused {
  const char* name;
  unsigned argument;
  Masked value;
  int error;
};

const Refused kRefused[] = {
    {"clone", 0, {CLONE_NEWUSER, CLONE_NEWUSER}, EPERM},
    {"unshare", 0, {CLONE_NEWUSER, CLONE_NEWUSER}, EPERM},
    {"fcntl", 1, exactly(F_SETLEASE), EINVAL},  // as on a file system that has no leases
    {"fcntl", 1, exactly(F_NOTIFY), EINVAL},
};

Json rule(Json names, const char* action) { return {{"names", std::move(names)}, {"action", action}}; }

Json rule_on(const char* name, const char* action, unsigned argument, const Masked& wanted) {
  Json json = rule(Json::array({name}), action);
  json["args"] = Json::array(
      {{{"index", argument}, {"value", wanted.mask}, {"valueTwo", wanted.value}, {"op", "SCMP_CMP_MASKED_EQ"}}});
  return json;
}

// Several rules for one call are alternatives.
void add_restricted(Json& rules) {
  for (const Restricted& call : kRestricted)
    for (const Masked& value : call.values) rules.push_back(rule_on(call.name, "SCMP_ACT_ALLOW", call.argument, value));
}

void add_refused(Json& rules) {
  for (const Refused& call : kRefused) {
    Json refused = rule_on(call.name, "SCMP_ACT_ERRNO", call.argument, call.value);
    refused["errnoRet"] = call.error;
    rules.push_back(std::move(refused));
  }
}

}  // namespace

Json seccomp_profile(const std::string& architecture) {
  Json names = Json::array();
  for (const char* name : kAllowedForAgents) names.push_back(name);
  Json rules = Json::array({rule(std::move(names), "SCMP_ACT_ALLOW")});
  add_restricted(rules);
  add_refused(rules);
  Json clone3 = rule(Json::array({"clone3"}), "SCMP_ACT_ERRNO");
  clone3["errnoRet"] = ENOSYS;  // its flags are behind a pointer; libc falls back to clone
  rules.push_back(std::move(clone3));
  return {{"defaultAction", "SCMP_ACT_ERRNO"},
          {"defaultErrnoRet", ENOSYS},
          {"architectures", Json::array({architecture})},
          {"syscalls", std::move(rules)}};
}

}  // namespace sbx::backends::oci
