#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""secret_in_files.py SECRET PATH...: prints those of the files, also below directories, that have the secret in them, in any
of the forms that secret_in_memory.py looks for. Archives and disk images are looked through as they are."""
import os
import stat
import sys

from secret_in_memory import forms_of


def files_in(path):
    if not os.path.isdir(path):
        yield path
    for directory, _, names in os.walk(path):
        for name in names:
            yield os.path.join(directory, name)


def pieces_of(path):
    """Each with the end of the one before; of a sparse file only what is there."""
    with open(path, "rb", 0) as file:
        at, end, tail = 0, os.fstat(file.fileno()).st_size, b""
        while at < end:
            try:
                data = os.lseek(file.fileno(), at, os.SEEK_DATA)
            except OSError:
                return  # a hole to its end
            piece = os.pread(file.fileno(), min(1 << 24, os.lseek(file.fileno(), data, os.SEEK_HOLE) - data), data)
            if not piece:
                return
            yield (tail if data == at else b"") + piece
            at, tail = data + len(piece), piece[-512:]


def has_any(path, forms):
    return any(form in piece for piece in pieces_of(path) for form in forms)


def main():
    forms = set(forms_of(sys.argv[1].encode()))
    for path in sys.argv[2:]:
        for file in files_in(path):
            if stat.S_ISREG(os.lstat(file).st_mode) and has_any(file, forms):
                print(file)


main()
