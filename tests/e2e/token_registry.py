# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A registry that gives out tokens, as Docker Hub does: token_registry.py DIRECTORY LAYOUT LOGIN

Speaks HTTPS on a port of 127.0.0.1 (written to DIRECTORY/token-port) with DIRECTORY/server.{crt,key}. It has the image of the
OCI layout LAYOUT under any name, for a token that /token gives to the LOGIN, which is base64 of user:password. Notes each
request's path and Authorization in DIRECTORY/token-visits.
"""

import json
import pathlib
import sys
import urllib.parse

import https_server

kDirectory, kLayout, kLogin = sys.argv[1:]
kBlobs = pathlib.Path(kLayout, "blobs/sha256")
kManifest = json.loads(pathlib.Path(kLayout, "index.json").read_text())["manifests"][0]
kToken = "token-of-a-moment"


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
        shown = self.headers.get("authorization", "none")
        with open(kDirectory + "/token-visits", "a") as f:
            f.write(f"{self.path} {shown}\n")
        path = urllib.parse.urlsplit(self.path).path
        if path == "/token":
            if shown != "Basic " + kLogin:
                return self.answer(401)
            return self.answer(200, json.dumps({"token": kToken, "expires_in": 60}).encode(), Content_Type="application/json")
        if shown != "Bearer " + kToken:
            realm = f"https://{self.headers['host']}/token"
            return self.answer(401, WWW_Authenticate=f'Bearer realm="{realm}",service="test"')
        if "/manifests/" in path:
            digest = kManifest["digest"]
            return self.answer(200, (kBlobs / digest[7:]).read_bytes(), Content_Type=kManifest["mediaType"],
                               Docker_Content_Digest=digest)
        blob = kBlobs / path.rpartition("sha256:")[2]
        if "/blobs/" in path and blob.is_file():
            return self.answer(200, blob.read_bytes(), Content_Type="application/octet-stream")
        self.answer(200 if path == "/v2/" else 404)

    do_HEAD = do_GET


https_server.serve(Handler, kDirectory + "/server", kDirectory + "/token-port")
