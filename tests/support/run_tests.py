#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""run_tests.py BUILD [CTEST_ARGS...]: runs ctest, then says how many tests of each kind passed, failed and were skipped,
and why. A bats file is one test to ctest, but each of its tests counts here: bats reports them in BUILD/bats/<file>."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

Outcome = collections.namedtuple("Outcome", "kind name state reason")

# Kinds in the order in which they are shown. A test's kind is the first part of its name, unit.Fd.ClosesOnce, with the
# backend if there is one: e2e.microvm.exec
KINDS = ["unit", "fuzz", "e2e", "e2e.microvm", "escape", "escape.microvm", "style"]


# Suites at a time: they wait (for machines to boot, for sockets, for deadlines) more than they compute.
PARALLEL = (os.cpu_count() or 1) + 1


LINES_OF_A_FAILURE = 25


def kind_of(name):
    first, _, rest = name.partition(".")
    backend = rest.partition(".")[0]
    return f"{first}.{backend}" if f"{first}.{backend}" in KINDS else first


def reason_of(output):
    """The words of a skipped test: GoogleTest's are on the line after "Skipped", others' are their last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for number, line in enumerate(lines[:-1]):
        if line.endswith(": Skipped"):
            return lines[number + 1]
    return lines[-1] if lines else "no reason given"


def last_lines(text):
    """Of what a failed test printed: enough to see why, where only the end of our output is kept."""
    return "\n".join("    " + line for line in (text or "").strip().splitlines()[-LINES_OF_A_FAILURE:])


def cases(file):
    """The test cases of a JUnit file, in which tests may have printed bytes that XML does not allow."""
    text = file.read_bytes().decode("utf-8", "replace")
    return list(xml.fromstring(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "?", text).encode()).iter("testcase"))


def bats_outcomes(kind, report):
    """Nothing if bats was killed while it wrote."""
    try:
        found = cases(report)
    except xml.ParseError:
        found = []
    for case in found:
        failure, skipped = case.find("failure"), case.find("skipped")
        if failure is not None:
            yield Outcome(kind, case.get("name"), "failed", last_lines(failure.text))
        elif skipped is not None:
            reason = skipped.text or skipped.get("message") or "no reason given"
            yield Outcome(kind, case.get("name"), "skipped", reason.strip())
        else:
            yield Outcome(kind, case.get("name"), "passed", "")


def ctest_outcome(kind, case):
    name, skipped = case.get("name"), case.find("skipped")
    if case.get("status") == "run":
        return Outcome(kind, name, "passed", "")
    # ctest also calls skipped what it could not start: to us that is a failure.
    if skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return Outcome(kind, name, "skipped", reason_of(case.findtext("system-out") or ""))
    return Outcome(kind, name, "failed", last_lines(case.findtext("system-out")))


def outcomes(build, junit):
    for case in cases(junit):
        kind = kind_of(case.get("name"))
        report = build / "bats" / case.get("name") / "report.xml"
        if report.exists():
            found = list(bats_outcomes(kind, report))
            yield from found
            # bats itself failed (a timeout, a broken setup_file): more than its tests say.
            if case.get("status") == "fail" and all(o.state != "failed" for o in found):
                yield Outcome(kind, case.get("name"), "failed", last_lines(case.findtext("system-out")))
        else:
            outcome = ctest_outcome(kind, case)
            # What prepares other tests is no test, unless it fails.
            if kind != "fixture" or outcome.state == "failed":
                yield outcome


def count(found, state):
    return sum(1 for outcome in found if outcome.state == state)


def show(found):
    kinds = sorted({o.kind for o in found}, key=lambda k: (KINDS.index(k) if k in KINDS else len(KINDS), k))
    print()
    for kind in kinds:
        own = [o for o in found if o.kind == kind]
        print(f"{kind}: {count(own, 'passed')} passed, {count(own, 'failed')} failed, {count(own, 'skipped')} skipped")
    for outcome in found:
        if outcome.state == "skipped":
            print(f"skipped: {outcome.kind}: {outcome.name}: {outcome.reason}")
    for outcome in found:
        if outcome.state == "failed":
            print(f"failed: {outcome.kind}: {outcome.name}\n{outcome.reason}".rstrip())
    print(f"{count(found, 'passed')} passed, {count(found, 'failed')} failed, {count(found, 'skipped')} skipped")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    junit = build / "tests.xml"
    junit.unlink(missing_ok=True)
    shutil.rmtree(build / "bats", ignore_errors=True)
    ctest = subprocess.run(
        ["ctest", "--test-dir", build, "--output-on-failure", "--output-junit", junit, "--parallel", str(PARALLEL),
         *sys.argv[2:]],
        check=False,
    )
    if not junit.exists():
        return ctest.returncode or 1
    found = list(outcomes(build, junit))
    show(found)
    # No tests at all is a mistake in the arguments, and not a success.
    return 1 if count(found, "failed") or not found else ctest.returncode


sys.exit(main())
