# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The start of a microVM beside the least that could be: QEMU with the same options and the same kernel, and an init that
says hello.

The floor is the kernel as its package has it. That we start it uncompressed is ours, and the floor of that is beside it."""

import pathlib
import socket
import subprocess
import time

from machine import Machine, without_sandbox
from report import interleaved, run

HELLO = r"""
#include <sys/reboot.h>
#include <unistd.h>
int main(void) { return write(1, "hello\n", 6) == 6 ? reboot(RB_AUTOBOOT) : 1; }
"""
LONGEST_BOOT = 60  # seconds


def cpio(entries):
    """An archive of (path, mode, content, device) in the form that a kernel unpacks."""
    archive = b""
    for inode, (path, mode, content, device) in enumerate([*entries, ("TRAILER!!!", 0, b"", (0, 0))], 1):
        name = path.encode() + b"\0"
        fields = (inode, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name), 0)
        for part in (b"070701" + b"".join(b"%08x" % field for field in fields) + name, content):
            archive += part
            archive += b"\0" * (-len(archive) % 4)
    return archive


def hello_initramfs(work):
    (work / "hello.c").write_text(HELLO)
    run(["cc", "-static", "-O2", "-s", "-o", work / "hello", work / "hello.c"])
    path = work / "hello.cpio"
    path.write_bytes(cpio([("dev", 0o40755, b"", (0, 0)), ("dev/console", 0o20600, b"", (5, 1)),
                           ("init", 0o100755, (work / "hello").read_bytes(), (0, 0))]))
    return path


class Floor:
    def __init__(self, argv, kernel, initramfs):
        self.argv = without_sandbox(argv)
        self.put("-kernel", str(kernel))
        self.put("-initrd", str(initramfs))
        # Memory of QEMU's own: ours is a file in the jail that the shim has filled in part.
        memory = self.argv[self.argv.index("-object") + 1].replace("memory-backend-file", "memory-backend-memfd")
        self.put("-object", ",".join(word for word in memory.split(",") if not word.startswith("mem-path=")))
        self.put("-append", self.argv[self.argv.index("-append") + 1].removesuffix(" -- --boot"))

    def put(self, option, value):
        self.argv[self.argv.index(option) + 1] = value

    def time(self):
        """From exec of QEMU to the hello."""
        ours, theirs = socket.socketpair()
        ours.settimeout(LONGEST_BOOT)
        console = ["-chardev", f"socket,id=console,fd={theirs.fileno()}"]
        begin = time.perf_counter()
        with ours, subprocess.Popen(self.argv + console, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL) as qemu:
            theirs.close()
            said = b""
            while b"hello" not in said:
                more = ours.recv(4096)
                if not more:
                    raise RuntimeError("no hello from the floor's guest: " + said.decode(errors="replace")[-2000:])
                said += more
            elapsed = (time.perf_counter() - begin) * 1000
            qemu.kill()
        return elapsed


def packaged_kernel(world):
    release = next((world.ours.home / "cache/kernels").glob("*/kernel")).parent.name.rpartition("-")[0]
    places = [pathlib.Path(root) / f"boot/vmlinuz-{release}" for root in ("/", "/usr/local/lib/sandboxd/kernel")]
    return next(place for place in places if place.exists())


class Starts:
    """Ours, and what inspect says about each."""

    def __init__(self, ours):
        self.ours = ours
        self.laps = {}

    def note(self, name, created, executed):
        laps = {what: us / 1000 for what, us in self.ours.inspect(name)["timings"].items()}
        # QEMU, the firmware, and what the kernel does before it has a clock; and the way of the guest's answer.
        laps["guest, but not its uptime"] = laps["guest"] - laps["guest_uptime"]
        laps["sandbox create"] = created
        laps["sandbox exec, but not the start"] = executed - laps["total"]
        for what, ms in laps.items():
            self.laps.setdefault(what, []).append(ms)

    def create(self, number):
        name = f"boot{number}"
        directory = self.ours.directory(name)
        created = self.ours.time(*self.ours.creation(name, "microvm", directory))
        executed = self.ours.time("exec", name, "true")
        self.note(name, created, executed)
        return created + executed

    def start(self, number):
        name = f"boot{number}"
        self.ours.run("stop", name)
        wall = self.ours.time("start", name) + self.ours.time("exec", name, "true")
        self.ours.remove(name)
        return wall


def boot(world):
    ours = world.ours
    ours.up("model", "microvm")
    machine = Machine(ours.inspect("model"))
    argv, kernel, initramfs = machine.argv(), machine.kernel(world.work / "kernel"), hello_initramfs(world.work)
    ours.remove("model")
    starts = Starts(ours)
    packaged = packaged_kernel(world)
    contestants = {
        "hello (the floor)": lambda n: Floor(argv, packaged, initramfs).time(),
        "hello, the kernel uncompressed as we start it": lambda n: Floor(argv, kernel, initramfs).time(),
        "create to first exec done": starts.create,
        "start to first exec done": starts.start,
    }
    table = world.report.table("boot of a microVM", interleaved(world.rounds, contestants),
                               "hello (the floor)")
    world.report.table("where the time from create to first exec went (inspect)", starts.laps)
    world.report.claim("create to first exec done in a microVM, to the floor",
                       table.ratio("create to first exec done", "hello (the floor)"), most=1.3)
