# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""Our own sandboxes, in a home of their own with the template cache of the build."""

import json
import os
import pathlib
import subprocess

from report import run, timed

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("SANDBOXD_BIN_DIR", ROOT / "build/release/bin"))


class Sandboxes:
    def __init__(self, work, templates=None):
        self.home = work / "home"
        self.workspace = work / "project"
        self.workspace.mkdir()
        self.home.mkdir(mode=0o700)
        self.environment = dict(os.environ, SANDBOXES_HOME=str(self.home), HOME=str(work))
        cache = templates or os.environ.get("SANDBOXD_TEMPLATES")
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

    def inspect(self, name):
        return json.loads(self.output("inspect", name))[0]

    def creation(self, name, backend, workspace=None):
        return ["create", "-q", "--backend", backend, "--name", name, "shell", workspace or self.directory(name)]

    def up(self, name, backend, workspace=None):
        """A sandbox that runs."""
        self.run(*self.creation(name, backend, workspace))
        self.run("exec", name, "true")

    def remove(self, name):
        self.run("rm", name)

    def directory(self, name):
        path = self.workspace / name
        path.mkdir(exist_ok=True)
        return path

    def template_root(self, name):
        image = self.inspect(name)["template_digest"].removeprefix("sha256:")
        layers = json.loads((self.home / "templates" / "images" / f"{image}.json").read_text())["rootfs"]["diff_ids"]
        return self.home / "templates" / "layers" / layers[0].removeprefix("sha256:") / "root"

    def close(self):
        for words in (("reset", "-f"), ("daemon", "stop")):
            subprocess.run([str(a) for a in self.argv(*words)], env=self.environment, capture_output=True, check=False)
