// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
#include "backends/oci/seccomp.h"

#include <cerrno>
#include <sched.h>

namespace sbx::backends::oci {
namespace {

// Grouped by what they are for. Left out on purpose, because no build, editor or agent needs them and kernels were
// attacked through them: bpf, perf_event_open, userfaultfd, io_uring_*, add_key, keyctl, request_key, kexec_*,
// *_module, open_by_handle_at, kcmp, lookup_dcookie, nfsservctl, quotactl*, swapon, swapoff, acct, reboot, syslog,
// settimeofday, clock_settime, clock_adjtime, adjtimex, iopl, ioperm, modify_ldt, uselib, ustat, sysfs, vm86*,
// move_pages, mbind, set_mempolicy, migrate_pages, process_vm_writev, fanotify_init, vhangup, pidfd_getfd.
constexpr const char* kAllowed[] = {
    // files
    "access", "chdir", "chmod", "chown", "close", "close_range", "copy_file_range", "creat", "dup", "dup2", "dup3",
    "faccessat", "faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat", "fchmodat2", "fchown",
    "fchownat", "fcntl", "fdatasync", "fgetxattr", "flistxattr", "flock", "fremovexattr", "fsetxattr", "fstat",
    "fstatfs", "fsync", "ftruncate", "futimesat", "getcwd", "getdents", "getdents64", "getxattr", "ioctl", "lchown",
    "lgetxattr", "link", "linkat", "listxattr", "llistxattr", "lremovexattr", "lseek", "lsetxattr", "lstat", "mkdir",
    "mkdirat", "mknod", "mknodat", "newfstatat", "open", "openat", "openat2", "pread64", "preadv", "preadv2",
    "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink", "readlinkat", "readv", "removexattr", "rename",
    "renameat", "renameat2", "rmdir", "sendfile", "setxattr", "splice", "stat", "statfs", "statx", "symlink",
    "symlinkat", "sync", "sync_file_range", "syncfs", "tee", "truncate", "umask", "unlink", "unlinkat", "utime",
    "utimensat", "utimes", "vmsplice", "write", "writev", "cachestat", "name_to_handle_at",
    // mounts, which still need CAP_SYS_ADMIN of the guest's user namespace
    "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount", "open_tree",
    "pivot_root", "umount", "umount2", "setns",
    // waiting and notification
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd", "eventfd2",
    "inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "poll", "ppoll", "pselect6", "select",
    "signalfd", "signalfd4", "timerfd_create", "timerfd_gettime", "timerfd_settime", "fanotify_mark",
    // memory
    "brk", "get_mempolicy", "madvise", "membarrier", "memfd_create", "memfd_secret", "mincore", "mlock", "mlock2",
    "mlockall", "mmap", "mprotect", "mremap", "mseal", "msync", "munlock", "munlockall", "munmap", "pkey_alloc",
    "pkey_free", "pkey_mprotect", "process_madvise", "process_mrelease", "remap_file_pages", "map_shadow_stack",
    // processes and threads
    "arch_prctl", "capget", "capset", "execve", "execveat", "exit", "exit_group", "fork", "futex", "futex_wait",
    "futex_waitv", "futex_wake", "futex_requeue", "get_robust_list", "get_thread_area", "getcpu", "getegid",
    "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getresgid",
    "getresuid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "kill", "personality", "pidfd_open",
    "pidfd_send_signal", "prctl", "prlimit64", "process_vm_readv", "ptrace", "restart_syscall", "rseq",
    "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend",
    "rt_sigtimedwait", "rt_tgsigqueueinfo", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity",
    "sched_getattr", "sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity",
    "sched_setattr", "sched_setparam", "sched_setscheduler", "sched_yield", "seccomp", "set_robust_list",
    "set_thread_area", "set_tid_address", "setfsgid", "setfsuid", "setgid", "setgroups", "setpgid", "setpriority",
    "setregid", "setresgid", "setresuid", "setreuid", "setrlimit", "setsid", "setuid", "sigaltstack", "tgkill",
    "times", "tkill", "vfork", "wait4", "waitid", "ioprio_get", "ioprio_set",
    "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self",
    // time
    "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep", "pause",
    "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime",
    // sockets and System V
    "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen", "recvfrom",
    "recvmmsg", "recvmsg", "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown", "socketpair", "mq_getsetattr",
    "mq_notify", "mq_open", "mq_timedreceive", "mq_timedsend", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd",
    "pipe", "pipe2", "semctl", "semget", "semop", "semtimedop", "shmat", "shmctl", "shmdt", "shmget",
    // asynchronous I/O of the old kind, which databases use
    "io_cancel", "io_destroy", "io_getevents", "io_pgetevents", "io_setup", "io_submit",
    // about the machine
    "getrandom", "sethostname", "setdomainname", "sysinfo", "uname",
};

Json rule(Json names, const char* action) { return {{"names", std::move(names)}, {"action", action}}; }

// Allows the call when (argument & mask) == 0.
Json without_flag(const char* name, unsigned argument, std::uint64_t mask) {
  Json allowed = rule(Json::array({name}), "SCMP_ACT_ALLOW");
  allowed["args"] = Json::array(
      {{{"index", argument}, {"value", mask}, {"valueTwo", 0}, {"op", "SCMP_CMP_MASKED_EQ"}}});
  return allowed;
}

Json with_flag_refused(const char* name, unsigned argument, std::uint64_t mask) {
  Json refused = rule(Json::array({name}), "SCMP_ACT_ERRNO");
  refused["errnoRet"] = EPERM;
  refused["args"] = Json::array(
      {{{"index", argument}, {"value", mask}, {"valueTwo", mask}, {"op", "SCMP_CMP_MASKED_EQ"}}});
  return refused;
}

// A raw or packet socket has nowhere to go, and vsock would reach a hypervisor below us: AF_VSOCK is refused.
Json socket_without_vsock() {
  constexpr std::uint64_t kVsock = 40;
  Json allowed = rule(Json::array({"socket"}), "SCMP_ACT_ALLOW");
  allowed["args"] = Json::array({{{"index", 0}, {"value", kVsock}, {"op", "SCMP_CMP_NE"}}});
  return allowed;
}

}  // namespace

Json seccomp_profile(const std::string& architecture) {
  Json names = Json::array();
  for (const char* name : kAllowed) names.push_back(name);
  Json clone3 = rule(Json::array({"clone3"}), "SCMP_ACT_ERRNO");
  clone3["errnoRet"] = ENOSYS;  // its flags are behind a pointer; libc falls back to clone
  return {{"defaultAction", "SCMP_ACT_ERRNO"},
          {"defaultErrnoRet", ENOSYS},
          {"architectures", Json::array({architecture})},
          {"syscalls", Json::array({rule(std::move(names), "SCMP_ACT_ALLOW"), without_flag("clone", 0, CLONE_NEWUSER),
                                    with_flag_refused("clone", 0, CLONE_NEWUSER),
                                    without_flag("unshare", 0, CLONE_NEWUSER),
                                    with_flag_refused("unshare", 0, CLONE_NEWUSER), socket_without_vsock(),
                                    std::move(clone3)})}};
}

}  // namespace sbx::backends::oci
