#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Every file compiles by itself, with every library: what it uses of the standard library is included by it or by a header
of ours that it includes. What the library's own headers include differs from one release of a compiler to the next:
std::int64_t came with <map> until g++ 13. And each source includes its own header first, so that no header needs another
one before it."""

import functools
import pathlib
import re

from repository import ROOT, report, text, tracked

USES = {
    "algorithm": r"std::(?:min|max|clamp|sort|stable_sort|find|find_if|find_if_not|any_of|all_of|none_of|count_if|copy|copy_n|"
                 r"copy_if|transform|equal|remove_if|reverse|unique|search|lower_bound|upper_bound|replace|fill_n)\(",
    "array": r"std::array\b",
    "atomic": r"std::atomic\b",
    "charconv": r"std::from_chars\b",
    "chrono": r"std::chrono::",
    "cmath": r"std::(?:ceil|floor|lround|pow|sqrt)\(",
    "cstdint": r"std::u?int(?:8|16|32|64|ptr)_t\b",
    "cstring": r"std::(?:mem(?:cpy|cmp|set|move|chr)|str(?:len|cmp|error|chr))\(",
    "functional": r"std::function\b",
    "limits": r"std::numeric_limits\b",
    "map": r"std::(?:multi)?map<",
    "memory": r"std::(?:unique_ptr|shared_ptr|weak_ptr)<|std::make_(?:unique|shared)<",
    "mutex": r"std::(?:mutex|lock_guard|unique_lock|scoped_lock)\b",
    "optional": r"std::(?:optional<|nullopt)",
    "set": r"std::(?:multi)?set<",
    "thread": r"std::(?:thread|this_thread)\b",
    "variant": r"std::(?:variant<|visit\()",
}
COMMENT = re.compile(r"//.*")
INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


@functools.cache
def included(path):
    """What a file includes, by itself and by our own headers."""
    names = set(INCLUDE.findall(text(path)))
    for name in sorted(names):
        for header in (pathlib.Path("src", name), pathlib.Path("tests", name), path.parent / name):
            if header != path and (ROOT / header).is_file():
                names |= included(header)
    return names


def missing(path):
    code = COMMENT.sub("", text(path))
    for name, use in USES.items():
        found = re.search(use, code)
        if found and name not in included(path):
            yield f"{path}: uses {found.group(0).rstrip('(<')} without <{name}>"


def misplaced(path):
    header = path.with_suffix(".h")
    first = INCLUDE.search(text(path))
    if (ROOT / header).is_file() and (not first or first.group(1) != str(header.relative_to("src"))):
        yield f"{path}: its own header is not the first that it includes"


def problems():
    for path in tracked("src/*.cc", "src/*.h", "tests/*.cc", "tests/*.h"):
        yield from missing(path)
    for path in tracked("src/*.cc"):
        yield from misplaced(path)


report(list(problems()))
