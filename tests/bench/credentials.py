# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What a credential costs that is set on the way: inspected HTTPS from one guest to one nginx, by a name that is bound and by
one that is not. Beside it mitmproxy, with and without a header that it sets."""

import json
import shutil
import subprocess

from proxies import TESTS, mitmproxy, nginx
from proxy import MANY, SUMMARY, Chained, Client, portable
from report import interleaved

BOUND, FREE = "bound.bench.test", "free.bench.test"
HEADER, VALUE = "x-api-key", "sk-bench-0123456789abcdefghijklmnopqrstuvwxyz"


class Guest:
    """A container with a client for each name, and the credential of one of them."""

    def __init__(self, ours, upstream):
        self.ours, self.name, self.upstream = ours, "credentials", upstream
        directory = ours.directory(self.name)
        script = directory / "summary.lua"
        script.write_text(SUMMARY)
        hosts = [word for host in (BOUND, FREE) for word in ("--add-host", f"{host}:127.0.0.1")]
        creation = ours.creation(self.name, "container", directory)
        ours.run(*creation[:1], *hosts, *creation[1:])
        ours.run("exec", self.name, "true")
        ours.run("network", "proxy", self.name, "--allow-host", BOUND, "--allow-host", FREE)
        self.bind()
        wrk = portable(shutil.which("wrk"), directory)
        self.clients = {host: Client(script, host, ours.argv("exec", self.name), wrk, ours.environment)
                        for host in (BOUND, FREE)}

    def bind(self):
        credential = {"name": "bench", "hosts": [BOUND], "header": HEADER, "value": VALUE}
        state = f"{self.ours.environment['SANDBOXES_HOME']}/vm/{self.name}"
        subprocess.run([str(TESTS.parent / "bin/set_credentials"), state], check=True, text=True,
                       input=json.dumps({"credentials": [credential]}))

    def close(self):
        self.ours.remove(self.name)


def credentials(world):
    report, rounds = world.report, min(world.rounds, 5)
    work = world.work / "credentials"
    work.mkdir()
    upstream = world.kept(nginx(work))
    world.ours.run("daemon", "stop")
    world.ours.environment["SSL_CERT_FILE"] = str(work / "nginx.crt")
    guest = world.kept(Guest(world.ours, upstream))
    setting = ("--modify-headers", f"/~q/{HEADER}/{VALUE}")
    peers = {"mitmproxy": world.kept(mitmproxy(work, "mitmdump")),
             "mitmproxy, with a header": world.kept(mitmproxy(work, "mitmdump-header", *setting))}
    script = work / "summary.lua"
    script.write_text(SUMMARY)
    clients = {"ours": guest.clients[FREE], "ours, with a credential": guest.clients[BOUND],
               **{name: Chained(script, work, peer.port) for name, peer in peers.items()}}
    for client in clients.values():
        client.load(upstream.port, MANY)  # whatever is done once is done now
    loads = lambda connections: interleaved(rounds, {name: lambda _, client=client: client.load(upstream.port, connections)
                                                     for name, client in clients.items()})
    rates = report.table(f"inspected HTTPS, {MANY} connections; ours from a container, mitmproxy from the host",
                         {name: [s["rate"] for s in each] for name, each in loads(MANY).items()}, "ours", "requests/s")
    report.claim("requests per second with a credential, to those without",
                 rates.ratio("ours, with a credential", "ours"), least=0.8)
    report.claim("requests per second with a credential, to mitmproxy's with a header",
                 rates.ratio("ours, with a credential", "mitmproxy, with a header"), least=1)
    times = report.table("latency of one client, p50", {name: [s["p50"] for s in each] for name, each in loads(1).items()},
                         "ours", "µs")
    report.claim("latency that a credential adds, p50, ms",
                 (times.median("ours, with a credential") - times.median("ours")) / 1000, most=0.2)
