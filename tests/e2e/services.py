# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The servers of every service that has credentials, on loopback: services.py DIRECTORY

Speaks HTTPS on port 443 of an address of its own (written to DIRECTORY/services-address) with DIRECTORY/services.{crt,key}.
Notes of each request the host and every field that may carry a credential in DIRECTORY/services-visits, as JSON.
/redirect?to=URL answers with a redirect. /repo.git/ is a git repository (DIRECTORY/repo.git) that takes pushes of
the user x-access-token with the password of DIRECTORY/git-password.
"""

import base64
import json
import os
import subprocess
import sys
import urllib.parse

import https_server

kDirectory = sys.argv[1]
kFields = ("authorization", "x-api-key", "x-goog-api-key", "x-key")


def note(line):
    with open(kDirectory + "/services-visits", "a") as f:
        f.write(json.dumps(line) + "\n")


class Handler(https_server.Handler):
    def answer(self, status, body=b"", *fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def git(self, path, query, body):
        """git http-backend, for whoever has the password."""
        with open(kDirectory + "/git-password") as f:
            wanted = "Basic " + base64.b64encode(b"x-access-token:" + f.read().strip().encode()).decode()
        if self.headers.get("authorization") != wanted:
            return self.answer(401, b"", ("WWW-Authenticate", 'Basic realm="git"'))
        environment = {**os.environ, "GIT_PROJECT_ROOT": kDirectory, "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "x",
                       "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                       "CONTENT_TYPE": self.headers.get("content-type", ""), "CONTENT_LENGTH": str(len(body))}
        if self.headers.get("content-encoding"):
            environment["HTTP_CONTENT_ENCODING"] = self.headers["content-encoding"]
        out = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        fields = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        return self.answer(status, rest, *[field for field in fields if field[0] != "Status"])

    def any(self):
        path, _, query = self.path.partition("?")
        body = self.body()
        note({"host": self.headers.get("host"), "path": path,
              **{name: self.headers[name] for name in kFields if self.headers.get(name)}})
        if path.startswith("/repo.git/"):
            return self.git(path, query, body)
        if path == "/redirect":
            return self.answer(302, b"", ("Location", dict(urllib.parse.parse_qsl(query))["to"]))
        return self.answer(200, b"{}", ("Content-Type", "application/json"))

    do_GET = do_POST = do_PUT = any


https_server.serve_on_443(Handler, "127.79.0", kDirectory + "/services", kDirectory + "/services-address")
