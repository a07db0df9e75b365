# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""What a loop adds to its agent. The agent is a script that writes a file, so that nearly all of the time is the loop's:
on the host in a bare loop of the shell, in a sandbox by `loop exec`, and as iterations of `loop run`, each with its commit.
The vendor's: 14 s for a start and 90 ms for a story."""

import datetime
import json
import subprocess
import time

from report import interleaved, timed

STORIES = 20
AT_ONCE = 20
AGENT = "#!/bin/sh\necho \"$1\" >> story\n"


def repository(world, name):
    directory = world.ours.directory(name)
    (directory / "agent").write_text(AGENT)
    (directory / "agent").chmod(0o755)
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=b", "-c", "user.email=b@b", "commit", "-q", "-m", "b")):
        subprocess.run(["git", "-C", directory, *words], check=True)
    return directory


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Loops:
    def __init__(self, world):
        self.world = world
        self.ours = world.ours
        self.prompt = world.work / "prompt"
        self.prompt.write_text("Write.\n")

    def begin(self, name, directory, stories):
        self.ours.run("loop", "run", "-d", "--id", name, "--agent", "shell", "--workspace", directory, "--prompt", self.prompt,
                      "--max", str(stories), "--", "./agent")

    def state(self, name):
        return json.loads(self.ours.output("loop", "status", "--json", name))

    def finished(self, name):
        while (found := self.state(name))["status"] != "ended":
            time.sleep(0.05)
        if found["outcome"] != "max-iterations":
            raise RuntimeError(f"loop {name}: {found['reason']}")
        return found["state"]

    def end(self, name):
        self.ours.run("loop", "end", name)

    def iteration(self, number):
        name = f"iterations-{number}"
        self.begin(name, repository(self.world, name), STORIES)
        state = self.finished(name)
        self.end(name)
        return (moment(state["ended_at"]) - moment(state["begin"]["started_at"])) * 1000 / STORIES

    def execution(self, directory):
        return timed(self.ours.argv("loop", "exec", "warm", "shell", "-w", directory, "--", "./agent", "x"),
                     env=self.ours.environment)

    def start_of_two(self, number):
        name, directory = f"two-{number}", self.ours.directory(f"two-{number}")
        taken = self.ours.time("loop", "start", name, "--tool", "shell", "--tool", "codex", "-t", "shell", "--workspace",
                               directory)
        self.end(name)
        return taken

    def many(self):
        names = [f"many-{n}" for n in range(AT_ONCE)]
        begin = time.monotonic()
        for name in names:
            self.begin(name, repository(self.world, name), 3)
        for name in names:
            self.finished(name)
        taken = time.monotonic() - begin
        for name in names:
            self.end(name)
        return taken


def loops(world):
    these, report = Loops(world), world.report
    directory = repository(world, "stories")
    world.ours.run("loop", "start", "warm", "--tool", "shell", "--workspace", directory)
    table = report.table(
        "a story",
        interleaved(max(3, world.rounds // 3), {
            "on the host": lambda _: timed(["./agent", "x"], cwd=directory),
            "loop exec": lambda _: these.execution(directory),
            "iteration of loop run, with its commit": these.iteration,
        }), "on the host")
    added = table.median("loop exec") - table.median("on the host")
    report.claim("ms that a sandbox adds to a story (loop exec)", added, most=20)
    these.end("warm")
    report.table("loop start of two tools", interleaved(3, {"ours": these.start_of_two}), "ours")
    print(f"{AT_ONCE} loops of 3 stories at once, from the first start to the last end: {these.many():.1f} s", flush=True)
