# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""save of much that was changed, beside a copy of the same files and docker commit."""

import json
import shutil

from peers import IMAGE
from report import interleaved, run, timed
from sandboxes import Sandboxes

FILES = 2000
FILE_BYTES = 512 << 10
CHANGE = f"""import os, sys
os.makedirs(sys.argv[1], exist_ok=True)
for i in range({FILES}): open(f"{{sys.argv[1]}}/{{i}}", "wb").write(os.urandom({FILE_BYTES}))"""


class Saved:
    """A home whose templates are its own, so that what is saved can be thrown away."""

    def __init__(self, world):
        work = world.work / "saving"
        work.mkdir()
        self.templates = work / "templates"
        run(["cp", "-al", (world.ours.home / "templates").resolve(), self.templates])
        self.ours = world.kept(Sandboxes(work, self.templates))

    def save(self, number):
        self.ours.run("exec", "-u", "root", "box", "touch", "/opt/data/0")  # another layer each time
        taken = self.ours.time("save", "-q", "box", f"bench:{number}")
        self.forget(number)
        return taken

    def forget(self, number):
        name = self.templates / "names" / f"docker.io%2Flibrary%2Fbench:{number}"
        image = json.loads(name.read_text())["image"].removeprefix("sha256:")
        config = self.templates / "images" / f"{image}.json"
        layer = json.loads(config.read_text())["rootfs"]["diff_ids"][-1].removeprefix("sha256:")
        name.unlink()
        config.unlink()
        shutil.rmtree(self.templates / "layers" / layer)


def copy(source, target):
    taken = timed(["cp", "-a", source, target]) + timed(["sync", "-f", target])
    shutil.rmtree(target)
    return taken


def commit(docker, number):
    taken = timed(docker.argv("commit", "changed", f"bench:{number}"))
    run(docker.argv("rmi", f"bench:{number}"))
    return taken


def saving(world):
    saved, docker, plain = Saved(world), world.docker, world.work / "plain"
    saved.ours.up("box", "container")
    saved.ours.run("exec", "-u", "root", "box", "python3", "-c", CHANGE, "/opt/data")
    run(docker.argv("run", "--network", "none", "--name", "changed", IMAGE, "python3", "-c", CHANGE, "/opt/data"))
    run(["python3", "-c", CHANGE, plain])
    run(["sync"])
    contestants = {
        "sandbox save": saved.save,
        "cp -a and sync": lambda n: copy(plain, world.work / f"copy{n}"),
        "docker commit": lambda n: commit(docker, n),
    }
    megabytes = FILES * FILE_BYTES >> 20
    table = world.report.table(f"save of {megabytes:,} MB in {FILES:,} files",
                               interleaved(max(3, world.rounds // 4), contestants), "cp -a and sync")
    world.report.claim("save, to cp -a and sync", table.ratio("sandbox save", "cp -a and sync"), most=2)
    run(docker.argv("rm", "-f", "changed"))
