#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints a port of the loopback that a server may have. It is one that the kernel gives to no connection by itself: until
the server listens, one of those could be taken by any client of another suite."""

import random
import socket

first = int(open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii").read().split()[0])
for port in random.sample(range(15000, max(first, 16000)), 500):
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        continue
    print(port)
    break
else:
    raise SystemExit("no port is free")
