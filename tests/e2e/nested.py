# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A program in a network of the guest's own making, a container's or a namespace's, that knows of no proxy:
nested.py HTTP_PORT TLS_PORT. Says what it finds, a line for each, and then serves HTTP on port 80."""

import http.server
import os
import socket
import sys
import urllib.error
import urllib.request

kPatience = 60  # seconds; an error that comes later than this comes too late

direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def say(*words):
    print(*words, flush=True)


def get(url):
    try:
        return direct.open(url, timeout=kPatience).read().decode().strip()
    except urllib.error.HTTPError as refusal:
        return f"{refusal.code} {refusal.read().decode().splitlines()[0]}"


def send(family, kind, protocol, address):
    with socket.socket(family, kind, protocol) as s:
        s.settimeout(kPatience)
        try:
            s.connect((address, 443))
            s.send(b"\x08" + bytes(15))
            return f"answered: {s.recv(100)}"
        except socket.timeout:
            return "late"
        except OSError as error:
            return os.strerror(error.errno)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"nested\n")

    def log_message(self, *_):
        pass


say("allowed:", get(f"http://up.test:{sys.argv[1]}/"), get(f"https://up.test:{sys.argv[2]}/"))
say("refused:", get(f"http://other.test:{sys.argv[1]}/"))
say("refused in TLS:", get(f"https://other.test:{sys.argv[2]}/"))
say("name:", socket.gethostbyname("up.test").startswith("198.18."))
say("udp:", send(socket.AF_INET, socket.SOCK_DGRAM, 0, "1.2.3.4"))
say("icmp:", send(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP, "1.2.3.4"))
server = http.server.HTTPServer(("", 80), Handler)
say("serving")
server.serve_forever()
