#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""No file names the mirrors and registries of the machine that it was written on."""

import os
import pathlib
import re

from repository import report, text, tracked

# Everybody's, and so no secret of anybody's machine.
PUBLIC = re.compile(r"(^|\.)(debian\.org|ubuntu\.com|docker\.com|npmjs\.org|pypi\.org|github\.com)$")
HOST = re.compile(r"https?://(?:[^/@\s]*@)?([A-Za-z0-9.-]+\.[A-Za-z]{2,})")
VARIABLES = ["npm_config_registry", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "GOPROXY", "CARGO_REGISTRIES_DEFAULT_INDEX"]


def configured():
    apt = pathlib.Path("/etc/apt")
    files = [apt / "sources.list", *apt.glob("sources.list.d/*"), *apt.glob("apt.conf.d/*")]
    texts = [file.read_text(errors="replace") for file in files if file.is_file() and os.access(file, os.R_OK)]
    texts += [os.environ.get(name, "") for name in VARIABLES]
    # Comments hold addresses too, but nobody's mirror.
    lines = [line for text in texts for line in text.splitlines() if not line.lstrip().startswith(("#", "//"))]
    return {host.lower() for host in HOST.findall("\n".join(lines)) if not PUBLIC.search(host.lower())}


HOSTS = configured()
report([f"{path}: names {host}" for path in tracked() for host in sorted(HOSTS) if host in text(path).lower()])
