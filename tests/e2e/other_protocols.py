# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Servers that do not speak HTTP: other_protocols.py DIRECTORY IMAPS_PORT

On loopback, until it is killed: one of IMAP in TLS, which speaks first, with the certificate DIRECTORY/server.{crt,key};
and on port 443 of the address that DIRECTORY/echo-address names one that sends back what it gets. Each connection is noted
in DIRECTORY/visits.
"""

import contextlib
import errno
import socketserver
import ssl
import sys
import threading

kDirectory = sys.argv[1]


def note(line):
    with open(kDirectory + "/visits", "a") as f:
        f.write(line + "\n")


class Imap(socketserver.StreamRequestHandler):
    def setup(self):
        note("connection to imaps")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(kDirectory + "/server.crt", kDirectory + "/server.key")
        context.set_alpn_protocols(["imap"])
        self.request = context.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self):
        self.wfile.write(b"* OK IMAP4rev1 ready\r\n")
        for line in self.rfile:
            tag, command = line.split()[:2]
            untagged = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n", b"LOGOUT": b"* BYE\r\n"}
            self.wfile.write(untagged.get(command.upper(), b"") + tag + b" OK done\r\n")
            if command.upper() == b"LOGOUT":
                return


class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        note("connection to echo")
        for line in self.rfile:
            self.wfile.write(line)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def echo_server():
    """Several of these may run at once."""
    for last in range(1, 255):
        try:
            return Server((f"127.77.0.{last}", 443), Echo)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "port 443 of 127.77.0.0/24")


servers = []
with contextlib.suppress(PermissionError):  # an ordinary user has no port 443
    servers.append(echo_server())
    with open(kDirectory + "/echo-address", "w") as f:
        f.write(servers[0].server_address[0])
servers.append(Server(("127.0.0.1", int(sys.argv[2])), Imap))
for server in servers:
    threading.Thread(target=server.serve_forever).start()
