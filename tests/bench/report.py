# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What was measured: samples, tables of them, and what is claimed about them."""

import json
import os
import statistics
import subprocess
import sys
import time


def run(argv, **options):
    argv = [str(a) for a in argv]
    done = subprocess.run(argv, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(argv)}: status {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")


def timed(argv, **options):
    begin = time.perf_counter()
    run(argv, **options)
    return (time.perf_counter() - begin) * 1000


def interleaved(rounds, contestants):
    """contestants: name → function(round) → a number or None. Returns name → samples."""
    samples = {name: [] for name in contestants}
    for number in range(rounds):
        for name, function in contestants.items():
            value = function(number)
            if value is not None:
                samples[name].append(value)
    return samples


class Table:
    def __init__(self, title, unit, samples):
        self.title = title
        self.unit = unit
        faster_is_more = unit.endswith("/s")
        self.samples = {what: sorted(values, reverse=faster_is_more) for what, values in samples.items() if values}

    def median(self, what):
        return statistics.median(self.samples[what])

    def ratio(self, what, reference):
        return self.median(what) / self.median(reference)

    def ratio_of_bests(self, what, reference):
        """What neighbours on the machine disturb least; they cost an emulated processor more than a real one."""
        return self.samples[what][0] / self.samples[reference][0]

    def show(self, reference=None):
        heading = f" ratio to {reference} | of the bests |" if reference else ""
        print(f"\n### {self.title}\n\n| what | median {self.unit} | best | p90 |{heading}")
        print("|---|---:|---:|---:|" + ("---:|---:|" if reference else ""))
        for what, values in self.samples.items():
            ratio = ""
            if reference:
                ratio = f" {self.ratio(what, reference):.2f} | {self.ratio_of_bests(what, reference):.2f} |"
            p90 = values[int(len(values) * 0.9)]
            print(f"| {what} | {self.median(what):.1f} | {values[0]:.1f} | {p90:.1f} |{ratio}", flush=True)


def figure(number):
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


class Claim:
    """`what` is `measured`, and should be at most or at least the goal."""

    def __init__(self, what, measured, most=None, least=None):
        self.what, self.measured = what, measured
        self.goal = f"at most {figure(most)}" if least is None else f"at least {figure(least)}"
        self.holds = measured <= most if least is None else measured >= least


class Report:
    def __init__(self):
        self.tables = []
        self.claims = []
        self.failures = []

    def table(self, title, samples, reference=None, unit="ms", shown=True):
        table = Table(title, unit, samples)
        self.tables.append(table)
        if shown:
            table.show(reference)
        return table

    def claim(self, what, measured, **goal):
        self.claims.append(Claim(what, measured, **goal))

    def failed(self, part):
        self.failures.append(part)

    def noise(self, when):
        """Others on the machine stretch every time; whoever reads the figures has to know."""
        load = os.getloadavg()[0]
        print(f"{when}: load average {load:.1f} on {os.cpu_count()} processors", file=sys.stderr, flush=True)

    def show_claims(self):
        print("\n### Claims\n\n| claim | measured | goal | |\n|---|---:|---:|---|")
        for claim in self.claims:
            print(f"| {claim.what} | {figure(claim.measured)} | {claim.goal} | {'OK' if claim.holds else 'MISSED'} |")

    def write(self, path):
        tables = [{"title": t.title, "unit": t.unit, "samples": t.samples} for t in self.tables]
        claims = [vars(claim) for claim in self.claims]
        path.write_text(json.dumps({"tables": tables, "claims": claims, "failed": self.failures}, indent=1) + "\n")

    def conclude(self, path):
        """Whether all parts were measured and all claims hold."""
        if self.claims:
            self.show_claims()
        for part in self.failures:
            print(f"\nNOT MEASURED: {part}")
        if path:
            self.write(path)
        return not self.failures and all(claim.holds for claim in self.claims)
