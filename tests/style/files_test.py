#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Every source says whose it is and under which licence, is of a size that one can read, and has no unfinished business."""

import re

from repository import report, text, tracked

LICENCE = "SPDX-License-Identifier: Apache-2.0"
MOST_LINES = 600
SOURCES = ["*.cc", "*.h", "*.py", "*.bats", "*.sh", "*.ts", "*.js", "*.mjs", "sandbox", "test", "bench", ".ci/run", "packages/install", "tests/support/*"]
# What a reader has to guess at: who is it? `nobody` is a user's name.
RIDDLE = re.compile(r"\b(whoever|somebody|someone|(?<!`)nobody)\b", re.IGNORECASE)
PLAIN = ["src/*", "docs/*.md", "sdk/*.ts", "*.md"]
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def problems():
    for path in tracked(*SOURCES):
        lines = text(path).splitlines()
        if not any(LICENCE in line for line in lines[:4]):
            yield f"{path}: the first lines do not say {LICENCE}"
        is_generated = any(line.startswith("// Generated from ") for line in lines[:4])
        if len(lines) > MOST_LINES and not is_generated:
            yield f"{path}: {len(lines)} lines; past {MOST_LINES} there is a second noun in it"
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line) and path.name != "files_test.py":
                yield f"{path}:{number}: unfinished: {line.strip()}"
    for path in tracked(*PLAIN):
        for number, line in enumerate(text(path).splitlines(), 1):
            if RIDDLE.search(line):
                yield f"{path}:{number}: name who it is: {line.strip()}"


report(list(problems()))
