#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The sources look as clang-format 14 would write them. Other versions differ in details, so they are not asked."""

import re
import shutil
import subprocess

from repository import ROOT, report, skip, tracked

program = shutil.which("clang-format-14") or shutil.which("clang-format")
if not program:
    skip("clang-format is not installed")
version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
if not re.search(r"version 14\.", version):
    skip(f"the format is that of clang-format 14, and this is {version.strip()}")

files = [str(path) for path in tracked("src/*.cc", "src/*.h", "tests/*.cc", "tests/*.h")]
checked = subprocess.run([program, "--dry-run", "-Werror", *files], cwd=ROOT, capture_output=True, text=True, check=False)
unformatted = sorted({line.split(":")[0] for line in checked.stderr.splitlines() if "-Wclang-format-violations" in line})
if checked.returncode != 0 and not unformatted:
    unformatted = [checked.stderr]
report([f"{file}: try: clang-format -i {file}" for file in unformatted])
