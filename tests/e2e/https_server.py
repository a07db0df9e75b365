# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What the HTTPS servers of the tests share: a handler that reads bodies and logs nothing, and two ways to serve."""

import http.server
import socket
import ssl


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        if self.headers.get("transfer-encoding") == "chunked":
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def log_message(self, *_):
        pass


def in_tls(listening, certificate):
    """`certificate`.crt and .key. Handshakes are made by the threads of the connections."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate + ".crt", certificate + ".key")
    return context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)


def serve(handler, certificate, port_file):
    """On a free port of 127.0.0.1, which is written to `port_file`; does not return."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = in_tls(server.socket, certificate)
    with open(port_file, "w") as f:
        f.write(str(server.server_address[1]))
    server.serve_forever()


def listener_on_443(network):
    """On an address of loopback ("127.78.0") that has its port 443 free."""
    for last in range(1, 255):
        try:
            return socket.create_server((f"{network}.{last}", 443), backlog=64)
        except OSError:
            continue
    raise SystemExit("no address is free")


def serve_on_443(handler, network, certificate, address_file):
    """On port 443 of an address that is written to `address_file`; does not return."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler, bind_and_activate=False)
    server.socket.close()
    listening = listener_on_443(network)
    server.socket = in_tls(listening, certificate)
    with open(address_file, "w") as f:
        f.write(server.socket.getsockname()[0])
    server.serve_forever()
