#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Documents and comments name only files of the repository that are there, by a whole path (`src/wire/frame.h`) or by the
end of one (`wire/frame.h`, `frame.h`). Headers of the system are written `<sys/socket.h>`; a name with a part that stands
for another (`*.cc`, `tests/<room>/x_test.cc`) is not looked for."""

import re

from repository import ROOT, report, text, tracked

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
BEGIN = r"(?<![\w.<>*{}$/~=:-])"
SOURCE = re.compile(BEGIN + r"\w[\w./-]*\.(?:cc|h|py|bats|cmake|md)\b(?![\w/<*{-])")
PATH = re.compile(BEGIN + r"(?:src|tests|docs|cmake|packages|packaging)/[\w./-]*\w(?![\w/]*[<*{$])")
COMMENT = {".cc": "//", ".h": "//", ".md": "", ".py": ""}  # elsewhere #
NOT_PROSE = ("tests/fuzz/corpus/*", "tests/golden/*", "*.json", "LICENSE")
GENERATED = {"version.h"}
STAND_INS = {"x.cc", "x_test.cc"}


def endings(path):
    """a/b/c, b/c and c."""
    parts = path.parts
    return {"/".join(parts[i:]) for i in range(len(parts))}


def prose(path):
    mark = COMMENT.get(path.suffix, "#")
    for number, line in enumerate(text(path).splitlines(), 1):
        yield number, line.partition(mark)[2] if mark else line


def problems():
    files = tracked()
    known = GENERATED | STAND_INS
    known.update(*(endings(path) for path in files))
    for path in tracked(*(f":!:{pattern}" for pattern in NOT_PROSE)):
        for number, line in prose(path):
            for name in SOURCE.findall(line):
                if name not in known:
                    yield f"{path}:{number}: names {name}, which is not there"
            for name in PATH.findall(line):
                if name not in known and not (ROOT / name).exists():
                    yield f"{path}:{number}: names {name}, which is not there"
    for path in tracked("*.md"):
        for target in LINK.findall(text(path)):
            if not (ROOT / path.parent / target).exists():
                yield f"{path}: links to {target}, which is not there"


report(list(dict.fromkeys(problems())))
