# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A stub resolver for the guest: dns.py udp|tcp SERVER NAME TYPE. Prints the response code and each answer."""

import ipaddress
import random
import socket
import struct
import sys

kTypes = {"A": 1, "PTR": 12, "TXT": 16, "AAAA": 28, "HTTPS": 65, "ANY": 255}


def query(name, kind):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.rstrip(".").split("."))
    return struct.pack(">6H", random.randrange(1 << 16), 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", kTypes[kind], 1)


def asked(how, server, message):
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    s = socket.socket(family, socket.SOCK_STREAM if how == "tcp" else socket.SOCK_DGRAM)
    s.settimeout(30)
    s.connect((server, 53))
    if how == "udp":
        s.send(message)
        return s.recv(65535)
    s.sendall(struct.pack(">H", len(message)) + message)
    stream = s.makefile("rb")
    return stream.read(struct.unpack(">H", stream.read(2))[0])


def name_at(message, at):
    labels = []
    while length := message[at]:
        if length >= 192:
            return ".".join(labels + [name_at(message, (length & 63) << 8 | message[at + 1])[0]]), at + 2
        labels.append(message[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels), at + 1


def answers(message):
    count = struct.unpack(">H", message[6:8])[0]
    at = name_at(message, 12)[1] + 4
    for _ in range(count):
        at = name_at(message, at)[1]
        kind, _, _, length = struct.unpack(">HHIH", message[at : at + 10])
        data = message[at + 10 : at + 10 + length]
        yield name_at(message, at + 10)[0] if kind == 12 else str(ipaddress.ip_address(data))
        at += 10 + length


message = query(sys.argv[3], sys.argv[4])
reply = asked(sys.argv[1], sys.argv[2], message)
assert reply[:2] == message[:2]
print("code", reply[3] & 15)
for answer in answers(reply):
    print(answer)
