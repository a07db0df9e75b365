#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""memory.py KEY PID...: prints those of the processes that have the private key in their memory, in any of its forms."""
import re
import subprocess
import sys


def forms_of(path):
    """The number itself, as it is and as OpenSSL's little-endian words have it; and the PEM's own text."""
    text = subprocess.run(["openssl", "ec", "-in", path, "-text", "-noout"], capture_output=True, text=True, check=True)
    digits = re.search(r"priv:\n((?:\s+[0-9a-f:]+\n)+)", text.stdout).group(1)
    number = bytes.fromhex(re.sub(r"[\s:]", "", digits)).rjust(32, b"\0")[-32:]
    with open(path, "rb") as file:
        lines = [line for line in file.read().split(b"\n") if line and not line.startswith(b"-----")]
    return [number, number[::-1], lines[0], lines[1]]


def mappings_of(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            begin, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if "r" not in rights or "[v" in line:
                continue
            try:
                memory.seek(int(begin, 16))
                yield memory.read(int(end, 16) - int(begin, 16))
            except (OSError, OverflowError, ValueError):
                continue  # no page is there


def main():
    forms = forms_of(sys.argv[1])
    for pid in sys.argv[2:]:
        if any(form in bytes_of for bytes_of in mappings_of(pid) for form in forms):
            print(pid)


main()
