#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Sessions: commands with a terminal that outlive client, terminal and daemon.

load world

setup_file() {
  world_up
  box box
}

# A python program from standard input that knows terminal.py.
on_terminal() { PYTHONPATH=$BATS_TEST_DIRNAME timeout 120 python3 -B - "$@" 3>&-; }

teardown() {
  for session in $(sandbox sessions box --json | jq '.sessions[] | select(.state == "running") | .session'); do
    sandbox sessions kill box "$session" >/dev/null
  done
}

@test "detached and attached again, the screen is back, and the exit code is the command's" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
equal(t.run("echo on the screen; x=kept"), "on the screen")
t.detach()
number = newest()
equal(t.modes(), t.before)
holds("left session %d of box" % number in t.seen, "it says how to come back: %r" % t.seen)
holds("sandbox attach box %d" % number in t.seen, "it says how to come back: %r" % t.seen)
equal(sessions()[number]["clients"], 0)
t = attach("box", str(number))
t.expect("on the screen")
t.expect("prompt> ")
eventually(lambda: t.run("echo $x") == "kept", "the same shell")
t.type("exit 8\n")
equal(t.wait(), 8)
equal(t.modes(), t.before)
PY
}

@test "run goes back to the agent whose terminal was closed, and says so in one line" {
  mkdir -p "$WORLD/project"
  on_terminal <<'PY'
from terminal import *
project = os.environ["WORLD"] + "/project"
t = Terminal(SANDBOX, "run", "--name", "agents", "shell", project)
t.shell()
t.run("x=kept")
equal(t.close(), 128 + signal.SIGHUP)
eventually(lambda: running("agents")[1]["clients"] == 0, "it is detached")
t = Terminal(SANDBOX, "run", "--name", "agents", "shell", project)
t.expect(r"\Aback in session 1 of agents, started \d+ \w+ ago; --new starts another\r\n")
eventually(lambda: t.run("echo $x") == "kept", "the same shell")
t.detach()
equal(list(running("agents")), [1])
t = Terminal(SANDBOX, "run", "agents")
t.expect("back in session 1 of agents")
t.expect("prompt> ")
t.detach()
t = Terminal(SANDBOX, "run", "-q", "agents")
t.expect("prompt> ")
holds("back in session" not in t.seen, "not with -q")
t.type("exit 5\n")
equal(t.wait(), 5)
PY
}

@test "run starts another session if it is told to, or if the agent's is attached elsewhere, and says that" {
  mkdir -p "$WORLD/twice"
  on_terminal <<'PY'
from terminal import *
first = Terminal(SANDBOX, "run", "--name", "twice", "shell", os.environ["WORLD"] + "/twice")
first.shell()
second = Terminal(SANDBOX, "run", "twice")
second.expect(r"\Aa new session: session 1 is attached elsewhere; to join it: sandbox attach twice 1\r\n")
second.shell()
second.detach()
third = Terminal(SANDBOX, "run", "--new", "twice")
third.shell()
holds("session 2" not in third.seen, "nothing is said of others")
equal(sorted(running("twice")), [1, 2, 3])
third.type("exit\n")
equal(third.wait(), 0)
other = Terminal(SANDBOX, "run", "-e", "WORD=own", "twice")
other.expect(r"a new session, for its own -e or -w; session 2 runs on: sandbox attach twice 2\r\n")
other.shell()
equal(other.run("echo $WORD"), "own")
other.type("exit\n")
equal(other.wait(), 0)
other = Terminal(SANDBOX, "run", "twice", "--", "-c", "exit 7")
equal(other.wait(), 7)
first.detach()
end_all("twice")
PY
}

@test "a session outlives kill -9 of its client, a HUP and a TERM" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
t.run("x=kept")
number = newest()
for kill, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGHUP, 128 + signal.SIGHUP), (signal.SIGTERM, 128 + signal.SIGTERM)):
    t.child.send_signal(kill)
    equal(t.wait(), code)
    eventually(lambda: running()[number]["clients"] == 0, "it is detached")
    t = attach("box", str(number))
    t.expect("prompt> ")
    eventually(lambda: t.run("echo $x") == "kept", "the same shell")
t.type("exit\n")
equal(t.wait(), 0)
PY
}

@test "run --rm keeps a sandbox whose agent was left" {
  mkdir -p "$WORLD/left"
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "run", "--rm", "--name", "left", "shell", os.environ["WORLD"] + "/left")
t.shell()
equal(t.close(), 128 + signal.SIGHUP)
eventually(lambda: running("left")[1]["clients"] == 0, "it is detached")
t = attach("left")
t.expect("prompt> ")
t.type("exit 3\n")
equal(t.wait(), 3)
PY
}

@test "a session outlives kill -9 of the daemon, attached or not" {
  on_terminal "$(daemon_pid)" <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
t.run("x=kept")
os.kill(int(sys.argv[1]), signal.SIGKILL)
equal(t.run("echo $x"), "kept")
number = newest()
equal(running()[number]["clients"], 1)
t.detach()
t = attach("box", str(number))
t.expect("prompt> ")
eventually(lambda: t.run("echo $x") == "kept", "the same shell")
t.type("exit\n")
equal(t.wait(), 0)
PY
}

