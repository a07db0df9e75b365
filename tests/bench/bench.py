#!/usr/bin/env python3
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The figures of the container backend beside those of its peers, measured in one run on one image.

Rounds are interleaved (ours, theirs, ours, ...), because these machines are shared and noisy: a ratio taken in one run
means something, a time does not. Everything lives in a directory of its own and is gone afterwards."""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("SANDBOXD_BIN_DIR", ROOT / "build/release/bin"))
IMAGE = "sandboxd-bench"
# podman raises these by default, which takes a capability that root does not have everywhere.
LIMITS = ["--ulimit", f"nofile=1024:{resource.getrlimit(resource.RLIMIT_NOFILE)[1]}", "--ulimit", "nproc=1024:2048"]


def run(argv, **options):
    return subprocess.run([str(a) for a in argv], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, **options)


def timed(argv, **options):
    begin = time.perf_counter()
    run(argv, **options)
    return (time.perf_counter() - begin) * 1000


class Sandboxes:
    """Our own, in a home of its own with the template cache of the build."""

    def __init__(self, work):
        self.home = work / "home"
        self.workspace = work / "project"
        self.workspace.mkdir()
        self.home.mkdir(mode=0o700)
        self.environment = dict(os.environ, SANDBOXES_HOME=str(self.home), HOME=str(work))
        cache = os.environ.get("SANDBOXD_TEMPLATES")
        if cache:
            (self.home / "templates").symlink_to(cache)

    def argv(self, *words):
        return [BIN / "sandbox", *words]

    def time(self, *words):
        return timed(self.argv(*words), env=self.environment)

    def run(self, *words):
        return run(self.argv(*words), env=self.environment)

    def output(self, *words):
        return subprocess.run([str(a) for a in self.argv(*words)], check=True, env=self.environment, capture_output=True,
                              text=True).stdout

    def directory(self, name):
        path = self.workspace / name
        path.mkdir(exist_ok=True)
        return path

    def template_root(self):
        digest = next((self.home / "templates" / "refs").iterdir()).read_text().strip()
        return self.home / "templates" / digest / "root"

    def close(self):
        for words in (("reset", "-f"), ("daemon", "stop")):
            subprocess.run([str(a) for a in self.argv(*words)], env=self.environment, capture_output=True, check=False)


class Docker:
    """A real dockerd of our own, with its default network, as a user has it."""

    def __init__(self, work, root):
        self.directory = work / "docker"
        self.directory.mkdir()
        self.socket = f"unix://{self.directory}/docker.sock"
        self.log = open(self.directory / "log", "wb")
        self.daemon = subprocess.Popen(
            ["dockerd", "--host", self.socket, "--data-root", self.directory / "data", "--exec-root",
             self.directory / "exec", "--pidfile", self.directory / "pid"], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while subprocess.run(self.argv("info"), capture_output=True, check=False).returncode != 0:
            if self.daemon.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("dockerd did not start: " + (self.directory / "log").read_text()[-2000:])
            time.sleep(0.1)
        tar = subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE)
        subprocess.run(self.argv("import", "-", IMAGE), stdin=tar.stdout, check=True, capture_output=True)
        tar.wait()

    def argv(self, *words):
        return ["/usr/bin/docker", "--host", self.socket, *map(str, words)]

    def close(self):
        ids = subprocess.run(self.argv("ps", "-aq"), capture_output=True, text=True, check=False).stdout.split()
        if ids:
            subprocess.run(self.argv("rm", "-f", *ids), capture_output=True, check=False)
        self.daemon.terminate()
        self.daemon.wait(30)
        self.log.close()
        for line in pathlib.Path("/proc/mounts").read_text().splitlines():
            if str(self.directory) in line:
                subprocess.run(["umount", "-l", line.split()[1]], check=False)


class Podman:
    def __init__(self, work, root):
        self.base = ["podman", "--root", str(work / "podman"), "--runroot", str(work / "podman-run"), "--cgroup-manager",
                     "cgroupfs", "--runtime", "runc", "--storage-driver", "overlay"]
        tar = subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE)
        subprocess.run([*self.base, "import", "-", IMAGE], stdin=tar.stdout, check=True, capture_output=True)
        tar.wait()

    def argv(self, *words):
        return [*self.base, *map(str, words)]

    def close(self):
        subprocess.run(self.argv("rm", "-af", "-t", "0"), capture_output=True, check=False)
        subprocess.run(self.argv("system", "reset", "-f"), capture_output=True, check=False)


def runc_bundle(work, root):
    bundle = work / "bundle"
    bundle.mkdir()
    run(["runc", "spec"], cwd=bundle)
    config = json.loads((bundle / "config.json").read_text())
    config["process"].update(terminal=False, args=["/bin/true"])
    config["root"] = {"path": str(root.resolve()), "readonly": True}
    (bundle / "config.json").write_text(json.dumps(config))
    return bundle


class Table:
    def __init__(self, title):
        self.title = title
        self.rows = []

    def add(self, what, samples):
        ordered = sorted(samples)
        self.rows.append((what, statistics.median(ordered), ordered[0], ordered[int(len(ordered) * 0.9)]))

    def median(self, what):
        return next(row[1] for row in self.rows if row[0] == what)

    def show(self, reference):
        base = self.median(reference)
        print(f"\n### {self.title}\n\n| what | median ms | best | p90 | ratio to {reference} |\n|---|---:|---:|---:|---:|")
        for what, median, best, p90 in self.rows:
            print(f"| {what} | {median:.1f} | {best:.1f} | {p90:.1f} | {median / base:.2f} |")


def interleaved(rounds, contestants):
    """contestants: name → function(round) → milliseconds or None. Returns name → samples."""
    samples = {name: [] for name in contestants}
    for number in range(rounds):
        for name, function in contestants.items():
            value = function(number)
            if value is not None:
                samples[name].append(value)
    return samples


VERDICTS = []


def claim(sentence, holds):
    VERDICTS.append((sentence, holds))


def bench_create(ours, docker, podman, bundle, root, rounds):
    contestants = {
        "sandbox run (create to first exec done)":
            lambda n: ours.time("run", "-q", "--name", f"c{n}", "shell", ours.directory(f"c{n}"), "--", "-c", "true"),
        "docker run": lambda n: timed(docker.argv("run", "--name", f"c{n}", IMAGE, "/bin/true")),
        "podman run": lambda n: timed(podman.argv("run", "--name", f"c{n}", "--network", "none", *LIMITS, IMAGE, "/bin/true")),
        "runc run": lambda n: timed(["runc", "run", "--bundle", bundle, f"bench-{n}"]),
        "bwrap": lambda n: timed(["bwrap", "--unshare-all", "--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]),
    }
    table = Table("create to first exec done, template cached")
    for name, values in interleaved(rounds, contestants).items():
        table.add(name, values)
    table.show("docker run")
    ratio = table.median("sandbox run (create to first exec done)") / table.median("docker run")
    claim(f"create to first exec done is at most 1/3 of docker run: {ratio:.2f}", ratio <= 1 / 3)


def bench_exec(ours, docker, podman, rounds):
    ours.run("create", "-q", "--name", "box", "shell", ours.directory("box"))
    ours.run("exec", "box", "true")
    run(docker.argv("run", "-d", "--name", "box", IMAGE, "sleep", "1000000"))
    run(podman.argv("run", "-d", "--name", "box", "--network", "none", *LIMITS, IMAGE, "sleep", "1000000"))
    contestants = {
        "sandbox version": lambda n: ours.time("version"),
        "sandbox exec": lambda n: ours.time("exec", "box", "/bin/true"),
        "docker exec": lambda n: timed(docker.argv("exec", "box", "/bin/true")),
        "podman exec": lambda n: timed(podman.argv("exec", "box", "/bin/true")),
    }
    table = Table("exec of /bin/true through the command line")
    for name, values in interleaved(rounds, contestants).items():
        table.add(name, values)
    table.show("docker exec")
    ratio = table.median("sandbox exec") / table.median("docker exec")
    above = table.median("sandbox exec") - table.median("sandbox version")
    claim(f"exec is at most 1/6 of docker exec: {ratio:.3f}", ratio <= 1 / 6)
    claim(f"exec is within 5 ms of sandbox version: {above:.1f} ms", above <= 5)


def throughput(argv, environment=None):
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


def bench_throughput(ours, docker, rounds):
    command = ["head", "-c", str(100 << 20), "/dev/zero"]
    samples = interleaved(rounds, {
        "sandbox exec": lambda n: throughput(ours.argv("exec", "box", *command), ours.environment),
        "docker exec": lambda n: throughput(docker.argv("exec", "box", *command)),
    })
    print("\n### 100 MB through stdout\n\n| what | median MB/s | best |\n|---|---:|---:|")
    for name, values in samples.items():
        print(f"| {name} | {statistics.median(values):.0f} | {max(values):.0f} |")
    best = statistics.median(samples["sandbox exec"])
    claim(f"100 MB through stdout at 500 MB/s at least: {best:.0f}", best >= 500)


def bench_stop(ours, docker, rounds):
    def stop_docker(n):
        run(docker.argv("run", "-d", "--init", "--name", f"s{n}", IMAGE, "sleep", "1000000"))
        return timed(docker.argv("stop", f"s{n}"))

    contestants = {
        "sandbox stop": lambda n: ours.time("stop", f"c{n}"),
        "sandbox rm": lambda n: ours.time("rm", f"c{n}"),
        "docker stop (with --init)": stop_docker,
        "docker rm": lambda n: timed(docker.argv("rm", f"s{n}")),
    }
    table = Table("stop and rm")
    for name, values in interleaved(rounds, contestants).items():
        table.add(name, values)
    table.show("docker rm")
    claim(f"stop under 300 ms: {table.median('sandbox stop'):.0f}", table.median("sandbox stop") < 300)
    claim(f"rm under 100 ms: {table.median('sandbox rm'):.0f}", table.median("sandbox rm") < 100)


def private_kib(pid):
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def bench_many(ours, count):
    begin = time.perf_counter()
    for number in range(count):
        ours.run("run", "-q", "-d", "--name", f"many{number}", "shell", ours.directory(f"many{number}"))
    elapsed = time.perf_counter() - begin
    ours.run("exec", f"many{count - 1}", "true")
    ls = [ours.time("ls") for _ in range(20)]
    inspected = json.loads(ours.output("inspect", *[f"many{number}" for number in range(count)]))
    shims = [private_kib(box["pids"]["shim"]) / 1024 for box in inspected]
    running = sum(box["status"] == "running" for box in inspected)
    print(f"\n### {count} sandboxes at once\n\n| what | figure |\n|---|---:|")
    print(f"| running at once | {running} |\n| started, per second | {count / elapsed:.1f} |")
    print(f"| private memory of a shim, median MB | {statistics.median(shims):.1f} |\n| largest | {max(shims):.1f} |")
    print(f"| ls, median ms | {statistics.median(ls):.1f} |")
    claim(f"{count} sandboxes run at once: {running}", running == count)
    claim(f"a shim has under 12 MB of private memory: {max(shims):.1f}", max(shims) < 12)
    claim(f"ls with {count} under 50 ms: {statistics.median(ls):.1f}", statistics.median(ls) < 50)


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--many", type=int, default=100)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        work = pathlib.Path(tempfile.mkdtemp(prefix="sandboxd-bench-"))
        stack.callback(shutil.rmtree, work, ignore_errors=True)
        ours = Sandboxes(work)
        stack.callback(ours.close)
        ours.run("create", "-q", "--name", "warm", "shell", ours.directory("warm"))
        root = ours.template_root()
        print(f"measuring {arguments.rounds} rounds; the image is {root}", file=sys.stderr)
        docker = Docker(work, root)
        stack.callback(docker.close)
        podman = Podman(work, root)
        stack.callback(podman.close)
        bundle = runc_bundle(work, root)
        bench_create(ours, docker, podman, bundle, root, arguments.rounds)
        bench_exec(ours, docker, podman, arguments.rounds * 2)
        bench_throughput(ours, docker, max(3, arguments.rounds // 3))
        bench_stop(ours, docker, min(5, arguments.rounds))
        bench_many(ours, arguments.many)
    print("\n### Claims\n")
    for sentence, holds in VERDICTS:
        print(f"- {'holds' if holds else 'DOES NOT HOLD'}: {sentence}")
    return 0 if all(holds for _, holds in VERDICTS) else 1


if __name__ == "__main__":
    sys.exit(main())
