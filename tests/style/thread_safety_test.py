#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What a lock guards is used under the lock only, on every path: clang proves it from the annotations of src/base/mutex.h.
Asked are the sources that could use an annotated member: those that reach that header within their room. Locks of the
standard library have no annotations, and are only where that cannot be helped."""

import re
import shutil

import units
from repository import report, skip, text, tracked

HEADER = "base/mutex.h"
STANDARD_LOCK = re.compile(r"std::(?:\w+_)?mutex\b|std::condition_variable\b")
# Clang cannot follow these, and the header says why; those of src/cli/mcp it could, but they are not annotated.
UNCHECKED = ("src/base/mutex.h", "src/cli/terminal/attach_input.h", "src/images/", "src/sandboxes/registry.h",
             "src/sandboxes/sandbox.h", "src/cli/mcp/")
# Wrong on purpose: clang must find both, or it finds nothing at all.
SELF_CHECK = """
#include "base/mutex.h"
struct Counter {
  void read_without_lock() { ++count; }
  void call_without_lock() { count_more(); }
  void right() { const sbx::MutexLock lock(mutex); count_more(); }
  void count_more() SBX_REQUIRES(mutex) { ++count; }
  sbx::Mutex mutex;
  int count SBX_GUARDED_BY(mutex) = 0;
};
"""

compiler = shutil.which("clang++")
if not compiler:
    skip("clang++ is not installed")


def check(texts):
    return units.run(lambda file: [compiler, "-fsyntax-only", "-Werror=thread-safety", *units.OPTIONS, file], texts)


def errors_in(checked):
    lines = [line for line in checked.stderr.splitlines() if " error: " in line]
    return lines or ([checked.stderr] if checked.returncode != 0 else [])


def unchecked_locks():
    for path in tracked("src/*.cc", "src/*.h"):
        if not str(path).startswith(UNCHECKED) and STANDARD_LOCK.search(text(path)):
            yield f"{path}: a lock of the standard library, which clang cannot check: use src/base/mutex.h"


found = errors_in(check({"self_check": SELF_CHECK})["self_check"])
if len(found) != 2 or not all("-Wthread-safety" in line for line in found):
    report([f"{compiler} does not find what is wrong on purpose:", *found])

rooms = units.by_room(path for path in units.sources_of() if units.reaches(path, HEADER))
results = check({room: units.unit_of(sources) for room, sources in rooms.items()})
report([*unchecked_locks(), *(line for room in sorted(results) for line in errors_in(results[room]))])