@test "two clients see the same, both type, and the window is that of the one used last" {
  on_terminal <<'PY'
from terminal import *
first = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc", rows=24, columns=80)
first.shell()
number = str(newest())
second = attach("box", number, rows=40, columns=100)
second.expect("prompt> ")
equal(running()[int(number)]["clients"], 2)
eventually(lambda: second.run("stty size") == "40 100", "the size of the one that came")
first.type("echo by the ''first; stty size\n")
first.expect("by the first")
first.expect("24 80")
second.expect("by the first")
second.type("echo by the ''second; stty size\n")
second.expect("by the second\r\n40 100")
first.expect("by the second\r\n40 100")
second.detach()
eventually(lambda: running()[int(number)]["columns"] == 80, "the size of the one that is left")
first.type("exit 4\n")
equal(first.wait(), 4)
PY
}

@test "who only watches sees all, types nothing, changes no size and leaves by Ctrl-C" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
number = str(newest())
watcher = attach("--read-only", "box", number, rows=10, columns=10)
watcher.expect("prompt> ")
watcher.type("echo not ''sent\n")
equal(t.run("echo for ''all; stty size"), "for all\n24 80")
watcher.expect("for all")
holds("not sent" not in watcher.seen, "nothing was typed")
equal((running()[int(number)]["clients"], running()[int(number)]["watchers"]), (1, 1))
watcher.type("\x03")
equal(watcher.wait(), 0)
equal(watcher.modes(), watcher.before)
seen = subprocess.Popen([SANDBOX, "attach", "--read-only", "box", number], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
eventually(lambda: running()[int(number)]["watchers"] == 1, "a pipe may watch, too")
t.type("exit 4\n")
equal(t.wait(), 4)
out = seen.communicate(timeout=PATIENCE)[0]
equal(seen.returncode, 4)
holds(b"for all" in out, "what was on the screen: %r" % out)
PY
}

@test "an attach has a full-screen program draw anew, on the screen that it is on, and leaves the terminal as it was" {
  on_terminal <<'PY'
from terminal import *
program = r"""
trap 'printf "\033[H\033[2Jdrawn %s" "$(stty size)"' WINCH
printf '\033[?1049h\033[?25l\033[6n'
seq 100000
printf started
while :; do sleep 0.02; done
"""
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "-c", program)
t.expect("started")
number = str(newest())
t.detach()
holds("\x1b[?25h" in t.seen and "\x1b[?1049l" in t.seen, "the cursor and the first screen are back: %r" % t.seen[-200:])
t = attach("box", number)
t.expect(r"\A[^\n]*\x1b\[\?1049h\x1b\[\?25l")
t.expect("drawn 23 80")
t.expect("drawn 24 80")
t.detach()
t = attach("box", number, rows=30, columns=90)
t.expect("drawn 30 90")
t.detach()
sandbox("sessions", "kill", "box", number)
PY
}

@test "what a program has asked its terminal is not asked again at an attach" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", r"printf '\033[c\033]11;?\033\\beg''in\a'; exec sleep 4000")
t.expect(r"\x1b\[c.*begin")
t.detach()
t = attach("box")
t.expect("begin")
holds("\x1b[c" not in t.seen and "\x07" not in t.seen, "no question, no bell: %r" % t.seen)
t.detach()
PY
}

@test "a session that has ended shows its last screen and its exit code" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo first words; read line; echo last words; exit 9")
t.expect("first words")
t.type("\x10\x11")
equal(t.wait(), 0)
number = newest()
typist = attach("box", str(number))
typist.expect("first words")
typist.type("go\n")
equal(typist.wait(), 9)
equal(sessions()[number]["state"], "ended")
equal(sessions()[number]["exit"]["code"], 9)
late = attach("box", str(number))
late.expect("session %d of box has ended, .* ago" % number)
late.expect("last words")
equal(late.wait(), 9)
equal(late.modes(), late.before)
latest = subprocess.run([SANDBOX, "attach", "--read-only", "box"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
equal(latest.returncode, 9)
holds(b"last words" in latest.stdout, "without a number it is the last")
PY
}

# shim_kilobytes SANDBOX: what its shim has in memory.
shim_kilobytes() { status_line "$(shim_pid_of "$1")" VmRSS | cut -d' ' -f1; }

@test "a program without a client prints as much as it likes, and the shim keeps only the last of it" {
  local before after
  before=$(shim_kilobytes box)
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo ready; read line; stty -opost; head -c 60000000 /dev/zero | tr '\\0' x; echo; echo the-end; exec sleep 4000")
t.expect("ready")
number = newest()
t.type("\x10\x11")
equal(t.wait(), 0)
Attachment("box", number).socket.sendall(struct.pack("<IIB3x", 3, 1, 18) + b"go\n")
eventually(lambda: sessions()[number]["output_to"] > 60000000, "all of it was printed")
kept = sessions()[number]
holds(kept["output_to"] - kept["output_from"] <= 1 << 20, "a bounded part is kept")
t = attach("box", str(number))
t.expect("the-end")
t.detach()
PY
  after=$(shim_kilobytes box)
  ((after - before < 32768)) || fail "the shim grew from $before to $after kB"
}

@test "a client that does not read does not stop one that does, and is told what it missed" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "echo ready; read line; stty -opost; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo the-end; exec sleep 4000")
t.expect("ready")
number = newest()
slow = Attachment("box", number, read_only=True)
stuck = Attachment("box", number)  # may type, and reads no more than this
stuck.until("position")
slow.until("position")
t.type("go\n")
deadline = time.monotonic() + 60
while "the-end" not in t.seen[-20:]:
    holds(t._read(deadline), "the one that reads gets all of it")
    t.seen = t.seen[-20:]
