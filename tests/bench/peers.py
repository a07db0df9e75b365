# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""The peers, on our image: a real dockerd, podman, and runc alone."""

import json
import pathlib
import resource
import subprocess
import time

from report import run

IMAGE = "sandboxd-bench"
# podman raises these by default, which takes a capability that root does not have everywhere.
LIMITS = ["--ulimit", f"nofile=1024:{resource.getrlimit(resource.RLIMIT_NOFILE)[1]}", "--ulimit", "nproc=1024:2048"]


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
