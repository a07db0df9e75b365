#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""shellcheck has nothing to say about the shell scripts and the bats files."""

import re
import shutil
import subprocess

from repository import ROOT, report, skip, text, tracked

SHELL = re.compile(r"#!\s*(/usr/bin/env\s+|/bin/|/usr/bin/)(sh|bash|bats)\b")

if not shutil.which("shellcheck"):
    skip("shellcheck is not installed")


def shellcheck(files, *options):
    checked = subprocess.run(
        ["shellcheck", "--format=gcc", "--external-sources", *options, *files],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )
    return checked.stdout.splitlines() + checked.stderr.splitlines()


scripts = [str(path) for path in tracked() if SHELL.match(text(path)[:64])]
bats = [path for path in scripts if path.endswith((".bats", ".bash"))]
report([
    *shellcheck([path for path in scripts if path not in bats]),
    # In bats, `run` sets variables that shellcheck does not know (SC2154), a cd that fails ends the test (SC2164), and
    # "done" may be what a program is expected to say (SC1010).
    *shellcheck(bats, "--severity=warning", "--exclude=SC2154,SC2164,SC1010"),
])
