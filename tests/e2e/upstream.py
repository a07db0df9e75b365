# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A server on loopback with every habit that a server may have: upstream.py DIRECTORY

Speaks HTTP/1.1, on one port plainly and on two in TLS: with the certificate DIRECTORY/server.{crt,key}, which the tests'
hosts trust, and with DIRECTORY/stranger.{crt,key}, which nobody does. Writes its ports to DIRECTORY/ports, and each
connection and request to DIRECTORY/visits. A request's path says what it does: see kHabits.
"""

import base64
import contextlib
import hashlib
import os
import select
import socket
import ssl
import struct
import subprocess
import sys
import threading
import urllib.parse

kDirectory = sys.argv[1]


def note(line):
    with open(kDirectory + "/visits", "a") as f:
        f.write(line + "\n")


class Request:
    """One request, its body unread, and the way to answer it."""

    def __init__(self, stream):
        self.stream = stream
        self.method, target, self.version = stream.readline().decode("latin-1").split()
        self.path, _, query = target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query))
        self.raw_query = query
        self.headers = {}
        for line in iter(stream.readline, b"\r\n"):
            name, _, value = line.decode("latin-1").partition(":")
            self.headers[name.lower()] = value.strip()
        self.trailers = {}

    def pieces(self):
        if self.headers.get("expect") == "100-continue":
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self.headers.get("transfer-encoding") == "chunked":
            while size := int(self.stream.readline(), 16):
                yield self.stream.read(size)
                self.stream.readline()
            for line in iter(self.stream.readline, b"\r\n"):
                name, _, value = line.decode("latin-1").partition(":")
                self.trailers[name.lower()] = value.strip()
        else:
            left = int(self.headers.get("content-length", 0))
            while left:
                piece = self.stream.read(min(left, 1 << 16))
                left -= len(piece)
                yield piece

    def write(self, data):
        self.stream.write(data)

    def head(self, status, *lines):
        self.write(("HTTP/1.1 %s\r\n%s\r\n" % (status, "".join(line + "\r\n" for line in lines))).encode())

    def answer(self, text, status="200 OK", *lines):
        data = text.encode()
        self.head(status, "Content-Length: %d" % len(data), "Content-Type: text/plain", *lines)
        if self.method != "HEAD":
            self.write(data)

    def chunk(self, data):
        self.write(b"%x\r\n%s\r\n" % (len(data), data))


def hello(request):
    for _ in request.pieces():
        pass
    request.answer("hello\n")


def echo(request):
    """What came: method, headers of note, length and digest of the body, trailers."""
    digest, length = hashlib.sha256(), 0
    for piece in request.pieces():
        digest.update(piece)
        length += len(piece)
    lines = ["method " + request.method, "query " + request.raw_query, "length %d" % length, "sha256 " + digest.hexdigest()]
    lines += ["%s: %s" % item for item in sorted(request.headers.items()) if item[0] in ("host", "expect", "transfer-encoding", "x-note")]
    lines += ["trailer %s: %s" % item for item in sorted(request.trailers.items())]
    request.answer("\n".join(lines) + "\n")


def count(request):
    """How long the body is."""
    request.answer("%d\n" % sum(len(piece) for piece in request.pieces()))


def trailers(request):
    request.head("200 OK", "Transfer-Encoding: chunked", "Trailer: X-Sum")
    request.chunk(b"body\n")
    request.write(b"0\r\nX-Sum: 5\r\n\r\n")


kAcknowledged = {}
kChanged = threading.Condition()


def events(request):
    """Sends the next event only when the one before it has been acknowledged: one that is held back stops all."""
    request.head("200 OK", "Content-Type: text/event-stream", "Cache-Control: no-cache")
    name = request.query["name"]
    for number in range(1, 4):
        request.write(b"data: event %d\n\n" % number)
        with kChanged:
            if not kChanged.wait_for(lambda: kAcknowledged.get(name, 0) >= number, 60):
                break
    else:
        request.write(b"data: end\n\n")
    return "close"


def acknowledge(request):
    with kChanged:
        kAcknowledged[request.query["name"]] = int(request.query["number"])
        kChanged.notify_all()
    request.answer("ok\n")


def record(request):
    """Writes all that came to DIRECTORY/recorded, for a test that must not ask for it: it is masked on its way back."""
    body = b"".join(request.pieces())
    lines = ["%s: %s" % item for item in sorted(request.headers.items())]
    with open(kDirectory + "/recorded", "a") as f:
        f.write("%s %s %s\n" % (request.method, request.path, " | ".join([*lines, "body %d" % len(body)])))
    request.answer("recorded\n")


def mirror(request):
    """Says what came in a field and in the body, in pieces."""
    lines = "\n".join("%s: %s" % item for item in sorted(request.headers.items())) + "\n"
    request.head("200 OK", "Content-Length: %d" % len(lines), "X-Mirror: " + request.headers.get("x-api-key", "-"))
    for byte in lines.encode():
        request.write(bytes([byte]))


def redirect(request):
    request.answer("elsewhere\n", "302 Found", "Location: " + request.query["to"])


def endless(request):
    """Ends when the other side does."""
    request.head("200 OK", "Content-Type: application/octet-stream")
    while True:
        request.write(bytes(1 << 14))


def trickle(request):
    """One line at once, and then silence."""
    request.head("200 OK", "Content-Type: text/plain")
    request.write(b"first\n")
    return silent(request)


kSilent = set()


def silent(request):
    """Until the other side ends it, or somebody asks for /release."""
    kSilent.add(request.stream)
    while request.stream.read(1):
        pass
    return "close"


def release(request):
    while kSilent:
        with contextlib.suppress(OSError):  # it has gone by itself
            kSilent.pop().connection.shutdown(socket.SHUT_RDWR)
    request.answer("released\n")


def early(request):
    request.head("200 OK", "Content-Length: 1000")
    request.write(b"not all")
    return "close"


def nothing(_):
    return "close"


def garbage(request):
    request.write(os.urandom(64).replace(b"\n", b"x") + b"\x00\xff\r\n\r\n" + os.urandom(4096))
    return "close"


def large(request):
    """So many bytes as the query says."""
    left = int(request.query["size"])
    request.head("200 OK", "Content-Length: %d" % left)
    while left:
        piece = bytes(min(left, 1 << 16))
        request.write(piece)
        left -= len(piece)


def websocket(request):
    """Greets, then sends everything back, until it is told to close."""
    key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    request.head("101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: " + accept)
    request.write(b"\x81\x07welcome")
    while True:
        first, second = request.stream.read(2)
        length = second & 127
        if length == 126:
            (length,) = struct.unpack(">H", request.stream.read(2))
        mask = request.stream.read(4)
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(request.stream.read(length)))
        size = bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length)
        request.write(bytes([first]) + size + data)
        if first & 15 == 8:
            return "close"


def git(request):
    """Repositories below DIRECTORY/git, read and written over HTTP, by git itself as a CGI program."""
    body = b"".join(request.pieces())
    environment = dict(os.environ, GIT_PROJECT_ROOT=kDirectory + "/git", GIT_HTTP_EXPORT_ALL="1", REMOTE_USER="tests",
                       PATH_INFO=request.path[len("/git"):], REQUEST_METHOD=request.method, QUERY_STRING=request.raw_query,
                       CONTENT_TYPE=request.headers.get("content-type", ""), CONTENT_LENGTH=str(len(body)),
                       HTTP_CONTENT_ENCODING=request.headers.get("content-encoding", ""),
                       GIT_PROTOCOL=request.headers.get("git-protocol", ""))
    done = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE, check=True)
    head, _, data = done.stdout.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    status = next((line[8:] for line in lines if line.startswith("Status: ")), "200 OK")
    request.head(status, "Content-Length: %d" % len(data), *(line for line in lines if not line.startswith("Status: ")))
    request.write(data)


kHabits = {
    "/": hello,
    "/echo": echo,
    "/count": count,
    "/trailers": trailers,
    "/events": events,
    "/acknowledge": acknowledge,
    "/record": record,
    "/mirror": mirror,
    "/redirect": redirect,
    "/endless": endless,
    "/trickle": trickle,
    "/silent": silent,
    "/release": release,
    "/early": early,
    "/nothing": nothing,
    "/garbage": garbage,
    "/large": large,
    "/websocket": websocket,
}


class Stream:
    """A connection: what is read is buffered, what is written is not."""

    def __init__(self, connection):
        self.connection = connection
        file = connection.makefile("rb")
        self.readline = file.readline
        self.read = file.read
        self.write = connection.sendall


def serve(connection, context, port):
    note("connection %d" % port)
    try:
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        stream = Stream(connection)
        while True:
            request = Request(stream)
            note("%s %s %s" % (request.method, request.headers.get("host", "-"), request.path))
            habit = git if request.path.startswith("/git/") else kHabits.get(request.path, hello)
            if habit(request) == "close" or request.headers.get("connection") == "close":
                break
        if context:
            connection.settimeout(10)
            connection.unwrap()  # says that this was all
    except (OSError, ValueError):
        pass
    finally:
        connection.close()


def context_of(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("%s/%s.crt" % (kDirectory, name), "%s/%s.key" % (kDirectory, name))
    context.set_alpn_protocols(["http/1.1"])
    return context


def main():
    listeners = {}
    names = {}
    for name, context in (("HTTP_PORT", None), ("TLS_PORT", context_of("server")), ("STRANGER_PORT", context_of("stranger"))):
        listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        listeners[listener] = context
        names[name] = listener.getsockname()[1]
    with open(kDirectory + "/ports.new", "w") as f:
        f.writelines("%s=%d\n" % item for item in names.items())
    os.rename(kDirectory + "/ports.new", kDirectory + "/ports")
    while True:
        for listener in select.select(listeners, [], [])[0]:
            connection = listener.accept()[0]
            threading.Thread(target=serve, args=(connection, listeners[listener], listener.getsockname()[1]), daemon=True).start()


main()
