# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Templates: what a create costs with any of them, what loading an image costs beside tar, and where the time of a first
run of an agent goes."""

import io
import json
import os
import re
import shutil
import tarfile
import time

from report import interleaved, run, timed
from sandboxes import Sandboxes

FILES = 2000
FILE_BYTES = 512 << 10


class Templates:
    """A home whose templates are its own, so that what is loaded can be thrown away."""

    def __init__(self, world):
        self.work = world.work / "templates-bench"
        self.work.mkdir()
        self.templates = self.work / "templates"
        run(["cp", "-al", (world.ours.home / "templates").resolve(), self.templates])
        self.ours = world.kept(Sandboxes(self.work, self.templates))

    def create(self, template, number):
        name = f"made{number}-{template}"
        taken = self.ours.time("create", "-q", "--backend", "container", "--name", name, "-t", template, "shell",
                               self.ours.directory(name))
        self.ours.remove(name)
        return taken

    def load(self, archive, number):
        taken = self.ours.time("template", "load", "-q", "--tag", f"bench:{number}", archive)
        self.ours.run("template", "rm", f"bench:{number}")
        return taken

    def erofs(self, archive, number):
        """The image that a microVM starts from, made of a template that is here."""
        self.ours.run("template", "load", "-q", "--tag", f"bench:{number}", archive)
        name = f"erofs{number}"
        before = time.monotonic()
        self.ours.run("create", "-q", "--backend", "microvm", "--name", name, "-t", f"bench:{number}", "shell",
                      self.ours.directory(name))
        taken = (time.monotonic() - before) * 1000
        self.ours.remove(name)
        self.ours.run("template", "rm", f"bench:{number}")
        for image in (self.templates / "erofs").glob("*"):
            image.unlink()
        return taken


def write_archive(path):
    """A root file system of 1 GB whose bytes are half random, as those of programs are."""
    with tarfile.open(path, "w") as archive:
        for number in range(FILES):
            content = os.urandom(FILE_BYTES // 2) + bytes(FILE_BYTES // 2)
            entry = tarfile.TarInfo(f"opt/data/{number % 50}/{number}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def unpack(archive, target):
    target.mkdir()
    taken = timed(["tar", "-xf", archive, "-C", target]) + timed(["sync", "-f", target])
    shutil.rmtree(target)
    return taken


def load_again(templates, archive):
    """The second of two loads of the same archive."""
    templates.ours.run("template", "load", "-q", "--tag", "bench:twice", archive)
    taken = templates.ours.time("template", "load", "-q", "--tag", "bench:again", archive)
    templates.ours.run("template", "rm", "bench:twice", "bench:again")
    return taken


def cold_run(world):
    """An agent on a machine that has the base only: the whole, and the steps as the progress tells them."""
    work = world.work / "cold"
    work.mkdir()
    templates = work / "templates"
    templates.mkdir()
    source = (world.ours.home / "templates").resolve()
    for part in ("images", "layers", "names"):
        (templates / part).mkdir()
    name = json.loads((source / "names" / "shell").read_text())
    shutil.copy(source / "names" / "shell", templates / "names")
    digest = name["image"].removeprefix("sha256:")
    shutil.copy(source / "images" / f"{digest}.json", templates / "images")
    for layer in json.loads((source / "images" / f"{digest}.json").read_text())["rootfs"]["diff_ids"]:
        run(["cp", "-al", source / "layers" / layer.removeprefix("sha256:"), templates / "layers"])
    ours = world.kept(Sandboxes(work, templates))
    steps, begin = [], time.monotonic()
    ours.run("daemon", "start")
    for template in ("agent-base", "claude"):
        before = time.monotonic()
        ours.run("template", "build", "-q", "--refresh", template)
        steps.append((template, time.monotonic() - before))
    before = time.monotonic()
    ours.run("create", "-q", "--backend", "container", "--name", "cold", "claude", ours.directory("cold"))
    ours.run("exec", "cold", "claude", "--version")
    steps.append(("create, start and claude --version", time.monotonic() - before))
    print(f"\ncold run of claude, the base being there: {time.monotonic() - begin:.1f} s")
    for what, seconds in steps:
        print(f"  {seconds:8.1f} s  {what}")
    for log in sorted((templates / "logs").glob("*.log")):
        lines = [line for line in log.read_text(errors="replace").splitlines() if re.search(r"^(Setting up|added|fetching)", line)]
        print(f"  {log.stem}: {len(lines)} packages or fetches in its log")


def templates(world):
    made, rounds = Templates(world), max(3, world.rounds // 4)
    archive, target = world.work / "root.tar", world.work / "unpacked"
    write_archive(archive)
    run(["sync"])
    table = world.report.table(f"load of {FILES * FILE_BYTES >> 20:,} MB in {FILES:,} files", interleaved(rounds, {
        "tar x and sync": lambda n: unpack(archive, target),
        "template load": lambda n: made.load(archive, n),
        "template load, again": lambda n: load_again(made, archive),
        "create of a microVM: EROFS of it": lambda n: made.erofs(archive, n),
    }), "tar x and sync")
    world.report.claim("load, to tar x and sync", table.ratio("template load", "tar x and sync"), most=2)
    world.report.claim("load, again, to load", table.ratio("template load, again", "template load"), most=1)
    world.report.claim("EROFS, to tar x and sync", table.ratio("create of a microVM: EROFS of it", "tar x and sync"), most=2)
    made.ours.run("template", "load", "-q", "--tag", "large", archive)
    names = [name for name in ("shell", "claude") if (made.templates / "names" / name).exists()]
    contestants = {f"create -t {name}": (lambda n, name=name: made.create(name, n)) for name in names}
    contestants["create -t large"] = lambda n: made.create("large", n)
    table = world.report.table("create by template", interleaved(world.rounds, contestants), "create -t shell")
    for name in list(contestants)[1:]:
        world.report.claim(f"{name}, to the base", table.ratio(name, "create -t shell"), most=1.1)
    if os.environ.get("SANDBOXD_BENCH_COLD"):
        cold_run(world)