t.detach()
for client in (slow, stuck):
    _, position = client.until("position")
    holds(position["skipped"] > 0, "it is moved forward: %r" % position)
    client.socket.close()
PY
}

@test "output has numbers, and a client may go on from one" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "stty -opost; printf 0123456789; read line; printf abc; exit 6")
t.expect("0123456789")
number = newest()
first = Attachment("box", number, **{"from": 4})
_, position = first.until("position")
equal(position["from"], 4)
equal(first.frame(), ("out", b"456789"))
first.socket.close()
t.type("\n")
equal(t.wait(), 6)
again = Attachment("box", number, **{"from": 10})
_, position = again.until("position")
equal(position["from"], 10)
out, end = again.until("exit")
holds(out.endswith(b"abc"), "and no byte of what it had: %r" % out)
equal(end["code"], 6)
equal(Attachment("box", number, **{"from": 10**12}).status, 400)
equal(Attachment("box", 4711).status, 404)
PY
}

@test "sessions lists what runs and what has ended, and no command drives the terminal" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "-u", "root", "box", "sh", "-c", "echo ready; exec sleep 4000 # \x1b]0;evil\x07", rows=30, columns=90)
t.expect("ready")
number = newest()
line = [l for l in sandbox("sessions").splitlines() if re.match(r"box +%d +running" % number, l)][0]
holds(re.search(r"1 attached +90x30 +\d+ seconds? ago +sh -c echo ready; exec sleep 4000 # \\x1b]", line), line)
entry = sessions()[number]
equal(entry["sandbox"], "box")
equal(entry["command"][:2], ["sh", "-c"])
equal((entry["user"], entry["agent"], entry["rows"]), ("root", False, 30))
t.detach()
PY
  run --separate-stderr sandbox sessions nosuch
  equal "$status" 125
  is_error "not found"
}

@test "sessions kill ends a program that ignores what can be ignored, and its clients see how" {
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "sh", "-c", "trap '' HUP TERM; echo ready; while :; do sleep 0.05; done")
t.expect("ready")
number = str(newest())
equal(sandbox("sessions", "kill", "box", number), number + "\n")
equal(t.wait(), 137)
equal(t.modes(), t.before)
equal(sessions()[int(number)]["exit"]["signal"], 9)
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
equal(sandbox("sessions", "kill", "box", str(newest())), "%d\n" % newest())
equal(t.wait(), 129)
PY
  run --separate-stderr sandbox sessions kill box 4711
  equal "$status" 125
  is_error "no session 4711"
  run --separate-stderr sandbox sessions kill box one
  equal "$status" 2
}

@test "without a terminal an exec is no session, and with one it may begin without a client" {
  run -0 sandbox sessions box --json
  local before=$output
  run -0 sandbox exec box true
  run -0 sandbox exec -d box true
  run -0 sandbox sessions box --json
  equal "$(jq '.sessions | length' <<<"$output")" "$(jq '.sessions | length' <<<"$before")"
  run -0 sandbox exec -dt box sh -c 'echo from the beginning; stty size; exec sleep 4000'
  on_terminal <<'PY'
from terminal import *
number = newest()
eventually(lambda: sessions()[number]["output_to"] > 0, "it has begun")
t = attach("box", str(number))
t.expect("from the beginning")
t.expect("24 80")
t.detach()
PY
}

@test "attach needs a terminal unless it only watches, and a session" {
  box idle
  run --separate-stderr sandbox attach idle </dev/null
  equal "$status" 2
  is_error TTY
  run --separate-stderr sandbox attach --read-only idle </dev/null
  equal "$status" 125
  is_error "sandbox idle has no session"
  run --separate-stderr sandbox attach --read-only idle 3 </dev/null
  equal "$status" 125
  is_error "no session 3"
  run --separate-stderr sandbox attach --read-only idle x </dev/null
  equal "$status" 2
  sandbox stop idle
  run -0 sandbox sessions idle --json
  equal "$(jq -c .sessions <<<"$output")" "[]"
  equal "$(status_of idle)" stopped
}

@test "stop ends sessions, and their clients are told" {
  box ending
  on_terminal <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "ending", "bash", "--norc")
t.shell()
sandbox("stop", "ending")
holds(t.wait() != 0, "that is no success")
equal(t.modes(), t.before)
PY
  run -0 sandbox sessions ending --json
  equal "$(jq -c .sessions <<<"$output")" "[]"
}
