# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The container backend beside its peers, and the microVM beside the container backend."""

import json
import subprocess
import time

from machine import private_kib
from peers import IMAGE, LIMITS
from report import interleaved, run, timed


def create(world):
    ours, root = world.ours, world.root
    contestants = {
        "sandbox run (create to first exec done)": lambda n: ours.time(
            "run", "-q", "--backend", "container", "--name", f"c{n}", "shell", ours.directory(f"c{n}"), "--", "-c", "true"),
        "docker run": lambda n: timed(world.docker.argv("run", "--name", f"c{n}", IMAGE, "/bin/true")),
        "podman run": lambda n: timed(
            world.podman.argv("run", "--name", f"c{n}", "--network", "none", *LIMITS, IMAGE, "/bin/true")),
        "runc run": lambda n: timed(["runc", "run", "--bundle", world.bundle, f"bench-{n}"]),
        "bwrap": lambda n: timed(
            ["bwrap", "--unshare-all", "--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]),
    }
    table = world.report.table("create to first exec done, template cached", interleaved(world.rounds, contestants),
                               "docker run")
    ratio = table.ratio("sandbox run (create to first exec done)", "docker run")
    world.report.claim("create to first exec done, to docker run", ratio, most=1 / 3)


def execute(world):
    ours, docker, podman = world.ours, world.docker, world.podman
    ours.up("box", "container")
    run(docker.argv("run", "-d", "--name", "box", IMAGE, "sleep", "1000000"))
    run(podman.argv("run", "-d", "--name", "box", "--network", "none", *LIMITS, IMAGE, "sleep", "1000000"))
    contestants = {
        "sandbox version": lambda n: ours.time("version"),
        "sandbox exec": lambda n: ours.time("exec", "box", "/bin/true"),
        "docker exec": lambda n: timed(docker.argv("exec", "box", "/bin/true")),
        "podman exec": lambda n: timed(podman.argv("exec", "box", "/bin/true")),
    }
    table = world.report.table("exec of /bin/true through the command line", interleaved(world.rounds * 2, contestants),
                               "docker exec")
    ratio = table.ratio("sandbox exec", "docker exec")
    above = table.median("sandbox exec") - table.median("sandbox version")
    world.report.claim("exec, to docker exec", ratio, most=1 / 6)
    world.report.claim("exec, more than sandbox version, ms", above, most=5)
    run(docker.argv("rm", "-f", "box"))
    run(podman.argv("rm", "-f", "-t", "0", "box"))
    execute_in_machine(world)
    ours.remove("box")


REST = 0.02  # seconds, after which a sandbox has settled what the last exec left it to do


def execute_in_machine(world):
    """On idle sandboxes, and beside the container alone: a peer's exec leaves nothing of translated code in the caches."""
    ours = world.ours
    ours.up("vm", "microvm")

    def rested(name):
        time.sleep(REST)
        return ours.time("exec", name, "/bin/true")

    table = world.report.table("exec of /bin/true, our backends", interleaved(world.rounds * 5, {
        "in a container": lambda n: rested("box"),
        "in a microVM": lambda n: rested("vm"),
    }), "in a container")
    world.report.claim("exec in a microVM, to exec in a container", table.ratio("in a microVM", "in a container"), most=3)
    ours.remove("vm")


def megabytes_per_second(argv, environment=None):
    size = 100 << 20
    begin = time.perf_counter()
    process = subprocess.Popen([str(a) for a in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment)
    got = 0
    buffer = bytearray(1 << 20)
    while (n := process.stdout.readinto(buffer)):
        got += n
    process.wait()
    if got != size or process.returncode != 0:
        raise RuntimeError(f"{got} bytes, code {process.returncode}")
    return size / 1e6 / (time.perf_counter() - begin)


def throughput(world):
    ours, docker = world.ours, world.docker
    ours.up("pipe", "container")
    run(docker.argv("run", "-d", "--name", "pipe", IMAGE, "sleep", "1000000"))
    command = ["head", "-c", str(100 << 20), "/dev/zero"]
    table = world.report.table("100 MB through stdout", interleaved(max(3, world.rounds // 3), {
        "sandbox exec": lambda n: megabytes_per_second(ours.argv("exec", "pipe", *command), ours.environment),
        "docker exec": lambda n: megabytes_per_second(docker.argv("exec", "pipe", *command)),
    }), unit="MB/s")
    world.report.claim("100 MB through stdout, MB/s", table.median("sandbox exec"), least=500)
    ours.remove("pipe")
    run(docker.argv("rm", "-f", "pipe"))


def stop(world):
    ours, docker = world.ours, world.docker

    def stop_ours(backend, number):
        ours.up(f"{backend}{number}", backend)
        return ours.time("stop", f"{backend}{number}")

    def stop_docker(number):
        run(docker.argv("run", "-d", "--init", "--name", f"s{number}", IMAGE, "sleep", "1000000"))
        return timed(docker.argv("stop", f"s{number}"))

    table = world.report.table("stop and rm", interleaved(min(5, world.rounds), {
        "sandbox stop": lambda n: stop_ours("container", n),
        "sandbox rm": lambda n: ours.time("rm", f"container{n}"),
        "sandbox stop, microVM": lambda n: stop_ours("microvm", n),
        "sandbox rm, microVM": lambda n: ours.time("rm", f"microvm{n}"),
        "docker stop (with --init)": stop_docker,
        "docker rm": lambda n: timed(docker.argv("rm", f"s{n}")),
    }), "docker rm")
    for what, most in (("sandbox stop", 300), ("sandbox rm", 100), ("sandbox stop, microVM", 2000)):
        world.report.claim(f"{what}, ms", table.median(what), most=most)


def many(world):
    ours, count = world.ours, world.many
    names = [f"many{number}" for number in range(count)]
    begin = time.perf_counter()
    for name in names:
        ours.run("run", "-q", "-d", "--backend", "container", "--name", name, "shell", ours.directory(name))
    elapsed = time.perf_counter() - begin
    ours.run("exec", names[-1], "true")
    inspected = json.loads(ours.output("inspect", *names))
    shims = [private_kib(box["pids"]["shim"]) / 1024 for box in inspected]
    running = sum(box["status"] == "running" for box in inspected)
    print(f"\n{running} of {count} sandboxes run at once; {count / elapsed:.1f} were started per second.")
    world.report.table(f"private memory with {count} sandboxes", {"a shim": shims}, unit="MB")
    ls = world.report.table(f"ls with {count} sandboxes", {"sandbox ls": [ours.time("ls") for _ in range(20)]})
    world.report.claim("sandboxes that run at once", running, least=count)
    world.report.claim("private memory of a shim, MB", max(shims), most=12)
    world.report.claim(f"ls with {count} sandboxes, ms", ls.median("sandbox ls"), most=50)
    for name in names:
        ours.remove(name)
