#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox exec -it and run on a terminal: size, keys, job control, detaching.

load world

setup_file() {
  world_up
  box box
}

# A python program from standard input that knows terminal.py.
on_terminal() { PYTHONPATH=$BATS_TEST_DIRNAME timeout 60 python3 -B - 3>&-; }

@test "-it gives the command a terminal, and its end is our end" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "tty; test -t 0 -a -t 1 -a -t 2 && echo all three; exit 9")
t.expect("/dev/pts/[0-9]+")
t.expect("all three")
equal(t.wait(), 9)
PY
}

@test "without -t the command has no terminal, also when we have one" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-i", "box", "sh", "-c", "tty; exit 4")
t.expect("not a tty")
equal(t.wait(), 4)
PY
}

@test "the window's size arrives, and so does every change of it" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc", rows=33, columns=101)
t.shell()
equal(t.run("stty size"), "33 101")
t.type("trap 'echo changed $(stty size)' WINCH\n")
t.expect("prompt> ")
t.resize(50, 132)
eventually(lambda: t.run("stty size").endswith("50 132"), "the new size")
t.type("exit\n")
equal(t.wait(), 0)
PY
}

@test "Ctrl-C interrupts the command in the guest and not the client" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
t.type("sh -c 'echo slee''ping; exec sleep 1000'\n")
t.expect("sleeping")
t.type("\x03")
t.expect("prompt> ")
equal(t.run("echo $?"), "130")
t.type("exit 6\n")
equal(t.wait(), 6)
PY
}

@test "Ctrl-C ends a command that has no shell around it, with 130" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo ready; exec sleep 1000")
t.expect("ready")
t.type("\x03")
equal(t.wait(), 130)
PY
}

@test "Ctrl-Z stops the job in the guest, and fg goes on with it" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
t.type("sh -c 'echo wor''king; read line; echo \"line: $line\"'\n")
t.expect("working")
t.type("\x1a")
t.expect("Stopped")
t.expect("prompt> ")
holds("Stopped" in t.run("jobs"), "jobs shows it")
t.type("fg\n")
t.type("hello\n")
t.expect("line: hello")
t.type("exit 0\n")
equal(t.wait(), 0)
PY
}

@test "Ctrl-D ends the input" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "cat")
t.type("echoed\n")
t.expect("echoed\r\nechoed")
t.type("\x04")
equal(t.wait(), 0)
PY
}

@test "the detach keys leave the program running and give the terminal back" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo $$ >/tmp/pid; echo ready; exec sleep 4000")
t.expect("ready")
t.type("\x10\x11")
equal(t.wait(), 0)
equal(t.modes(), t.before)
equal(guest("sh", "-c", "kill -0 $(cat /tmp/pid) && echo alive"), "alive")
guest("sh", "-c", "kill $(cat /tmp/pid)")
PY
}

@test "--detach-keys are other keys, and then the usual ones are the command's" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "--detach-keys", "ctrl-x,y", "box", "sh", "-c",
             "stty -icanon -echo -ixon; echo ready; dd bs=1 count=2 2>/dev/null | od -An -tx1; echo $$ >/tmp/pid; exec sleep 4000")
t.expect("ready")
t.type("\x10\x11")
t.expect("10 11")
t.type("\x18y")
equal(t.wait(), 0)
equal(guest("sh", "-c", "kill -0 $(cat /tmp/pid) && echo alive"), "alive")
guest("sh", "-c", "kill $(cat /tmp/pid)")
PY
}

@test "half of the detach keys and another key are both the command's" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "stty -icanon -echo; echo ready; dd bs=1 count=3 2>/dev/null | od -An -tx1")
t.expect("ready")
t.type("\x10a")
t.type("b")
t.expect("10 61 62")
equal(t.wait(), 0)
PY
}

@test "the terminal is raw while it runs and as before afterwards, whatever the end" {
  on_terminal <<'PY'
from terminal import *
for end, code in (("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137)):
    t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo ready; read line; " + end)
    t.expect("ready")
    holds(not t.modes()[3] & (termios.ICANON | termios.ECHO | termios.ISIG), "raw while it runs")
    t.type("\n")
    equal(t.wait(), code)
    equal(t.modes(), t.before)
PY
}

@test "the terminal is as before when the client is told to end" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "trap 'exit 5' TERM HUP; echo ready; while :; do sleep 0.05; done")
t.expect("ready")
t.child.send_signal(signal.SIGTERM)
t.wait()
equal(t.modes(), t.before)
PY
}

@test "the terminal is as before when the sandbox is stopped under it" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo ready; exec sleep 1000")
t.expect("ready")
subprocess.run([SANDBOX, "stop", "box"], check=True, stdout=subprocess.DEVNULL)
holds(t.wait() != 0, "an exec that was ended is no success")
equal(t.modes(), t.before)
PY
}

@test "-t without a terminal is an error" {
  run --separate-stderr sandbox exec -it box true </dev/null
  [[ $status == 2 || $status == 125 ]]
  is_error
  matches '[Tt]erminal|TTY|tty' "$stderr"
}

@test "a command that prints much on a terminal loses nothing" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "seq 1 60000; echo the-end")
t.expect("the-end")
t.wait()
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "stty -opost; seq 1 60000; echo the-end")
numbers = t.expect(r"(?s)\A(.*?)the-end").group(1).split()
equal(numbers, [str(n) for n in range(1, 60001)])
PY
}

@test "run on a terminal leaves the user in a login shell in the workspace" {
  mkdir -p "$WORLD/project"
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "run", "shell", os.environ["WORLD"] + "/project")
t.shell()
equal(t.run("pwd"), os.environ["WORLD"] + "/project")
equal(t.run("whoami; shopt -q login_shell && echo login"), "agent\nlogin")
equal(t.run("echo $TERM | grep -c ."), "1")
t.type("exit 8\n")
equal(t.wait(), 8)
equal(t.modes(), t.before)
PY
}

@test "reset asks on a terminal and takes no for the answer" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "reset")
t.expect(r"\(y/N\)")
t.type("n\n")
holds(t.wait() != 0, "declined is no success")
equal(guest("echo", "still here"), "still here")
PY
}
