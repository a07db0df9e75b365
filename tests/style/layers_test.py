#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Dependencies go down: every #include is of a room in the row of ARCHITECTURE.md's table, and src/CMakeLists.txt says
the same as the table."""

import re

from repository import report, text, tracked

ROW = re.compile(r"^\| (\w+) \|([\w ]*)\|[^|]+\|$", re.MULTILINE)
ROOM = re.compile(r"^room\(([\w ]+)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w-]+)/', re.MULTILINE)


def table():
    rooms = {name: set(uses.split()) for name, uses in ROW.findall(text("ARCHITECTURE.md")) if name != "room"}
    assert "base" in rooms and len(rooms) > 5, "no table of rooms in ARCHITECTURE.md"
    return rooms


def climbing_includes(rooms):
    for path in tracked("src/*.cc", "src/*.h"):
        room = path.parts[1]
        if room not in rooms:
            yield f"{path}: {room} is not in the table of ARCHITECTURE.md"
            continue
        for included in INCLUDE.findall(text(path)):
            if included != room and included not in rooms[room]:
                yield f"{path}: includes {included}/, which is not in the row of {room}"


def other_words(rooms):
    """Where the build and the table differ."""
    built = {words[0]: set(words[1:]) for words in (match.split() for match in ROOM.findall(text("src/CMakeLists.txt")))}
    for room in sorted(rooms.keys() | built.keys()):
        if rooms.get(room) != built.get(room):
            yield f"{room}: ARCHITECTURE.md says {rooms.get(room)}, src/CMakeLists.txt says {built.get(room)}"


def circles(rooms):
    """A table in which one could go down for ever is no table of layers."""
    left = dict(rooms)
    while free := [room for room, uses in left.items() if not uses & left.keys()]:
        for room in free:
            del left[room]
    return [f"{room}: is above itself" for room in sorted(left)]


ROOMS = table()
report([*climbing_includes(ROOMS), *other_words(ROOMS), *circles(ROOMS)])
