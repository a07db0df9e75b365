# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""File work in the workspace, as a ratio to the host's own speed in the same directory. A guest without KVM is slow at
everything, so the same work is done on its own disk and in its memory too: what the workspace adds is the difference."""

import random
import shutil
import subprocess

FILES = 4000
FILES_IN_A_DIRECTORY = 20
SMALL_FILES = 10000
MEGABYTES = 512
SHELL = 'begin=$EPOCHREALTIME; {{ {text}; }} > /dev/null; end=$EPOCHREALTIME; echo $((${{end/[.,]/}} - ${{begin/[.,]/}}))'
# name, what it does in $d with the repository $r, whether the guest's caches are emptied before
OPERATIONS = (
    ("git clone", "git clone -q --no-hardlinks $r $d/clone", True),
    ("git status, cold", "git -C $d/clone status --porcelain", True),
    ("git status, warm", "git -C $d/clone status --porcelain", False),
    ("rg, cold", "rg -c nothinglikethis $d/clone || true", True),
    ("rg, warm", "rg -c nothinglikethis $d/clone || true", False),
    (f"create {SMALL_FILES:,} files", f"mkdir $d/small && seq {SMALL_FILES} | split -l 1 -a 4 - $d/small/", False),
    (f"write {MEGABYTES} MB", f"dd if=/dev/zero of=$d/big bs=1M count={MEGABYTES} status=none", False),
    (f"read {MEGABYTES} MB", "dd if=$d/big of=/dev/null bs=1M status=none", True),
)


def content(words, number, revision):
    chance = random.Random(number * 7 + revision)
    lines = (" ".join(chance.choices(words, k=9)) for _ in range(chance.randint(5, 60)))
    return "".join(line + "\n" for line in lines).encode()


def make_repository(path, files):
    """Always the same: so many files, and two more commits that change a tenth of them each."""
    chance = random.Random(1)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(2000)]
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], check=True)
    with subprocess.Popen(["git", "-C", path, "fast-import", "--quiet"], stdin=subprocess.PIPE) as importer:
        write = importer.stdin.write
        for revision in range(3):
            write(b"commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata 1\nx\n"
                  % (1700000000 + revision))
            for number in range(files):
                if revision and number % 10 != revision:
                    continue
                text = content(words, number, revision)
                directory = number // FILES_IN_A_DIRECTORY
                write(b"M 100644 inline %02d/%02d/file%02d.txt\ndata %d\n%s\n"
                      % (directory // 40, directory % 40, number % FILES_IN_A_DIRECTORY, len(text), text))
        importer.stdin.close()
    return path


class Place:
    """Somewhere to work, and how to get there: the words before a command, and before one of the guest's root."""

    def __init__(self, directory, repository, environment=None, way=(), way_as_root=()):
        self.directory, self.repository, self.environment = directory, repository, environment
        self.way, self.way_as_root = [str(a) for a in way], [str(a) for a in way_as_root]

    def shell(self, text, way=None):
        script = f"export LC_ALL=C d={self.directory} r={self.repository}; {text}"
        done = subprocess.run([*(self.way if way is None else way), "bash", "-ec", script], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, env=self.environment)
        if done.returncode != 0:
            raise RuntimeError(f"{text}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def time(self, text, cold):
        """Measured there, so that the way is not part of it."""
        if cold and self.way_as_root:
            self.shell("sync; echo 3 > /proc/sys/vm/drop_caches", self.way_as_root)
        return int(self.shell(SHELL.format(text=text))) / 1000


def places(world, repository):
    ours = world.ours
    workspace = repository.parent
    ours.up("files", "container", workspace)
    ours.up("files-vm", "microvm", workspace)
    into, into_vm = ours.argv("exec", "files"), ours.argv("exec", "files-vm")
    as_root = ours.argv("exec", "-u", "root", "files-vm")
    environment = ours.environment
    return {
        "host": Place(workspace / "by-host", repository, environment),
        "container": Place(workspace / "by-container", repository, environment, into),
        "microVM": Place(workspace / "by-microvm", repository, environment, into_vm, as_root),
        "microVM, own disk": Place("/home/agent/work", "/home/agent/repository", environment, into_vm, as_root),
        "microVM, own memory": Place("/tmp/work", "/tmp/repository", environment, into_vm, as_root),
    }


def do_all(contestants, rounds, samples):
    for place in contestants.values():
        place.shell(f"test -e $r || cp -r {next(iter(contestants.values())).repository} $r")
    for _ in range(rounds):
        for place in contestants.values():
            place.shell("rm -rf $d; mkdir $d")
        for what, text, cold in OPERATIONS:
            for name, place in contestants.items():
                samples.setdefault(what, {}).setdefault(name, []).append(place.time(text, cold))
    return samples


def files(world):
    workspace = world.ours.directory("files")
    repository = make_repository(workspace / "repository", world.files)
    samples = do_all(places(world, repository), max(1, world.rounds // 10), {})
    tables = [world.report.table(what, by_place, shown=False) for what, by_place in samples.items()]
    print(f"\n### File work with {world.files:,} files, as a ratio to the host's\n\n| what | host ms |" +
          "".join(f" {name} |" for name in tables[0].samples if name != "host") + " workspace to own disk |")
    print("|---|---:|" + "---:|" * len(tables[0].samples))
    for table in tables:
        ratios = "".join(f" {table.ratio(name, 'host'):.1f} |" for name in table.samples if name != "host")
        print(f"| {table.title} | {table.median('host'):.0f} |{ratios} {table.ratio('microVM', 'microVM, own disk'):.1f} |")
    world.ours.remove("files")
    world.ours.remove("files-vm")
    shutil.rmtree(workspace)
