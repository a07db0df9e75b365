# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
"""An attacker in the sandbox, who speaks to the ssh-agent of SSH_AUTH_SOCK as no ssh would: ask_ssh_agent.py WHAT HOST

Prints a line "what was tried: answers", by their kinds: 12 is a list of keys, 14 a signature, 6 a success, 5 a failure;
"closed" if there is none. WHAT is one of:
  messages   every message but those that are let through
  replay     logs in by ssh with an eye on what it asks of the agent, and asks the same in other circumstances
  waiting    the same while the connection is open, when told to: by lines on standard input, "go", once for each time
  flood      more connections than there may be, and messages that are too large; then list the keys
"""

import contextlib
import os
import socket
import struct
import subprocess
import sys
import threading
import time

kAgent = os.environ["SSH_AUTH_SOCK"]
kWhat, kHost = sys.argv[1:]
kSpy = f"/tmp/spy.{os.getpid()}"


def text(value):
    return struct.pack(">I", len(value)) + value


def connect():
    agent = socket.socket(socket.AF_UNIX)
    agent.settimeout(60)
    agent.connect(kAgent)
    return agent


def read(stream, size):
    got = b""
    while len(got) < size:
        more = stream.recv(size - len(got))
        if not more:
            return None
        got += more
    return got


def read_message(stream):
    size = read(stream, 4)
    return read(stream, struct.unpack(">I", size)[0]) if size else None


def ask(agent, message):
    agent.sendall(text(message))
    return read_message(agent)


def kind(answer):
    return answer[0] if answer else "closed"


def said(what, *answers):
    print(f"{what}:", *answers, flush=True)


def spy(listener, heard):
    """Stands between ssh and the agent, and writes down what ssh says."""
    program, _ = listener.accept()
    agent = connect()
    while message := read_message(program):
        heard.append(message)
        program.sendall(text(ask(agent, message)))


def log_in(heard):
    """An ssh that is logged in until its input ends."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(kSpy)
    listener.listen()
    threading.Thread(target=spy, args=(listener, heard), daemon=True).start()
    ssh = subprocess.Popen(["ssh", "-oBatchMode=yes", "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null",
                            "-oLogLevel=ERROR", f"root@{kHost}", "echo in; read line"],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "SSH_AUTH_SOCK": kSpy})
    assert ssh.stdout.readline() == b"in\n"
    os.unlink(kSpy)
    return ssh


def log_out(ssh):
    ssh.stdin.close()
    ssh.wait()


def heard_of(heard, number):
    return next(message for message in heard if message[0] == number)


def in_turn(*messages):
    """On a connection of their own."""
    agent = connect()
    return [kind(ask(agent, message)) for message in messages]


def signs_of(key, session):
    """What else could be signed."""
    login = (text(session) + b"\x32" + text(b"root") + text(b"ssh-connection") + text(b"publickey") + b"\x01" +
             text(b"ssh-ed25519") + text(key))
    git = b"SSHSIG" + text(b"git") + text(b"") + text(b"sha512") + text(b"h" * 64)
    for data in (b"any bytes", git, login + b"x", login.replace(b"publickey", b"hostbased")):
        yield b"\x0d" + text(key) + text(data) + struct.pack(">I", 0)


def replay():
    heard = []
    ssh = log_in(heard)
    bind, sign = heard_of(heard, 27), heard_of(heard, 13)
    key = sign[5:5 + struct.unpack(">I", sign[1:5])[0]]
    (at,) = struct.unpack(">I", bind[29:33])
    session = bind[37 + at:37 + at + struct.unpack(">I", bind[33 + at:37 + at])[0]]
    said("the same login", *in_turn(bind, sign))
    said("without saying where", *in_turn(sign))
    said("a server that asks", *in_turn(bind, bind[:-1] + b"\x01", sign))
    said("another session", *in_turn(bind.replace(session, b"x" * len(session)), sign.replace(session, b"x" * len(session))))
    said("another session after", *in_turn(bind, sign.replace(session, b"x" * len(session))))
    said("no login", *in_turn(bind, *signs_of(key, session)))
    log_out(ssh)
    while in_turn(bind) == [6]:  # its end has yet to arrive
        time.sleep(0.1)
    said("when it is closed", *in_turn(bind, sign))
    with socket.create_connection((kHost, 22), timeout=60) as server:
        assert server.recv(100).startswith(b"SSH-")
        said("while another is open", *in_turn(bind, sign))
    other = log_in([])
    said("while another is logged in", *in_turn(bind, sign))
    log_out(other)


def waiting():
    heard = []
    ssh = log_in(heard)
    said("logged in")
    for _ in sys.stdin:
        said("again", *in_turn(heard_of(heard, 27), heard_of(heard, 13)))
    log_out(ssh)


def messages():
    kinds = [n for n in range(256) if n not in (11, 13)]
    agent = connect()
    said("messages", *{kind(ask(agent, bytes([n]) + text(b"query") + text(b"word"))) for n in kinds})


def flood():
    held = []
    for _ in range(200):
        with contextlib.suppress(OSError):  # what is one too many is closed, or waits
            held.append(connect())
            held[-1].sendall(struct.pack(">I", 0xffffffff) + b"x" * 1000)
    for agent in held:
        agent.close()
    for _ in range(300):
        with contextlib.suppress(OSError), connect() as agent:
            if answer := ask(agent, b"\x0b"):
                return said("flood", kind(answer))
        time.sleep(0.1)
    said("flood", "closed")


{"replay": replay, "waiting": waiting, "messages": messages, "flood": flood}[kWhat]()
