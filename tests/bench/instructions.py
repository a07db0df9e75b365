# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""How many instructions a machine executes from its start until all modules of its kit are loaded.

A plugin of QEMU's counts them. Neighbours on the host change that by a few in a thousand; they change times by half."""

import re
import subprocess

from boot import Floor, LONGEST_BOOT, cpio
from report import run

# Declares as much of the API of plugins (version 1, since QEMU 6) as it uses, because Debian installs no header for it.
PLUGIN = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
struct qemu_plugin_tb;
typedef uint64_t Id;
void qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
int qemu_plugin_version = 1;
static uint64_t executed;
static void translated(Id id, struct qemu_plugin_tb *block) {
  qemu_plugin_register_vcpu_tb_exec_inline(block, 0 /* add */, &executed, qemu_plugin_tb_n_insns(block));
}
static void end(Id id, void *data) { fprintf(stderr, "executed %llu\n", (unsigned long long)executed); }
int qemu_plugin_install(Id id, const void *info, int argc, char **argv) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, end, NULL);
  return 0;
}
"""

# In the place of sandbox-init, which would wait for a host.
INIT = r"""
#include <dirent.h>
#include <fcntl.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>
static void load_all(const char *directory) {
  struct dirent **entries;
  int count = chdir(directory) == 0 ? scandir(".", &entries, NULL, alphasort) : 0;
  for (int i = 0; i < count; ++i) {
    if (entries[i]->d_name[0] == '.') continue;
    if (syscall(SYS_finit_module, open(entries[i]->d_name, O_RDONLY), "", 0) != 0) write(1, "failed\n", 7);
  }
}
int main(void) {
  load_all("/modules");
  load_all("/network-modules");
  write(1, "hello\n", 6);
  return reboot(RB_AUTOBOOT);
}
"""


class Counter:
    def __init__(self, work, argv):
        self.work, self.argv = work, argv
        for name, source, options in (("count.so", PLUGIN, ["-shared", "-fPIC"]), ("load", INIT, ["-static", "-s"])):
            (work / f"{name}.c").write_text(source)
            run(["cc", "-O2", "-w", *options, "-o", work / name, work / f"{name}.c"])

    def millions(self, kit):
        """Of a kit's directory. A kernel takes several archives, one after the other; the last /init is the one it runs."""
        initramfs = self.work / "counted.cpio"
        theirs = (kit / "initramfs").read_bytes()
        init = cpio([("init", 0o100755, (self.work / "load").read_bytes(), (0, 0))])
        initramfs.write_bytes(theirs + b"\0" * (-len(theirs) % 4) + init)
        argv = [*Floor(self.argv, kit / "kernel", initramfs).argv, "-chardev", "stdio,id=console",
                "-plugin", f"file={self.work / 'count.so'}"]
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=LONGEST_BOOT, check=False)
        count = re.search(r"^executed (\d+)$", done.stderr, re.MULTILINE)
        if not count or "hello" not in done.stdout or "failed" in done.stdout:
            raise RuntimeError(f"no count: {done.stdout[-1000:]} {done.stderr[-1000:]}")
        return int(count[1]) / 1e6
