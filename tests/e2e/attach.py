#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""attach.py SOCKET TARGET WHAT...: POSTs TARGET to the daemon with the descriptors of WHAT, and prints the answer's status
and body. WHAT: a path; pipe; nothing at all."""

import array
import os
import socket
import sys


def descriptor(what):
    if what == "pipe":
        return os.pipe()[0]
    return os.open(what, os.O_RDONLY)


def main():
    path, target, *attached = sys.argv[1:]
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", map(descriptor, attached)))] if attached else []
    request = f"POST {target} HTTP/1.1\r\nHost: sandboxd\r\nSandbox-Archive: attached\r\nConnection: close\r\n\r\n"
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.connect(path)
        daemon.sendmsg([request.encode()], rights)
        answer = b"".join(iter(lambda: daemon.recv(65536), b"")).decode()
    head, _, body = answer.partition("\r\n\r\n")
    print(head.split()[1], body)


main()
