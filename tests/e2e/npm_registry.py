# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A registry of npm packages for those who have its token: npm_registry.py DIRECTORY TOKEN

Speaks HTTPS on a port of 127.0.0.1 (written to DIRECTORY/npm-port) with DIRECTORY/server.{crt,key}, and has one package,
`greeting` 1.0.0. Notes each request's path and Authorization in DIRECTORY/npm-visits.
"""

import io
import json
import sys
import tarfile

import https_server

kDirectory, kToken = sys.argv[1:]


def packed():
    files = {"package.json": b'{"name": "greeting", "version": "1.0.0"}', "index.js": b'module.exports = "good day"\n'}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo("package/" + name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


kArchive = packed()


class Handler(https_server.Handler):
    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        shown = self.headers.get("authorization", "none")
        with open(kDirectory + "/npm-visits", "a") as f:
            f.write(f"{self.path} {shown}\n")
        if shown != "Bearer " + kToken:
            return self.answer(401, b'{"error": "who are you?"}')
        if self.path.endswith(".tgz"):
            return self.answer(200, kArchive)
        if self.path != "/greeting":
            return self.answer(404, b'{"error": "not found"}')
        version = {"name": "greeting", "version": "1.0.0",
                   "dist": {"tarball": f"https://{self.headers['host']}/greeting/-/greeting-1.0.0.tgz"}}
        self.answer(200, json.dumps({"name": "greeting", "dist-tags": {"latest": "1.0.0"},
                                     "versions": {"1.0.0": version}}).encode())


https_server.serve(Handler, kDirectory + "/server", kDirectory + "/npm-port")
