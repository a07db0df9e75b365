#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Every source says whose it is and under which licence, is of a size that one can read, and has no unfinished business."""

import re

from repository import report, text, tracked

LICENCE = "SPDX-License-Identifier: Apache-2.0"
MOST_LINES = 600
SOURCES = ["*.cc", "*.h", "*.py", "*.bats", "*.sh", "sandbox", "test", "bench", ".ci/run", "packages/install", "tests/support/*"]
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def problems():
    for path in tracked(*SOURCES):
        lines = text(path).splitlines()
        if not any(LICENCE in line for line in lines[:4]):
            yield f"{path}: the first lines do not say {LICENCE}"
        if len(lines) > MOST_LINES:
            yield f"{path}: {len(lines)} lines; past {MOST_LINES} there is a second noun in it"
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line) and path.name != "files_test.py":
                yield f"{path}:{number}: unfinished: {line.strip()}"


report(list(problems()))
