#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What goes wrong between a guest and a server, and that nothing is left of it: no connection, no memory, no wrong answer.

load upstreams

# The sockets of the shim and its gate.
sockets() { find "/proc/$(shim_pid_of box)/fd" "/proc/$(gate_pid_of box)/fd" -lname 'socket:*' 2>/dev/null | wc -l; }
is_at_rest() { (($(sockets) <= AT_REST)); }
nothing_remains() { eventually is_at_rest || fail "sockets: $(sockets), and at rest: $AT_REST"; }

setup_file() {
  world_up
  upstreams_up
  nginx_up
  netbox box
  policy --policy deny --allow-host up.test
  export AT_REST
  AT_REST=$(sockets)
}

setup() { forget_visits; }

# What a client that has gone was waiting for ends: until then it may be one that has only said all it had to say.
release() { curl -sS --noproxy '*' "http://127.0.0.1:$HTTP_PORT/release"; }
request_came() { grep -qF "$1" "$UPSTREAMS/visits"; }

# bats test_tags=once
@test "an upstream that never answers: the client's own patience ends it" {
  run -28 guest curl -sS -o /dev/null -m 2 "http://up.test:$HTTP_PORT/silent"
  run -28 guest curl -sS -o /dev/null -m 2 --noproxy '*' "https://up.test:$TLS_PORT/silent"
  run -28 guest curl -sS -o /dev/null -m 2 --http2 "https://up.test:$H2_PORT/back/silent"
  release
  nothing_remains
}

# Whoever listens and does not accept: the kernel does it for them.
# bats test_tags=once
@test "an upstream that accepts and says nothing where TLS is expected" {
  coproc SILENT { exec python3 -uc 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1]); input()' 3>&-; }
  local port
  read -r port <&"${SILENT[0]}"
  run -28 guest curl -sS -o /dev/null -m 2 --noproxy '*' "https://up.test:$port/"
  run -28 guest curl -sS -o /dev/null -m 2 "https://up.test:$port/"
  echo >&"${SILENT[1]}"
  nothing_remains
}

# bats test_tags=once
@test "an upstream that closes early: the client sees that it is not all" {
  for curl in forward_curl captured_curl; do
    for port in "http://up.test:$HTTP_PORT" "https://up.test:$TLS_PORT"; do
      run -18 --separate-stderr $curl "$port/early"
      equal "$output" "not all"
      run -0 $curl -w '%{http_code}' "$port/nothing"
      says "No answer from up.test"
      matches '502$'
    done
  done
  nothing_remains
}

# bats test_tags=once
@test "an upstream that sends garbage: an error in words" {
  for port in "http://up.test:$HTTP_PORT" "https://up.test:$TLS_PORT"; do
    run -0 captured_curl -w '%{http_code}' "$port/garbage"
    says "No answer from up.test"
    matches '502$'
  done
  run -0 captured_curl -w '%{http_code}' "https://up.test:$HTTP_PORT/"  # which has no TLS
  says "Cannot reach up.test:$HTTP_PORT"
  matches '502$'
  nothing_remains
}

# bats test_tags=once
@test "nobody at the port, no such host: an error in words" {
  local port
  port=$(free_port)
  policy --allow-host nobody.invalid
  for curl in forward_curl captured_curl; do
    run -0 $curl -w '%{http_code}' "http://up.test:$port/"
    says "Cannot reach up.test:$port"
    matches '502$'
    run -0 $curl -w '%{http_code}' "https://nobody.invalid/"
    says "Cannot reach nobody.invalid:443"
    matches '502$'
  done
  # A dial that failed says nothing about the policy: it is logged with the rule that lets it pass.
  eventually logged ".allowed_hosts[] | select(.host == \"up.test:$port\" and .rule == \"up.test\")"
  eventually logged '.allowed_hosts[] | select(.host == "nobody.invalid:443" and .rule == "nobody.invalid")'
  nothing_remains
}

@test "2,000 connections at once" {
  run -0 sandbox exec -i -u root box bash -c 'ulimit -n 4096; exec python3 - "$0"' "$MANY_PORT" <<'PY'
import socket, sys
port = int(sys.argv[1])
open_ones = []
for i in range(2000):
    s = socket.socket()
    s.settimeout(100)
    s.connect(("up.test", port))
    open_ones.append(s)
for s in open_ones:
    s.sendall(b"GET /protocol HTTP/1.1\r\nHost: up.test:%d\r\n\r\n" % port)
print(sum(s.recv(9) == b"HTTP/1.1 " and b"200" in s.recv(4) for s in open_ones))
PY
  equal "$output" 2000
  nothing_remains
}

@test "clients that never finish their request hold up nobody" {
  sandbox exec -i box bash -c 'exec python3 - "$0" "$1"' "$HTTP_PORT" "$TLS_PORT" 3>&- <<'PY' &
import socket, sys
beginnings = (b"G", b"GET / HTTP/1.1\r\nHost: up.te", b"\x16\x03\x01\x02\x00\x01", b"CONNECT up", b"")
open_ones = []
for i in range(300):
    s = socket.create_connection(("up.test", int(sys.argv[1 + i % 2])) if i % 3 else ("host.docker.internal", 3128), 60)
    s.sendall(beginnings[i % 5])
    open_ones.append(s)
open("/home/agent/all-open", "w").close()
sys.stdin.close()
import time
while True: time.sleep(60)
PY
  local slow=$!
  eventually guest test -e /home/agent/all-open
  equal "$(captured_curl "https://up.test:$TLS_PORT/")" hello
  equal "$(forward_curl "http://up.test:$HTTP_PORT/")" hello
  guest pkill -x python3
  eventually is_gone "$slow"
  nothing_remains
}

@test "a client that goes away leaves nothing" {
  for words in "https://up.test:$TLS_PORT/endless" "http://up.test:$HTTP_PORT/trickle" "https://up.test:$H2_PORT/back/endless"; do
    "$SANDBOXD_BIN/sandbox" exec box curl -sS -o /dev/null "$words" >/dev/null 2>&1 3>&- </dev/null &
    eventually request_came "/$(basename "$words")"
    guest pkill -9 -x curl
    wait $! || true
    forget_visits
  done
  release
  nothing_remains
}

# peak PID: the most memory that it ever had, in KiB
peak() { awk '/^VmHWM/ {print $2}' "/proc/$1/status"; }
download() { equal "$(guest sh -c "curl -sS 'https://up.test:$TLS_PORT/large?size=$1' | wc -c")" "$1"; }
upload() {
  run -0 guest sh -c "head -c $1 /dev/zero | curl -sS -T - --noproxy '*' 'https://up.test:$TLS_PORT/count'"
  equal "$output" "$1"
}

# SANDBOXD_TEST_BODY=10000000000 for ten gigabytes each way; without it as much as there is time for.
# bats test_tags=once
@test "bodies take no memory, however long they are" {
  local shim before size=${SANDBOXD_TEST_BODY:-1000000000}
  shim=$(shim_pid_of box)
  download 20000000
  upload 20000000
  before=$(peak "$shim")
  SECONDS=0
  download "$size"
  echo "# $size bytes down in $SECONDS s" >&3
  SECONDS=0
  upload "$size"
  echo "# $size bytes up in $SECONDS s, the shim's peak grew from $before to $(peak "$shim") KiB" >&3
  (($(peak "$shim") - before < 4 << 10)) || fail "the shim has grown by $(($(peak "$shim") - before)) KiB"
  nothing_remains
}
