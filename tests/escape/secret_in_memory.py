#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""secret_in_memory.py SECRET PID...: prints those of the processes that have the secret in their memory: as it is, as
base64 in each of its three positions, or percent-encoded."""
import base64
import re
import sys
import urllib.parse


def forms_of(secret):
    yield secret
    for position in range(3):
        # The first digits depend on what is before, the last on what follows.
        text = base64.b64encode(b"x" * position + secret)
        yield text[4 if position else 0:-4]
    yield urllib.parse.quote(secret, safe="").encode()
    yield "".join("%%%02X" % byte for byte in secret).encode()


def mappings_of(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            begin, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if "r" not in rights or "[v" in line:
                continue
            at, left = int(begin, 16), int(end, 16) - int(begin, 16)
            tail = b""
            while left:
                try:
                    memory.seek(at)
                    piece = memory.read(min(left, 1 << 24))
                except (OSError, OverflowError, ValueError):
                    break  # no page is there
                if not piece:
                    break
                yield tail + piece
                tail, at, left = piece[-512:], at + len(piece), left - len(piece)


def main():
    forms = set(forms_of(sys.argv[1].encode()))
    for pid in sys.argv[2:]:
        if any(form in piece for piece in mappings_of(pid) for form in forms):
            print(pid)


if __name__ == "__main__":
    main()
