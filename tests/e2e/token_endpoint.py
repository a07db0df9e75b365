# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Where two model makers give out the next tokens of a login, on loopback: token_endpoint.py DIRECTORY

Speaks HTTPS with DIRECTORY/tokens.{crt,key}, and HTTP as a proxy whose every CONNECT leads there: the daemon finds it by
https_proxy, whose value is written to DIRECTORY/token-proxy. A refresh token works once: the first is that of
DIRECTORY/refresh-token, which has the next one after each answer; one that has been used is refused, as is any other. Each
request is noted in DIRECTORY/token-requests: host, path, and the body as JSON. DIRECTORY/token-mode may say "drop" (the
request is read and never answered), "fail" (HTTP 503) or "slow" (the answer waits until the file says something else).
"""

import http.server
import json
import os
import select
import socket
import ssl
import sys
import threading
import time

kDirectory = sys.argv[1]
kLock = threading.Lock()


def content(name, otherwise=""):
    try:
        with open(f"{kDirectory}/{name}") as f:
            return f.read().strip()
    except FileNotFoundError:
        return otherwise


def write(name, text):
    with open(f"{kDirectory}/{name}.new", "w") as f:
        f.write(text)
    os.rename(f"{kDirectory}/{name}.new", f"{kDirectory}/{name}")


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        with open(kDirectory + "/token-requests", "a") as f:
            f.write(json.dumps({"host": self.headers.get("host"), "path": self.path, **request}) + "\n")
        while content("token-mode") == "slow":
            time.sleep(0.05)
        if content("token-mode") == "drop":
            self.close_connection = True
            return None
        if content("token-mode") == "fail":
            return self.answer(503, {"error": "temporarily_unavailable"})
        with kLock:
            if request.get("refresh_token") != content("refresh-token"):
                return self.answer(400, {"error": "invalid_grant", "error_description": "used"})
            number = int(content("generation", "1")) + 1
            write("generation", str(number))
            write("refresh-token", f"real-refresh-{number}")
        return self.answer(200, {"access_token": f"real-access-{number}", "refresh_token": f"real-refresh-{number}",
                                 "expires_in": int(content("life", "28800")), "token_type": "Bearer"})

    def log_message(self, *_):
        pass


def relay(one, other):
    with one, other:
        while True:
            for ready in select.select([one, other], [], [])[0]:
                piece = ready.recv(65536)
                if not piece:
                    return
                (other if ready is one else one).sendall(piece)


class Proxy(http.server.BaseHTTPRequestHandler):
    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        relay(self.connection, socket.create_connection(endpoint.server_address))

    def log_message(self, *_):
        pass


endpoint = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(kDirectory + "/tokens.crt", kDirectory + "/tokens.key")
endpoint.socket = context.wrap_socket(endpoint.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
write("token-proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
proxy.serve_forever()
