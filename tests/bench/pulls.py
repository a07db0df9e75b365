# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Two sandboxes that pull the same image from a registry on loopback: what is downloaded, and what the disk has of it then."""

import json
import re

from proxies import Server, free_port, make_certificate
from report import run

HOST = "registry.bench.test"
BLOB = re.compile(r'"GET /v2/[^ ]*/blobs/[^ ]* HTTP[^"]*" 200 (\d+) ')
CONFIGURATION = """version: 0.1
log: {{accesslog: {{disabled: false}}, level: info}}
storage: {{filesystem: {{rootdirectory: {work}/data}}}}
http: {{addr: "127.0.0.1:{port}", secret: bench, tls: {{certificate: {work}/registry.crt, key: {work}/registry.key}}}}
"""


class Registry(Server):
    """Has the image of an archive of docker's."""

    def __init__(self, work, archive):
        work.mkdir()
        port = free_port()
        make_certificate(work / "registry", f"DNS:{HOST},IP:127.0.0.1")
        (work / "config.yml").write_text(CONFIGURATION.format(work=work, port=port))
        self.log = work / "registry.log"
        super().__init__(work, "registry", ["docker-registry", "serve", work / "config.yml"], port)
        run(["skopeo", "--insecure-policy", "copy", "-q", "--dest-tls-verify=false", f"docker-archive:{archive}",
             f"docker://127.0.0.1:{port}/large"])

    def sent_mb(self):
        """Of blobs, since its start."""
        return sum(int(size) for size in BLOB.findall(self.log.read_text())) / 1e6


def pulled(ours, name, registry):
    """Megabytes that the registry has sent for it, and what the sandbox's own disk has more then."""
    ours.run("create", "-q", "--backend", "container", "--name", name, "--docker", "on-demand", "--add-host",
             f"{HOST}:127.0.0.1", "claude", ours.directory(name))
    ours.run("network", "proxy", name, "--allow-host", f"{HOST}:{registry.port}")
    ours.run("exec", name, "docker", "version")
    sent, disk = registry.sent_mb(), disk_mb(ours, name)
    ours.run("exec", name, "docker", "pull", "-q", f"{HOST}:{registry.port}/large")
    return registry.sent_mb() - sent, disk_mb(ours, name) - disk


def usage(ours):
    return json.loads(ours.output("system", "df", "--json"))


def disk_mb(ours, name):
    run(["sync"])  # blocks that are not written yet are not counted
    return next(sandbox["bytes"] for sandbox in usage(ours)["sandboxes"] if sandbox["name"] == name) / 1e6


def pulls(world, archive):
    ours, report = world.ours, world.report
    registry = world.kept(Registry(world.work / "registry", archive))
    ours.run("daemon", "stop")  # the sandboxes' proxies are to trust the registry
    ours.environment["SSL_CERT_FILE"] = str(world.work / "registry/registry.crt")
    figures = {name: pulled(ours, name, registry) for name in ("first", "second")}
    report.table("pull of 500 MB by two sandboxes: downloaded", {name: [sent] for name, (sent, _) in figures.items()}, "first", "MB")
    disk = {f"the {name} sandbox": [used] for name, (_, used) in figures.items()}
    report.table("pull of 500 MB by two sandboxes: on the disk",
                 {**disk, "the cache, for both": [usage(ours)["docker_cache_bytes"] / 1e6]}, unit="MB")
    report.claim("downloaded by the second sandbox, to the first", figures["second"][0] / figures["first"][0], most=0.01)
    for name in figures:
        ours.remove(name)
