# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A WebSocket client for the guest: websocket.py HOST PORT [PROXY_HOST PROXY_PORT]. Prints what it is told."""

import base64
import os
import socket
import ssl
import struct
import sys


def connected(host, port, proxy):
    stream = socket.create_connection(proxy or (host, port), 60)
    if proxy:
        stream.sendall(b"CONNECT %s:%d HTTP/1.1\r\nHost: %s:%d\r\n\r\n" % (host.encode(), port, host.encode(), port))
        head(stream)
    return ssl.create_default_context().wrap_socket(stream, server_hostname=host)


def head(stream):
    text = b""
    while not text.endswith(b"\r\n\r\n"):
        byte = stream.recv(1)
        if not byte:
            sys.exit("closed after %r" % text)
        text += byte
    return text.decode()


def exactly(stream, size):
    data = b""
    while len(data) < size:
        piece = stream.recv(size - len(data))
        if not piece:
            sys.exit("closed after %r" % data)
        data += piece
    return data


def receive(stream):
    kind, length = exactly(stream, 2)
    if length == 126:
        (length,) = struct.unpack(">H", exactly(stream, 2))
    return kind & 15, exactly(stream, length)


def send(stream, kind, data):
    mask = os.urandom(4)
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    stream.sendall(bytes([0x80 | kind]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    stream = connected(host, port, (sys.argv[3], int(sys.argv[4])) if len(sys.argv) > 3 else None)
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(("GET /websocket HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (host, port, key)).encode())
    print(head(stream).splitlines()[0])
    print(receive(stream)[1].decode())  # the server speaks first
    for text in (b"one", b"x" * 5000):
        send(stream, 1, text)
        print(receive(stream) == (1, text))
    send(stream, 8, b"")
    print("closed" if receive(stream)[0] == 8 and stream.recv(1) == b"" else "open")


main()
