#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The documents name only files that are there: links between them, and the tests that the threat model calls upon."""

import re

from repository import ROOT, report, text, tracked

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
TEST = re.compile(r"\btests/[\w./-]+\.(?:bats|cc|py)\b")


def problems():
    for path in tracked("*.md"):
        for target in LINK.findall(text(path)):
            if not (ROOT / path.parent / target).exists():
                yield f"{path}: links to {target}, which is not there"
        for target in TEST.findall(text(path)):
            if not (ROOT / target).exists():
                yield f"{path}: names {target}, which is not there"


report(sorted(set(problems())))
