#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""docs/openapi.yaml and the server say the same: the same paths and methods, answers of exactly the documented shape, and
schemas with the members and types that the sources describe.

usage: openapi_test.py FAKE_SERVER SCHEMAS OPENAPI_YAML
"""
import hashlib
import http.client
import http.server
import io
import json
import os
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

SERVER, SCHEMAS, DOCUMENT = sys.argv[1], sys.argv[2], sys.argv[3]
# Schemas without a described value: the policy's file has a form of its own (src/policy/rules_file.cc), and variables and
# labels are maps, which the schemas that have them name.
UNDESCRIBED = {"Rules", "Environment", "Labels"}
# Words of an enum that no client ever gets: what an old client makes of a newer daemon's, and what shims say.
NEVER_SENT = {"AuditEntry.action": {"unknown"}, "Event.kind": {"unknown", "ending", "mcp"}, "SandboxInfo.status": {"unknown"}, "SessionInfo.state": {"unknown"}}
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
TYPES = {"string": str, "boolean": bool, "array": list, "object": dict}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def tree(name, text=""):
    """A tar archive with one file in it."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        member = tarfile.TarInfo(name)
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text.encode()))
    return archive.getvalue()


class Registry(http.server.ThreadingHTTPServer):
    """As much of a registry as one image needs: some/image."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), RegistryHandler)
        self.blobs = {}
        layer = self.blob(tree("file"), "layer.v1.tar")
        config = {"os": "linux", "architecture": "amd64", "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
                  "config": {"Env": ["A=1"]}, "history": [{"created_by": "COPY file /"}]}
        manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "layers": [layer],
                    "config": self.blob(json.dumps(config).encode(), "config.v1+json")}
        self.manifest = json.dumps(manifest).encode()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def blob(self, data, kind):
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": digest, "size": len(data)}


class RegistryHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        last = self.path.rsplit("/", 1)[1]
        body = self.server.manifest if "/manifests/" in self.path else self.server.blobs.get(last, b"{}")
        self.send_response(200)
        self.send_header("Content-Type", MANIFEST if "/manifests/" in self.path else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def has_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Schema:
    """The part of JSON Schema that the document uses."""

    def __init__(self, document):
        self.document = document

    def resolve(self, node):
        while "$ref" in node:
            target = self.document
            for part in node["$ref"][2:].split("/"):
                target = target[part]
            node = target
        return node

    def faults(self, value, node, where="answer"):
        node = self.resolve(node)
        if not has_type(value, node["type"]):
            return [f"{where} is not of type {node['type']}: {value!r}"]
        found = []
        if "enum" in node and value not in node["enum"]:
            found.append(f"{where} is none of {node['enum']}: {value!r}")
        if node["type"] == "array":
            for i, item in enumerate(value):
                found += self.faults(item, node["items"], f"{where}[{i}]")
        if node["type"] == "object":
            found += self.object_faults(value, node, where)
        return found

    def object_faults(self, value, node, where):
        known, other = node.get("properties", {}), node.get("additionalProperties", True)
        found = [f"{where}.{name} is missing" for name in node.get("required", []) if name not in value]
        for name, member in value.items():
            if name in known:
                found += self.faults(member, known[name], f"{where}.{name}")
            elif other is False:
                found.append(f"{where}.{name} is not documented")
            elif isinstance(other, dict):
                found += self.faults(member, other, f"{where}.{name}")
        return found


class Comparison:
    """What differs between a documented schema and one that a program has printed."""

    def __init__(self, document):
        self.resolve = Schema(document).resolve

    def faults(self, node, described, where):
        # A schema with a name of its own: what is required of it is compared where it is named.
        own = "$ref" not in node
        where = where if own else node["$ref"].rsplit("/", 1)[1]
        node = self.resolve(node)
        if node.get("type") != described["type"]:
            return [f"{where} is documented as {node.get('type')} and is {described['type']}"]
        found = self.enum_faults(node, described, where)
        if "items" in described:
            found += self.faults(node["items"], described["items"], f"{where}[]")
        if "additionalProperties" in described:
            found += self.faults(node["additionalProperties"], described["additionalProperties"], f"{where}.*")
        if "properties" in described:
            found += self.object_faults(node, described, where, own)
        return found

    @staticmethod
    def enum_faults(node, described, where):
        words = set(described.get("enum", [])) - NEVER_SENT.get(where, set())
        documented = set(node.get("enum", []))
        return [] if words == documented else [f"{where}: documented words {sorted(documented)}, real ones {sorted(words)}"]

    def object_faults(self, node, described, where, own):
        documented, real = node.get("properties", {}), described["properties"]
        found = [f"{where}.{name} is not documented" for name in real if name not in documented]
        found += [f"{where}.{name} is documented and does not exist" for name in documented if name not in real]
        for name in real:
            if name in documented:
                found += self.faults(documented[name], real[name], f"{where}.{name}")
        if own and set(node.get("required", [])) != set(described.get("required", [])):
            found.append(f"{where}: documented as required {sorted(node.get('required', []))}, "
                         f"and it is {sorted(described.get('required', []))}")
        if node.get("additionalProperties") is not False:
            found.append(f"{where}: additionalProperties is not false")
        return found


class OpenApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(DOCUMENT, encoding="utf-8") as file:
            cls.document = yaml.safe_load(file)
        cls.schema = Schema(cls.document)
        cls.directory = tempfile.TemporaryDirectory()
        cls.server = subprocess.Popen([SERVER, cls.directory.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
        cls.routes = set()
        for line in cls.server.stdout:
            if line.strip() == "serving":
                break
            method, pattern = line.split()
            cls.routes.add((pattern, method.lower()))

    @classmethod
    def tearDownClass(cls):
        cls.server.communicate("")
        assert cls.server.returncode == 0, cls.server.returncode
        cls.directory.cleanup()

    def documented(self):
        return {(path, method) for path, methods in self.document["paths"].items() for method in methods}

    def call(self, method, path, body=None, name="box", session="1", key="", query="", headers=None, read=True):
        connection = UnixConnection(os.path.join(self.directory.name, "home/sandboxd.sock"))
        text = body if body is None or isinstance(body, bytes) else json.dumps(body)
        resource = path.replace("{name}", name).replace("{session}", session).replace("{key}", key)
        resource = resource.replace("{secret}", "anthropic").replace("{lease}", "none").replace("{binding}", "anthropic")
        connection.request(method.upper(), resource + query, text, headers or {})
        response = connection.getresponse()
        kind = response.getheader("Content-Type", "").split(";")[0]
        self.check(path, method, response.status, kind, response.read() if read else None)
        self.addCleanup(connection.close)
        return response.status

    def check(self, path, method, status, kind, body):
        """The answer is one that the document has for this path and method, and has exactly its shape."""
        what = f"{method} {path} -> {status}"
        responses = self.document["paths"][path][method]["responses"]
        if status >= 400:
            self.assertIn("default", responses, what)
        else:
            self.assertIn(str(status), responses, what)
        content = self.schema.resolve(responses.get(str(status), responses["default"])).get("content", {})
        if not content:
            self.assertFalse(body, what)
            return
        self.assertIn(kind, content, what)
        if kind == "application/json":
            self.assertEqual(self.schema.faults(json.loads(body), content[kind]["schema"]), [], what)
        self.seen.add((path, method, str(status) if status < 400 else "default"))

    def test_every_schema_has_the_members_that_the_sources_describe(self):
        printed = json.loads(subprocess.run([SCHEMAS], capture_output=True, text=True, check=True).stdout)
        documented = self.document["components"]["schemas"]
        self.assertEqual(set(documented) - UNDESCRIBED, set(printed))
        comparison = Comparison(self.document)
        found = {fault for name, schema in printed.items() for fault in comparison.faults(documented[name], schema, name)}
        self.assertFalse(found, "\n".join(["", *sorted(found)]))

    seen = set()

    def test_every_path_is_routed_and_every_route_is_documented(self):
        self.assertEqual(self.documented(), self.routes)

    def test_every_answer_has_the_documented_shape(self):
        self.seen.clear()
        workspace = os.path.join(self.directory.name, "project")
        mount = {"source": workspace, "target": workspace, "readonly": False}
        create = {"agent": "shell", "name": "box", "workspaces": [mount], "reuse": True, "environment": {"A": "1"}}
        port = {"host_ip": "127.0.0.1", "host_port": 8080, "port": 80}
        vm = {"agent_name": "some", "workspace_dir": workspace}
        box = "/sandboxes/{name}"
        registry = Registry()
        self.addCleanup(registry.server_close)
        self.addCleanup(registry.shutdown)
        image = f"127.0.0.1:{registry.server_port}/some/image"
        template, events = "/templates/{name}", {"Accept": "text/event-stream"}
        with open(os.path.join(self.directory.name, "agents.json"), "w", encoding="utf-8") as file:
            json.dump({"agents": [{"name": "theirs", "command": ["theirs"], "template": image}]}, file)
        steps = [
            ("get", "/version", {}, 200),
            ("post", "/vm", {"body": vm}, 201),
            ("post", "/vm", {"body": vm}, 200),
            ("post", "/vm", {"body": {}}, 400),
            ("get", "/vm", {}, 200),
            ("post", "/sandboxes", {"body": create}, 201),
            ("post", "/sandboxes", {"body": create}, 200),
            ("post", "/sandboxes", {"body": create, "headers": {"Accept": "text/event-stream"}}, 200),
            ("post", "/sandboxes", {"body": {**create, "reuse": False}}, 409),
            ("post", "/sandboxes", {"body": {"name": "box", "reuse": True, "start": True}}, 200),
            ("post", "/sandboxes", {"body": {"name": "none", "reuse": True, "start": True}}, 404),
            ("post", "/sandboxes", {"body": {"name": "box", "start": True}}, 400),
            ("post", box + "/start", {}, 200),
            ("post", box + "/start", {"name": "none"}, 404),
            ("get", "/sandboxes", {}, 200),
            ("get", box, {}, 200),
            ("get", box, {"name": "none"}, 404),
            ("post", box + "/exec", {"body": {"command": ["true"], "detach": True}}, 200),
            ("post", box + "/exec", {"body": {"command": []}}, 400),
            ("get", box + "/sessions", {}, 200),
            ("get", box + "/sessions", {"name": "none"}, 404),
            ("post", box + "/sessions/{session}/attach", {"body": {}}, 400),
            ("delete", box + "/sessions/{session}", {}, 200),
            ("delete", box + "/sessions/{session}", {"session": "2"}, 404),
            ("delete", box + "/sessions/{session}", {"session": "x"}, 400),
            ("get", box + "/logs", {"query": "?tail=3&follow=0"}, 200),
            ("get", box + "/logs", {"query": "?tail=x"}, 400),
            ("get", box + "/logs", {"query": "?console=1"}, 400),
            ("get", box + "/network/policy", {}, 200),
            ("post", box + "/network/policy", {"body": {"edits": [{"name": "policy", "value": "deny"}]}}, 200),
            ("post", box + "/network/policy", {"body": {"edits": [{"name": "allow-cidr", "value": "10.0.0.0/24"}]}}, 200),
            ("post", box + "/network/policy", {"body": {"edits": []}}, 400),
            ("post", box + "/network/policy", {"body": {"edits": [{"name": "allow-host", "value": "a..b"}]}}, 400),
            ("get", box + "/network/check", {"query": "?target=example.com"}, 200),
            ("get", box + "/network/check", {"query": "?target=a%20b"}, 400),
            ("get", box + "/network/check", {"query": "?target=x", "name": "none"}, 404),
            ("post", box + "/network/ports", {"body": {"publish": [port]}}, 200),
            ("post", box + "/network/ports", {"body": {"publish": [port]}}, 409),
            ("get", box + "/network/ports", {}, 200),
            ("post", box + "/network/hosts", {"body": {"hosts": [{"name": "db.test", "address": "10.0.0.1"}]}}, 200),
            ("post", box + "/network/hosts", {"body": {"hosts": [{"name": "db.test", "address": "ten"}]}}, 400),
            ("post", box + "/mcp", {"body": {"grant": [{"name": "web", "url": "https://web.test/mcp"}]}}, 200),
            ("post", box + "/mcp", {"body": {"grant": [{"name": "none"}]}}, 404),
            ("post", box + "/mcp", {"body": {"revoke": ["none"]}}, 404),
            ("post", box + "/mcp", {"body": {"grant": [{"name": "NONE"}]}}, 400),
            ("get", box + "/mcp", {}, 200),
            ("get", "/secrets/status", {}, 200),
            ("post", "/secrets", {"body": {"name": "anthropic", "value": "sk-1"}}, 204),
            ("post", "/secrets", {"body": {"name": "anthropic", "value": "sk-2"}}, 409),
            ("post", "/secrets", {"body": b"{no json"}, 400),
            ("get", "/secrets", {}, 200),
            ("post", "/secrets/{secret}/lease", {"body": {"ttl_s": 60, "client_id": "test"}}, 200),
            ("post", "/secrets/{secret}/lease", {"body": {"ttl_s": 90000}}, 400),
            ("get", "/leases", {}, 200),
            ("delete", "/leases/{lease}", {}, 404),
            ("delete", "/leases", {}, 200),
            ("post", "/bindings", {"body": {"secret": "anthropic", "hosts": ["a.test"], "header": "X-Key", "sandbox": "box", "ttl_s": 60}}, 201),
            ("post", "/bindings", {"body": {"secret": "anthropic"}}, 400),
            ("get", "/bindings", {}, 200),
            ("get", box + "/credentials", {}, 200),
            ("get", box + "/network/check", {"query": "?target=https://api.anthropic.com"}, 200),
            ("delete", "/bindings/{binding}", {}, 204),
            ("get", "/secrets/audit", {"query": "?tail=2"}, 200),
            ("get", "/secrets/audit", {"query": "?tail=x"}, 400),
            ("get", "/secrets/audit/verify", {}, 200),
            ("delete", "/secrets/{secret}", {}, 204),
            ("delete", "/secrets/{secret}", {}, 404),
            ("get", "/network/log", {}, 200),
            ("get", "/network/log", {"query": "?sandbox=none"}, 404),
            ("get", "/network/log", {"query": "?limit=x"}, 400),
            ("get", "/network/log", {"query": "?follow=1", "read": False}, 200),
            ("get", "/events", {"read": False}, 200),
            ("delete", box, {"query": "?stopped=1"}, 409),
            ("get", "/system/df", {"query": "?sandbox=box"}, 200),
            ("post", box + "/stop", {"body": {"grace_ms": 100}}, 200),
            ("post", box + "/save", {"body": {"tag": "saved:1"}}, 201),
            ("post", box + "/save", {"body": {"tag": "saved:1"}, "headers": {"Accept": "text/event-stream"}}, 200),
            ("post", box + "/save", {"body": {"tag": "Not A Name"}}, 400),
            ("get", "/templates/{name}/archive", {"name": "saved:1"}, 200),
            ("get", "/templates/{name}/archive", {"name": "none"}, 404),
            ("delete", box, {}, 204),
            ("delete", box, {}, 404),
            ("delete", "/vm/{name}", {"name": "some-vm"}, 204),
            ("delete", "/vm/{name}", {"name": "some-vm"}, 404),
            ("get", "/agents", {}, 200),
            ("post", "/agents/{name}/update", {"name": "theirs", "body": {}}, 200),
            ("post", "/agents/{name}/update", {"name": "theirs", "body": {}, "headers": events}, 200),
            ("post", "/agents/{name}/update", {"name": "theirs", "body": {"version": "1.0"}}, 400),
            ("post", "/agents/{name}/update", {"name": "none", "body": {}}, 404),
            ("post", "/templates/build", {"body": tree("Dockerfile", f"FROM {image}\nLABEL a=b\n"), "query": "?build=%7B%22tag%22:%22built:1%22%7D"}, 200),
            ("post", "/templates/build", {"body": tree("Dockerfile"), "query": "?build=%7B%7D"}, 400),
            ("post", "/templates/load", {"body": tree("etc"), "query": "?tag=tree:1"}, 200),
            ("post", "/templates/load", {"body": tree("etc"), "query": "?tag=tree:1", "headers": events}, 200),
            ("post", "/templates/load", {"body": tree("etc")}, 400),
            ("post", "/templates/load", {"body": b"no archive", "query": "?tag=a"}, 400),
            ("post", "/templates/pull", {"body": {"name": image}}, 200),
            ("post", "/templates/pull", {"body": {"name": image, "from": "registry"}, "headers": events}, 200),
            ("post", "/templates/pull", {"body": {"name": image, "platform": "windows/amd64"}}, 400),
            ("post", "/templates/tag", {"body": {"name": image, "tag": "org/mine:2"}}, 200),
            ("post", "/templates/tag", {"body": {"name": "none", "tag": "mine"}}, 404),
            ("get", "/templates", {}, 200),
            ("get", template, {"name": "org%2Fmine%3A2"}, 200),
            ("get", template, {"name": "none"}, 404),
            ("get", template + "/history", {"name": "org%2Fmine%3A2"}, 200),
            ("delete", template, {"name": "tree%3A1"}, 200),
            ("delete", template, {"name": "tree%3A1"}, 404),
            ("post", "/templates/prune", {"body": {"all": True}}, 200),
            ("delete", "/creates/{key}", {"key": "no-such-key"}, 404),
            ("delete", "/creates/{key}", {"key": "no%20key"}, 400),
            ("get", "/system/df", {}, 200),
            ("post", "/system/prune", {}, 200),
            ("get", "/system/df", {"query": "?sandbox=none"}, 404),
            ("post", "/reset", {}, 200),
            ("post", "/shutdown", {}, 204),
        ]
        for method, path, arguments, status in steps:
            with self.subTest(f"{method} {path} -> {status}"):
                self.assertEqual(self.call(method, path, **arguments), status)
        self.assertEqual({(path, method) for method, path, _, _ in steps}, self.documented(), "not every path was tried")
        self.assert_every_json_answer_was_seen()

    def assert_every_json_answer_was_seen(self):
        """A documented success that no step has led to would be documented by guess."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                for status, response in operation["responses"].items():
                    if status != "default" and "content" in self.schema.resolve(response):
                        self.assertIn((path, method, status), self.seen)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
