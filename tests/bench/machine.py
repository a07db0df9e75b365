# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A running microVM, seen from the host: how QEMU was started, and what its processes hold."""

import os
import pathlib
import shutil

# What the floor has no use for: they name descriptors that only the shim has.
OF_ONE_SANDBOX = ("-add-fd", "-blockdev", "-chardev")
DEVICES = ("virtio-blk-device", "virtio-serial-device", "virtserialport", "vhost-user-fs-device")


def private_kib(pid):
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def own_kib(pid):
    """Private memory without the guest's, which is a file in memory that QEMU has mapped."""
    total, guests = 0, False
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        key, *values = line.split()
        if not key.endswith(":"):
            guests = line.endswith("/memory/guest")
        elif key.startswith("Private_") and not guests:
            total += int(values[0])
    return total


def children(pid):
    for entry in pathlib.Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split() if entry.name.isdigit() else []
        except OSError:
            continue
        if fields and int(fields[1]) == pid:
            yield int(entry.name)


class Machine:
    def __init__(self, inspected):
        self.shim = inspected["pids"]["shim"]
        self.qemu = inspected["pids"]["init"]

    def argv(self):
        return pathlib.Path(f"/proc/{self.qemu}/cmdline").read_text().split("\0")[:-1]

    def processor_ms(self):
        """What QEMU has had of the processors so far."""
        tasks = pathlib.Path(f"/proc/{self.qemu}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def kernel(self, to):
        """The image that it booted, taken out of its jail."""
        shutil.copyfile(f"/proc/{self.qemu}/root/kernel", to)
        return to

    def processes(self):
        """Name → pid: the shim, and its children, of which the one with its own name is the warden."""
        found = {"shim": self.shim}
        for pid in children(self.shim):
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            found[{"sandbox-shim": "warden"}.get(name, name)] = pid
        return found

    def touched_mib(self):
        """The guest's memory that the host had to provide."""
        for entry in pathlib.Path(f"/proc/{self.qemu}/fd").iterdir():
            if os.readlink(entry) == "/memory/guest":
                return entry.stat().st_blocks * 512 / 2**20
        raise RuntimeError("QEMU has no memory")


def without_sandbox(argv):
    """The same machine, processors, memory, and kernel, with no more than a console."""
    kept = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-") or word in ("-nodefaults", "-no-user-config", "-no-reboot"):
            kept.append(word)
            continue
        value = next(words)
        if word not in OF_ONE_SANDBOX and not (word == "-device" and value.split(",")[0] in DEVICES):
            kept += [word, value]
    return kept
