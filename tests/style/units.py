# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Sources of a room as one translation unit, for tools that spend most of their time in the headers that sources share.
It works as a unity build does: names in anonymous namespaces are distinct within a room."""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import tempfile

from repository import ROOT, text, tracked

OPTIONS = ["-std=c++20", "-D_GNU_SOURCE", f"-I{ROOT}/src"]
# As cmake/write_version.cmake would make it.
VERSION = '#define SANDBOXD_VERSION ""\n#define SANDBOXD_COMMIT ""\n'
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def room_of(path):
    return path.parts[1]


@functools.cache
def reaches(path, header):
    """Whether a file includes a header, itself or by headers of its own room."""
    names = INCLUDE.findall(text(path))
    own = (pathlib.Path("src", name) for name in names if name.startswith(room_of(path) + "/"))
    return header in names or any(reaches(each, header) for each in own)


def by_room(sources):
    rooms = {}
    for source in sources:
        rooms.setdefault(room_of(source), []).append(source)
    return rooms


def sources_of(room=""):
    return [path for path in tracked("src/*.cc") if not room or room_of(path) == room]


def unit_of(sources):
    return "".join(f'#include "{source.relative_to("src")}"\n' for source in sources)


def run(tool, units):
    """Runs a tool, as many at a time as there are processors, on each of the units, which are texts by names: the results by
    the same names. `tool` makes the command of a unit's file."""
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        (place / "version.h").write_text(VERSION)

        def check(name):
            file = place / f"{name}.cc"
            file.write_text(units[name])
            command = [*tool(str(file)), f"-I{place}"]
            return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

        # The longest first, so that none is left alone at the end.
        names = sorted(units, key=lambda name: -len(units[name]))
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return dict(zip(names, pool.map(check, names)))
