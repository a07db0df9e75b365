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
scripts = [str(path) for path in tracked() if SHELL.match(text(path)[:64])]
checked = subprocess.run(
    ["shellcheck", "--format=gcc", "--external-sources", *scripts], cwd=ROOT, capture_output=True, text=True, check=False
)
report(checked.stdout.splitlines() + checked.stderr.splitlines())
