#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The subjects of the last commits read "room: Imperative subject" and fit in 72 columns."""

import re
import subprocess

from repository import ROOT, report, skip

SUBJECT = re.compile(r"^(Merge |Revert |[a-z][a-z0-9/_.-]*: [A-Z`])")

log = subprocess.run(["git", "-C", ROOT, "log", "-30", "--format=%h %s"], capture_output=True, text=True, check=False)
if log.returncode != 0:
    skip("no commits to look at: " + log.stderr.strip())
commits = [line.split(" ", 1) for line in log.stdout.splitlines()]
report(
    [f"{commit}: not 'room: Subject': {subject}" for commit, subject in commits if not SUBJECT.match(subject)]
    + [f"{commit}: {len(subject)} columns: {subject}" for commit, subject in commits if len(subject) > 72]
)
