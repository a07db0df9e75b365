#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""hardening_test.py BIN_DIRECTORY: what the linker has made of our programs, read from the ELF files themselves.

Each is at an address of chance (PIE), has its tables of addresses read-only before main (RELRO, BIND_NOW) and a stack that
is not executable; none has a segment that is both writable and executable, a search path of its own, or relocations in
its code. Those that are static are so, and are PIE nevertheless.
"""

import re
import subprocess
import sys
from pathlib import Path

PROGRAMS = {
    "sandbox": "static",
    "sandbox-init": "static",
    "sandboxd": "dynamic",
    "sandbox-shim": "dynamic",
    "sandbox-layer": "dynamic",
}


def readelf(option, path):
    shown = subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True)
    return shown.stdout


def objections(path, linked):
    header, segments, dynamic = (readelf(option, path) for option in ("-h", "-l", "-d"))
    if not re.search(r"Type:\s+DYN", header):
        yield "not position independent"
    if "PIE" not in (re.search(r"\(FLAGS_1\).*", dynamic) or [""])[0]:
        yield "not marked as PIE"
    if "NOW" not in (re.search(r"\(FLAGS_1\).*", dynamic) or [""])[0]:
        yield "not bound before it starts (-z now)"
    if "GNU_RELRO" not in segments:
        yield "no RELRO"
    stack = re.search(r"GNU_STACK\s+(?:0x[0-9a-f]+\s+){5}(\S+)", segments)
    if not stack or "E" in stack[1]:
        yield "an executable stack"
    for flags in re.findall(r"LOAD\s+(?:0x[0-9a-f]+\s+){5}([RWE ]+?)\s+0x", segments):
        if "W" in flags and "E" in flags:
            yield "a segment that is writable and executable"
    if "(TEXTREL)" in dynamic:
        yield "relocations in its code"
    if "(RPATH)" in dynamic or "(RUNPATH)" in dynamic:
        yield "a search path for libraries"
    if linked == "static" and ("INTERP" in segments or "(NEEDED)" in dynamic):
        yield "not static"
    if linked == "dynamic" and "__stack_chk_fail" not in readelf("--dyn-syms", path):
        yield "no stack protector"
    if linked == "dynamic" and "_chk@" not in readelf("--dyn-syms", path).replace("__stack_chk_fail", ""):
        yield "no _FORTIFY_SOURCE"


def main():
    directory = Path(sys.argv[1])
    found = [f"{name}: {why}" for name, linked in PROGRAMS.items() for why in objections(directory / name, linked)]
    print("\n".join(found) or f"{len(PROGRAMS)} programs are as they should be")
    return 1 if found else 0


sys.exit(main())
