# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The Docker daemon in a sandbox, beside one of the host's: with the same client, on the same image."""

import subprocess
import time

from machine import children, private_kib
from peers import IMAGE
from pulls import pulls
from report import interleaved, run, timed

BYTES = 500 << 20
DOCKERFILE = f"FROM {IMAGE}\nRUN echo built > /built\nRUN cat /built\n"


class Nested:
    """The daemon of a sandbox of an agent, whose template has it."""

    def __init__(self, world):
        self.ours = world.ours
        self.ours.run("create", "-q", "--backend", "container", "--name", "nested", "claude", self.ours.directory("nested"))
        self.socket = f"unix://{self.ours.home}/vm/nested/docker.sock"
        tar = subprocess.Popen(["tar", "-C", world.root, "-c", "."], stdout=subprocess.PIPE)
        subprocess.run(self.argv("import", "-", IMAGE), stdin=tar.stdout, check=True, capture_output=True)
        tar.wait()

    def argv(self, *words):
        return ["/usr/bin/docker", "--host", self.socket, *map(str, words)]

    def first_ps(self, _number):
        """A sandbox that runs and whose daemon does not."""
        self.ours.run("stop", "nested")
        self.ours.run("exec", "nested", "true")
        return timed(self.argv("ps"))

    def private_mb(self):
        """Of all its processes, on the host and in the guest."""
        pids = self.ours.inspect("nested")["pids"]
        return sum(private_kib(pid) for pid in {*tree(pids["shim"]), *tree(pids["init"])}) / 1024

    def memory(self):
        self.ours.run("stop", "nested")
        self.ours.run("exec", "nested", "true")
        asleep = self.private_mb()
        run(self.argv("ps"))
        return {"its daemon asleep": [asleep], "its daemon running": [self.private_mb()]}


def tree(pid):
    yield pid
    for child in children(pid):
        yield from tree(child)


def build(daemon, _number):
    subprocess.run(daemon.argv("build", "--no-cache", "-q", "-t", "built", "-"), input=DOCKERFILE.encode(), check=True,
                   capture_output=True, env={"DOCKER_BUILDKIT": "0", "PATH": "/usr/bin:/bin"})


def timed_build(daemon, number):
    before = time.monotonic()
    build(daemon, number)
    return (time.monotonic() - before) * 1000


def large_image(world):
    """An image of random bytes, as `docker save` writes it."""
    layer, archive = world.work / "large", world.work / "large.tar"
    layer.mkdir()
    with open(layer / "data", "wb") as data, open("/dev/urandom", "rb") as random:
        for _ in range(BYTES >> 20):
            data.write(random.read(1 << 20))
    tar = subprocess.Popen(["tar", "-C", layer, "-c", "."], stdout=subprocess.PIPE)
    subprocess.run(world.docker.argv("import", "-", "large"), stdin=tar.stdout, check=True, capture_output=True)
    tar.wait()
    run(world.docker.argv("save", "-o", archive, "large"))
    return archive


def load(daemon, archive):
    run(daemon.argv("rmi", "-f", "large"))
    return timed(daemon.argv("load", "-q", "-i", archive)) + timed(["sync"])


def docker(world):
    nested, host, report = Nested(world), world.docker, world.report
    contestants = {"in a sandbox": nested, "on the host": host}
    rounds = max(3, world.rounds // 3)

    def compare(title, act, most=None, count=rounds):
        tries = {name: lambda n, daemon=daemon: act(daemon, n) for name, daemon in contestants.items()}
        table = report.table(title, interleaved(count, tries), "on the host")
        if most:
            report.claim(f"{title}, to the host's", table.ratio("in a sandbox", "on the host"), most=most)

    report.table("first docker ps, daemon asleep", interleaved(rounds, {"in a sandbox": nested.first_ps}), "in a sandbox")
    compare("docker run --rm of /bin/true", lambda daemon, _: timed(daemon.argv("run", "--rm", IMAGE, "/bin/true")), most=1.3)
    compare("docker build of two steps", timed_build)
    archive = large_image(world)
    compare("docker load of 500 MB", lambda daemon, _: load(daemon, archive), count=3)
    report.table("private memory of a sandbox, all processes", nested.memory(), unit="MB")
    pulls(world, archive)
