# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""A terminal with a program on it, for terminal.bats and sessions.bats: type, read until a text comes, resize, close it,
look at its modes. And what there is to know about sessions from outside."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time

PATIENCE = float(os.environ.get("SANDBOXD_TEST_PATIENCE", "20"))
SANDBOX = os.environ["SANDBOXD_BIN"] + "/sandbox"


class Terminal:
    def __init__(self, *argv, rows=24, columns=80):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.seen = ""
        self.child = subprocess.Popen(argv, stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                      start_new_session=True, preexec_fn=self._own_terminal)

    def _own_terminal(self):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
            signal.signal(number, signal.SIG_DFL)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text.encode())

    def _read(self, deadline):
        ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            self.seen += os.read(self.master, 65536).decode(errors="replace")
        except OSError:
            return False
        return True

    def expect(self, pattern):
        """Reads until the pattern comes; what is behind it stays for the next expect."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = re.search(pattern, self.seen)
            if found:
                self.seen = self.seen[found.end():]
                return found
            if not self._read(deadline):
                sys.exit("never came: %r\nbut this did: %r" % (pattern, self.seen))

    def shell(self):
        """Waits for a shell to listen, and gives it a prompt that is easy to find."""
        self.type("PS1='pro''mpt> '; stty -echo\n")
        self.expect("prompt> $")

    def run(self, command):
        self.type(command + "\n")
        said = self.expect(r"(?s)\A(.*?)prompt> ").group(1)
        return re.sub(r"\x1b\[\?2004[hl]|\r", "", said).strip("\n")  # without what readline says to the terminal

    def wait(self):
        """The exit code; all that is still printed is in `seen`."""
        deadline = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            if time.monotonic() > deadline:
                sys.exit("still runs; it said: %r" % self.seen)
            self._read(min(deadline, time.monotonic() + 0.02))
        while self._read(time.monotonic()):  # its last words
            pass
        return self.child.returncode

    def modes(self):
        return termios.tcgetattr(self.slave)

    def detach(self):
        self.type("\x10\x11")
        equal(self.wait(), 0)

    def close(self):
        """As when its window is closed: the kernel hangs up on the program."""
        os.close(self.slave)
        os.close(self.master)
        return self.child.wait(PATIENCE)


def equal(is_, should_be):
    if is_ != should_be:
        sys.exit("expected: %r\nbut it is: %r" % (should_be, is_))


def holds(claim, text):
    if not claim:
        sys.exit("does not hold: " + text)


def eventually(condition, text):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            sys.exit("never came true: " + text)
        time.sleep(0.02)


def guest(*command):
    """Output of a command in the sandbox "box", without a terminal."""
    return subprocess.run([SANDBOX, "exec", "box", *command], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True).stdout.strip()


def sandbox(*words):
    """What the CLI prints, of a command that must succeed."""
    done = subprocess.run([SANDBOX, *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=False)
    equal(done.returncode, 0)
    return done.stdout


def attach(*words, **size):
    return Terminal(SANDBOX, "attach", *words, **size)


def sessions(name="box"):
    """Those of a sandbox, by their numbers."""
    listed = json.loads(sandbox("sessions", name, "--json"))["sessions"]
    return {entry["session"]: entry for entry in listed}


def running(name="box"):
    return {number: entry for number, entry in sessions(name).items() if entry["state"] == "running"}


def newest(name="box"):
    return max(sessions(name))


def end_all(name="box"):
    for number in running(name):
        sandbox("sessions", "kill", name, str(number))


class Attachment:
    """A client of a session that speaks the API itself: frames, and the numbers of the output."""
    KINDS = {17: "opened", 20: "out", 22: "exit", 27: "position"}

    def __init__(self, name, session, **request):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
        body = json.dumps(request)
        self.socket.sendall(("POST /sandboxes/%s/sessions/%d/attach HTTP/1.1\r\nHost: x\r\nUpgrade: sandbox-exec\r\n"
                             "Connection: Upgrade\r\nContent-Length: %d\r\n\r\n%s" % (name, session, len(body), body)).encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self._fill()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def _fill(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise EOFError
        self.bytes += piece

    def _take(self, size):
        while len(self.bytes) < size:
            self._fill()
        taken, self.bytes = self.bytes[:size], self.bytes[size:]
        return taken

    def frame(self):
        length, _, kind = struct.unpack("<IIB3x", self._take(12))
        payload = self._take(length)
        name = self.KINDS.get(kind, kind)
        return name, payload if name == "out" else json.loads(payload)

    def until(self, kind):
        """The output before the next frame of this kind, and that."""
        out = b""
        while True:
            name, payload = self.frame()
            if name == kind:
                return out, payload
            if name == "out":
                out += payload
