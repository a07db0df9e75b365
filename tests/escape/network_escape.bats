#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: a byte leaves the guest for the network, or reaches a server on the host.

load ../e2e/world

setup_file() {
  world_up
  box box
  # A server on the host's loopback, on all its addresses, and one on an abstract socket: it writes down who came.
  python3 - "$WORLD/visitors" "$WORLD/port" 3>&- <<'PY' &
import os, select, socket, sys
tcp = socket.create_server(("0.0.0.0", 0))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("0.0.0.0", tcp.getsockname()[1]))
abstract = socket.socket(socket.AF_UNIX)
abstract.bind("\0sandboxd-escape-%d" % tcp.getsockname()[1])
abstract.listen()
with open(sys.argv[2] + ".new", "w") as f: f.write(str(tcp.getsockname()[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
while True:
    for s in select.select([tcp, udp, abstract], [], [])[0]:
        with open(sys.argv[1], "a") as f: f.write("came\n")
        if s is udp: s.recv(100)
        else: s.accept()[0].close()
PY
  echo $! >"$WORLD/server.pid"
  eventually test -s "$WORLD/port"
}

teardown_file() {
  kill "$(cat "$WORLD/server.pid")" 2>/dev/null || true
  world_down
}

setup() {
  PORT=$(cat "$WORLD/port")
  rm -f "$WORLD/visitors"
}

# python for the guest, given the port; as root with everything that the guest has.
attack() { sandbox exec -i -u root --privileged box python3 - "$PORT"; }

@test "the server that must not be reached can be reached from the host" {
  python3 -c 'import socket, sys; socket.create_connection(("127.0.0.1", int(sys.argv[1])))' "$PORT"
  python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect("\0sandboxd-escape-" + sys.argv[1])' "$PORT"
  eventually test -s "$WORLD/visitors"
}

@test "there is no interface but lo" {
  run -0 sandbox exec -u root box sh -c 'ls /sys/class/net; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "'
  equal "$output" $'lo\nlo'
}

@test "there is no route but to lo" {
  run -0 sandbox exec -u root box sh -c 'tail -n +2 /proc/net/route; grep -v " lo$" /proc/net/ipv6_route || true'
  equal "$output" ""
}

@test "the host's servers cannot be reached by any of its addresses" {
  local addresses
  addresses="127.0.0.1 ::1 0.0.0.0 localhost $(hostname -I)"
  run -0 attack <<PY
import socket, sys
for address in "$addresses".split():
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            s = socket.socket(family, kind)
            s.settimeout(3)
            s.connect((address, int(sys.argv[1])))
            s.send(b"x")
            if kind == socket.SOCK_STREAM: s.recv(1)
        except OSError:
            pass
print("tried")
PY
  says tried
  [[ ! -e $WORLD/visitors ]]
}

# A connection of TCP is captured, and ends in the proxy: what does not speak HTTP or TLS is closed there.
@test "nobody in the world answers, by TCP or UDP, and it shows at once" {
  run -0 sandbox exec -i box python3 - <<'PY'
import socket
for address in ("1.1.1.1", "8.8.8.8", "169.254.169.254", "10.0.0.1", "172.17.0.1", "192.168.0.1", "255.255.255.255", "224.0.0.1"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        s = socket.socket(socket.AF_INET, kind)
        s.settimeout(10)
        try:
            s.connect((address, 7))
            s.send(b"x\n" * 100)
            if s.recv(1) != b"": print("REACHED", address, kind)
        except socket.timeout:
            print("HUNG", address, kind)
        except OSError:
            pass
print("tried")
PY
  equal "$output" tried
}

@test "every name has an address, of the guest's own making, and no question leaves" {
  run -0 sandbox exec -i box python3 - <<'PY'
import socket
for name in ("example.com", "localhost.example.com", "metadata.google.internal", "nas"):
    for answer in socket.getaddrinfo(name, 80): print(answer[4][0].rsplit(".", 2)[0])
PY
  equal "$(sort -u <<<"$output")" 198.18
}

@test "raw packets find no way" {
  run -0 attack <<'PY'
import socket
for protocol in (1, 47, 132, 255):
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, protocol)
    try:
        s.sendto(b"\x45" + bytes(63), ("8.8.8.8", 0))
        print("SENT", protocol)
    except OSError as e:
        print(e.errno)
PY
  equal "$(sort -u <<<"$output")" 101
}

@test "whoever takes the redirect away has no network" {
  box cut
  run -0 sandbox exec -i -u root --privileged cut python3 - <<'PY'
import socket, struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
def message(kind, flags, body): return struct.pack("IHHII", 16 + len(body), kind, flags, 1, 0) + body
edge = struct.pack("BBH", 0, 0, socket.htons(10))
table = struct.pack("BBH", 1, 0, 0) + struct.pack("HH", 12, 1) + b"sandbox\0"
s.send(message(16, 1, edge) + message(10 << 8 | 2, 5, table) + message(17, 1, edge))
assert struct.unpack("i", s.recv(4096)[16:20])[0] == 0
for address in ("1.1.1.1", "198.18.0.1"):
    try:
        socket.create_connection((address, 80), timeout=10)
        print("REACHED", address)
    except OSError:
        print("refused")
PY
  equal "$output" $'refused\nrefused'
}

@test "abstract sockets of the host's are not there" {
  run -0 attack <<'PY'
import socket, sys
s = socket.socket(socket.AF_UNIX)
try:
    s.connect("\0sandboxd-escape-" + sys.argv[1])
    print("REACHED")
except OSError as e:
    print("refused")
PY
  equal "$output" refused
  [[ ! -e $WORLD/visitors ]]
  run -0 sandbox exec -u root box cat /proc/net/unix
  says_not sandboxd
}

@test "plain root gets no raw socket, no packet socket, no vsock and cannot change devices" {
  run -0 sandbox exec -i -u root box python3 - <<'PY'
import socket
for name, family, kind, protocol in (("raw", socket.AF_INET, socket.SOCK_RAW, 1), ("raw6", socket.AF_INET6, socket.SOCK_RAW, 58),
                                     ("packet", socket.AF_PACKET, socket.SOCK_RAW, 0x300), ("packet-dgram", socket.AF_PACKET, socket.SOCK_DGRAM, 0x300),
                                     ("vsock", 40, socket.SOCK_STREAM, 0), ("bluetooth", 31, socket.SOCK_RAW, 1),
                                     ("alg", 38, socket.SOCK_SEQPACKET, 0), ("can", 29, socket.SOCK_RAW, 1), ("tipc", 30, socket.SOCK_RAW, 0)):
    try:
        socket.socket(family, kind, protocol)
        print("ALLOWED", name)
    except OSError as e:
        print("refused", name)
import os, struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
name = b"evil0\0\0\0"
attribute = struct.pack("HH", 4 + 6, 3) + b"evil0\0\0\0"
info = struct.pack("HH", 4 + len(b"dummy") , 1) + b"dummy\0\0\0"
linkinfo = struct.pack("HH", 4 + len(info), 18) + info
body = struct.pack("BxHiII", 0, 0, 0, 0, 0) + attribute + linkinfo
s.send(struct.pack("IHHII", 16 + len(body), 16, 0x605, 1, 0) + body)
answer = s.recv(4096)
code = struct.unpack("i", answer[16:20])[0]
print("netlink", "ALLOWED" if code == 0 else "refused")
PY
  says_not ALLOWED
  says "refused raw"
  says "netlink refused"
}

@test "vsock to the host is not there for --privileged, either" {
  run -0 attack <<'PY'
import socket
for cid in (0, 1, 2, 3, 0xffffffff):
    try:
        s = socket.socket(40, socket.SOCK_STREAM)
        s.settimeout(3)
        s.connect((cid, 1024))
        print("REACHED", cid)
    except OSError:
        pass
print("tried")
PY
  equal "$output" tried
}

@test "lo works in the guest, and one sandbox's is not another's" {
  box other
  sandbox exec -d other python3 -m http.server 8123 --bind 127.0.0.1
  eventually sandbox exec other curl -sf -o /dev/null http://127.0.0.1:8123/
  run ! sandbox exec box curl -s -m 5 http://127.0.0.1:8123/
}

@test "unix sockets in a shared workspace do not lead to the host's daemon" {
  run ! sandbox exec -u root box ls "$SANDBOXES_HOME/sandboxd.sock" "$SANDBOXES_HOME/vm/box/shim.sock" /var/run/docker.sock
  run -0 sandbox exec -u root --privileged box sh -c 'find / -xdev -type s 2>/dev/null | head'
  equal "$output" ""
}
