# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Servers that do not speak HTTP: other_protocols.py DIRECTORY IMAPS_PORT

On loopback, until it is killed: one of IMAP in TLS, which speaks first, with the certificate DIRECTORY/server.{crt,key};
and on 127.77.0.1:443 one that sends back what it gets. Each connection is noted in DIRECTORY/visits.
"""

import contextlib
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


servers = [Server(("127.0.0.1", int(sys.argv[2])), Imap)]
with contextlib.suppress(PermissionError):  # an ordinary user has no port 443
    servers.append(Server(("127.77.0.1", 443), Echo))
for server in servers:
    threading.Thread(target=server.serve_forever).start()
