#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""secret_in_memory.py SECRET PID...: prints those of the processes that have the secret in their memory: as it is, as
base64 in each of its three positions, or percent-encoded."""
import array
import base64
import os
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


kPiece = 1 << 20
kPage = os.sysconf("SC_PAGESIZE")


def is_untouched(pagemap, at, size):
    """Of memory without a file: no page of it is present or swapped out, so that it reads as zeros. Runtimes reserve much."""
    pages = array.array("Q", os.pread(pagemap.fileno(), size // kPage * 8, at // kPage * 8))
    return len(pages) > 0 and max(pages) >> 62 == 0


def mappings_of(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory, \
            open(f"/proc/{pid}/pagemap", "rb", 0) as pagemap:
        for line in maps:
            begin, end, rights, inode = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)", line).groups()
            if "r" not in rights or "[v" in line:
                continue
            at, end = int(begin, 16), int(end, 16)
            tail = b""
            while at < end:
                size = min(end - at, kPiece)
                if inode == "0" and is_untouched(pagemap, at, size):
                    tail, at = b"", at + size
                    continue
                try:
                    memory.seek(at)
                    piece = memory.read(size)
                except (OSError, OverflowError, ValueError):
                    break  # no page is there
                if not piece:
                    break
                yield tail + piece
                tail, at = piece[-512:], at + len(piece)


def main():
    forms = set(forms_of(sys.argv[1].encode()))
    for pid in sys.argv[2:]:
        if any(form in piece for piece in mappings_of(pid) for form in forms):
            print(pid)


if __name__ == "__main__":
    main()
