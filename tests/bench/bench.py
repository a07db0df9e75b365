#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The figures of both backends beside those of their peers, measured in one run on one image.

Rounds are interleaved (ours, theirs, ours, ...), because these machines are shared and noisy: a ratio taken in one run
means something, a time does not. Everything lives in a directory of its own and is gone afterwards."""

import argparse
import contextlib
import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

import boot
import coherence
import commands
import credentials
import docker
import files
import loops
import memory
import probation
import proxy
import saving
import templates
from peers import Docker, Podman, runc_bundle
from report import Report
from sandboxes import Sandboxes

PARTS = {
    "create": commands.create,
    "exec": commands.execute,
    "throughput": commands.throughput,
    "stop": commands.stop,
    "many": commands.many,
    "boot": boot.boot,
    "probation": probation.probation,
    "memory": memory.memory,
    "coherence": coherence.coherence,
    "files": files.files,
    "proxy": proxy.proxy,
    "credentials": credentials.credentials,
    "save": saving.saving,
    "docker": docker.docker,
    "templates": templates.templates,
    "loop": loops.loops,
}


class World:
    """What the parts measure; each peer is there from its first use to the end."""

    def __init__(self, stack, arguments):
        self.stack = stack
        self.rounds, self.many, self.files = arguments.rounds, arguments.many, arguments.files
        self.report = Report()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="sandboxd-bench-"))
        stack.callback(shutil.rmtree, self.work, ignore_errors=True)
        self.ours = self.kept(Sandboxes(self.work))
        self.ours.run(*self.ours.creation("warm", "container"))
        self.root = self.ours.template_root("warm")

    def kept(self, peer):
        self.stack.callback(peer.close)
        return peer

    @functools.cached_property
    def docker(self):
        return self.kept(Docker(self.work, self.root))

    @functools.cached_property
    def podman(self):
        return self.kept(Podman(self.work, self.root))

    @functools.cached_property
    def bundle(self):
        return runc_bundle(self.work, self.root)


def parsed():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all of them by default")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--many", type=int, default=100, help="sandboxes at once")
    parser.add_argument("--files", type=int, default=files.FILES, help="in the repository of the part files")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all samples, for a machine to read")
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"{part}: not one of {', '.join(PARTS)}")
    return arguments


def attempt(name, part, world):
    """A part that fails does not take the figures of the others with it."""
    try:
        part(world)
    except (OSError, RuntimeError, subprocess.SubprocessError):
        traceback.print_exc()
        world.report.failed(name)


def main():
    arguments = parsed()
    with contextlib.ExitStack() as stack:
        world = World(stack, arguments)
        for name, part in PARTS.items():
            if not arguments.parts or name in arguments.parts:
                world.report.noise(name)
                attempt(name, part, world)
        holds = world.report.conclude(arguments.json)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
