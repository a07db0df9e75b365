#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""image.py LAYOUT --layer TREE_OR_TAR... [--env K=V] [--user U] [--label K=V] [--entrypoint WORD] [--gzip]
[--architecture A]: makes an OCI image layout of one image. A TREE becomes a layer with the owners 0:0; of the directory
agent/, 1000:1000."""

import argparse
import gzip
import hashlib
import io
import json
import pathlib
import tarfile

parser = argparse.ArgumentParser()
parser.add_argument("layout", type=pathlib.Path)
parser.add_argument("--layer", action="append", default=[], type=pathlib.Path)
parser.add_argument("--env", action="append", default=[])
parser.add_argument("--label", action="append", default=[])
parser.add_argument("--entrypoint", action="append")
parser.add_argument("--user", default="")
parser.add_argument("--architecture", default="amd64")
parser.add_argument("--gzip", action="store_true")
arguments = parser.parse_args()
OCI = "application/vnd.oci.image."


def put(data, kind):
    digest = hashlib.sha256(data).hexdigest()
    blobs = arguments.layout / "blobs" / "sha256"
    blobs.mkdir(parents=True, exist_ok=True)
    (blobs / digest).write_bytes(data)
    return {"mediaType": OCI + kind, "digest": "sha256:" + digest, "size": len(data)}


def owned(info):
    agent = "home/agent" in info.name
    info.uid = info.gid = 1000 if agent else 0
    info.uname = info.gname = ""
    info.mtime = 0
    return info


def archive(path):
    if path.is_file():
        return path.read_bytes()
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(path.rglob("*")):
            tar.add(file, file.relative_to(path).as_posix(), recursive=False, filter=owned)
    return out.getvalue()


layers, diff_ids = [], []
for path in arguments.layer:
    plain = archive(path)
    diff_ids.append("sha256:" + hashlib.sha256(plain).hexdigest())
    layers.append(put(gzip.compress(plain, mtime=0), "layer.v1.tar+gzip") if arguments.gzip else put(plain, "layer.v1.tar"))
run = {"Env": arguments.env, "User": arguments.user, "Labels": dict(label.split("=", 1) for label in arguments.label)}
if arguments.entrypoint:
    run["Entrypoint"] = arguments.entrypoint
config = put(
    json.dumps(
        {"architecture": arguments.architecture, "os": "linux", "config": run,
         "rootfs": {"type": "layers", "diff_ids": diff_ids}}
    ).encode(),
    "config.v1+json",
)
manifest = put(
    json.dumps(
        {"schemaVersion": 2, "mediaType": OCI + "manifest.v1+json", "config": config, "layers": layers}
    ).encode(),
    "manifest.v1+json",
)
(arguments.layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [manifest]}))
(arguments.layout / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
