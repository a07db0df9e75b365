# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What the style tests share: the files of the repository and the way to report."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tracked(*patterns):
    """Files under version control, and those about to be, as paths relative to ROOT."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        capture_output=True, text=True, check=False,
    )
    if listed.returncode != 0:
        skip("not a git repository: " + listed.stderr.strip())
    return sorted({pathlib.Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()})


def text(path):
    return (ROOT / path).read_text(errors="replace")


def skip(reason):
    print(reason)
    sys.exit(77)


def report(problems):
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
