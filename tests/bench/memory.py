# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What a machine that does nothing holds."""

import time

from machine import Machine, own_kib

IDLE_SECONDS = 8  # time enough for the guest to report its free pages, which it does with a delay of 2 seconds


def memory(world):
    ours = world.ours
    ours.up("idle", "microvm")
    machine = Machine(ours.inspect("idle"))
    touched = [machine.touched_mib()]
    time.sleep(IDLE_SECONDS)
    processes = machine.processes()
    samples = {f"{name}, private": [own_kib(pid) / 1024] for name, pid in processes.items()}
    samples["guest memory touched, at once"] = touched
    samples[f"guest memory touched, {IDLE_SECONDS} s later"] = [machine.touched_mib()]
    world.report.table("memory of an idle microVM", samples, unit="MB")
    ours.remove("idle")
