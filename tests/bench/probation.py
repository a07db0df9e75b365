# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What is written by hand to make emulated machines faster, each with it and without it (SANDBOXD_WITHOUT).

What does not gain 5 % of create to first exec, or of an exec, is not worth its lines. On a busy host a few percent do not
show in times, not even in the processor time that QEMU used; in the number of instructions they do."""

import time

from commands import REST
from instructions import Counter
from machine import Machine
from sandboxes import Sandboxes

SWITCHES = ("unsigned-modules", "spare")
EXECS = 10  # of each machine
COUNTS = 3
AS_IT_IS = "as it is"


class Variant:
    """Our sandboxes without something, in a home of their own, because the daemon's environment says so."""

    def __init__(self, world, without):
        work = world.work / f"without-{without}"
        work.mkdir()
        self.ours = world.kept(Sandboxes(work, templates=world.ours.home / "templates"))
        self.ours.environment["SANDBOXD_WITHOUT"] = without
        self.samples = {}
        self.ours.up("model", "microvm")
        self.argv = Machine(self.ours.inspect("model")).argv()
        self.ours.remove("model")

    def kit(self):
        return next((self.ours.home / "cache/kernels").glob("*/kernel")).parent

    def note(self, what, value):
        self.samples.setdefault(what, []).append(value)

    def round(self, number):
        ours, name = self.ours, f"probation{number}"
        self.note("create to first exec done",
                  ours.time(*ours.creation(name, "microvm")) + ours.time("exec", name, "/bin/true"))
        machine = Machine(ours.inspect(name))
        used = machine.processor_ms()
        self.note("create to first exec done, QEMU's processor time", used)
        for _ in range(EXECS):
            time.sleep(REST)
            self.note("exec of /bin/true", ours.time("exec", name, "/bin/true"))
        self.note("exec of /bin/true, QEMU's processor time", (machine.processor_ms() - used) / EXECS)
        ours.remove(name)


def probation(world):
    variants = {AS_IT_IS: Variant(world, "")} | {f"without {one}": Variant(world, one) for one in SWITCHES}
    counter = Counter(world.work, variants[AS_IT_IS].argv)
    counts = {name: [counter.millions(variant.kit()) for _ in range(COUNTS)] for name, variant in variants.items()}
    world.report.table("instructions until all modules are loaded", counts, AS_IT_IS, unit="millions")
    for number in range(world.rounds):
        for variant in variants.values():
            variant.round(number)
    for what in variants[AS_IT_IS].samples:
        world.report.table(what, {name: variant.samples[what] for name, variant in variants.items()}, AS_IT_IS)
