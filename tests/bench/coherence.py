# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""How long a change on the host takes to be seen in a microVM that looks at the file all the time, and so has it cached."""

import pathlib
import subprocess
import time

# What the guest does until it sees what it waits for; then it says so, and waits for the next.
LOOKER = """
import os, sys
path, way, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
kept = os.open(path, os.O_RDONLY)
looks = {
    "content": lambda n: open(path, "rb").read() == b"%08d" % n,
    "content, kept open": lambda n: os.pread(kept, 100, 0) == b"%08d" % n,
    "a new file": lambda n: os.path.exists("%s.%d" % (path, n)),
    "a new name": lambda n: "%s.%d" % (os.path.basename(path), n) in os.listdir(os.path.dirname(path)),
    "a file removed": lambda n: not os.path.exists("%s.%d" % (path, n)),
}
print("ready", flush=True)
for number in range(1, rounds + 1):
    while not looks[way](number):
        pass
    print(number, flush=True)
"""


def change(path, way, number):
    other = path.with_name(f"{path.name}.{number}")
    if way.startswith("content"):
        with open(path, "r+b", buffering=0) as file:
            file.write(b"%08d" % number)
    elif way == "a file removed":
        other.unlink()
    else:
        other.touch()


def latencies(world, path, way, rounds):
    path.write_bytes(b"%08d" % 0)
    for number in range(1, rounds + 1):
        other = path.with_name(f"{path.name}.{number}")
        other.touch() if way == "a file removed" else other.unlink(missing_ok=True)
    argv = world.ours.argv("exec", "coherent", "python3", "-c", LOOKER, path, way, rounds)
    with subprocess.Popen([str(a) for a in argv], env=world.ours.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE) as looker:
        looker.stdout.readline()
        for number in range(1, rounds + 1):
            begin = time.perf_counter()
            change(path, way, number)
            if looker.stdout.readline() != b"%d\n" % number:
                raise RuntimeError(f"{way}: the guest has gone")
            yield (time.perf_counter() - begin) * 1000


def coherence(world):
    directory = world.ours.directory("coherent")
    world.ours.up("coherent", "microvm", directory)
    path = pathlib.Path(directory) / "file"
    samples = {way: list(latencies(world, path, way, world.rounds))
               for way in ("content", "content, kept open", "a new file", "a new name", "a file removed")}
    table = world.report.table("a change on the host, until the guest has said that it sees it", samples)
    for way in samples:
        world.report.claim(f"{way} on the host, until the guest sees it, ms", table.median(way), most=100)
    world.ours.remove("coherent")
