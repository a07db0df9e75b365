# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A registry that keeps its blobs elsewhere: redirecting_registry.py DIRECTORY LAYOUT LOGIN

Speaks HTTPS on a port of 127.0.0.1 (written to DIRECTORY/redirecting-port) with DIRECTORY/server.{crt,key}. It has the image of
the OCI layout LAYOUT under any name. A client with the LOGIN, which is base64 of user:password, is redirected to /store for a
blob, with a signature, as to the storage of a cloud; one without it to /login, a page for people. Notes the path and the number
of bytes of each answer of the store in DIRECTORY/redirecting-sent.
"""

import json
import pathlib
import secrets
import sys
import urllib.parse

import https_server

kDirectory, kLayout, kLogin = sys.argv[1:]
kBlobs = pathlib.Path(kLayout, "blobs/sha256")
kManifest = json.loads(pathlib.Path(kLayout, "index.json").read_text())["manifests"][0]
signatures = set()  # each is good for as many requests as are made with it


class Handler(https_server.Handler):
    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path.startswith("/store/"):
            return self.store(url)
        if url.path == "/login":
            return self.answer(200, b"<html>Who are you?</html>", Content_Type="text/html")
        if not url.path.startswith("/v2/"):
            return self.answer(404)
        self.registry(url.path)

    def registry(self, path):
        has_login = self.headers.get("authorization") == "Basic " + kLogin
        if "/blobs/" in path:
            return self.redirect(path.rpartition(":")[2] if has_login else None)
        if not has_login:
            return self.answer(401, WWW_Authenticate='Basic realm="test"')
        if "/manifests/" not in path:
            return self.answer(200)
        digest = kManifest["digest"]
        self.answer(200, (kBlobs / digest[7:]).read_bytes(), Content_Type=kManifest["mediaType"], Docker_Content_Digest=digest)

    def redirect(self, digest):
        place = "/login"
        if digest:
            signatures.add(secrets.token_hex(8))
            place = f"/store/{digest}?signature={max(signatures)}"
        self.answer(307, Location=f"https://{self.headers['host']}{place}")

    def store(self, url):
        blob = kBlobs / url.path.rpartition("/")[2]
        if url.query.removeprefix("signature=") not in signatures or not blob.is_file():
            return self.answer(403)
        content = blob.read_bytes()
        if self.headers.get("range") == "bytes=0-0":
            status, body, fields = 206, content[:1], {"Content_Range": f"bytes 0-0/{len(content)}"}
        else:
            status, body, fields = 200, content, {}
        with open(kDirectory + "/redirecting-sent", "a") as f:
            f.write(f"{url.path} {len(body)}\n")
        self.answer(status, body, **fields)

    do_HEAD = do_GET


https_server.serve(Handler, kDirectory + "/server", kDirectory + "/redirecting-port")
