#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Ports of a sandbox on the host: who may come, and that it is the guest's server that answers.

load upstreams

teardown() {
  local name
  for name in $(sandbox ls -q); do sandbox rm -f "$name" >/dev/null; done
}

# A server in the guest that says its name: server NAME PORT [ADDRESS]
server() {
  sandbox exec "$1" sh -c 'mkdir -p ~/www && echo "$SANDBOX_NAME" >~/www/index.html'
  sandbox exec -d "$1" python3 -m http.server --bind "${3:-127.0.0.1}" --directory /home/agent/www "$2"
  eventually sandbox exec "$1" sh -c "curl -sf -o /dev/null --noproxy '*' http://localhost:$2/"
}

host_curl() { curl -sS --max-time "$kPatience" --noproxy '*' "$@"; }
listens() { answers "$1"; }
listens_not() { ! answers "$1"; }
port_of() { sandbox ports "$1" --json | jq -r ".[] | select(.sandbox_port == $2) | .host_port"; }
addresses_of() { ss -Hltn "sport = :$1" | awk '{print $4}'; }

@test "-p PORT:PORT on create is a listener on 127.0.0.1, and what comes there is answered by the guest" {
  local port
  port=$(free_port)
  box box -p "$port:8000"
  server box 8000
  equal "$(host_curl "http://127.0.0.1:$port/")" box
  equal "$(addresses_of "$port")" "127.0.0.1:$port"
  matches "127.0.0.1 +$port +8000 +tcp" "$(sandbox ports box)"
  says "127.0.0.1:$port->8000/tcp" "$(sandbox ls)"
}

# bats test_tags=once
@test "-p on run, with a port of the host's choice" {
  mkdir -p "$WORLD/ws-ran"
  "$SANDBOXD_BIN/sandbox" run --name ran -p 8000 shell "$WORLD/ws-ran" -- -c 'sleep 600' >/dev/null 2>&1 3>&- </dev/null &
  local runner=$!
  eventually has_status ran running
  remember_ids
  server ran 8000
  local port
  port=$(port_of ran 8000)
  matches '^[1-9][0-9]*$' "$port"
  equal "$(host_curl "http://127.0.0.1:$port/")" ran
  sandbox rm -f ran
  eventually is_gone "$runner"
  eventually listens_not "$port"
}

@test "ports come and go while it runs" {
  local port
  port=$(free_port)
  box box
  server box 8000
  server box 8001
  run -0 sandbox ports box --publish "$port:8000"
  equal "$output" "Published 127.0.0.1:$port->8000/tcp"
  equal "$(host_curl "http://127.0.0.1:$port/")" box
  sandbox ports box --publish 8001
  equal "$(host_curl "http://127.0.0.1:$(port_of box 8001)/")" box
  run -0 sandbox ports box --unpublish "$port:8000"
  listens_not "$port"
  equal "$(host_curl "http://127.0.0.1:$(port_of box 8001)/")" box
  equal "$(sandbox ports box --json | jq length)" 1
}

@test "ports outlive a stop, are closed while it is stopped, and can be changed then" {
  local port second
  port=$(free_port)
  second=$(free_port)
  box box -p "$port:8000"
  listens "$port"
  sandbox stop box
  listens_not "$port"
  sandbox ports box --publish "$second:8000"
  sandbox start box
  server box 8000
  equal "$(host_curl "http://127.0.0.1:$port/")" box
  equal "$(host_curl "http://127.0.0.1:$second/")" box
  sandbox stop box
  sandbox ports box --unpublish "$second:8000"
  sandbox start box
  listens "$port"
  listens_not "$second"
}

# bats test_tags=once
@test "a port that is taken is an error that says so, and leaves nothing" {
  local port
  box first -p 8000
  port=$(port_of first 8000)
  mkdir -p "$WORLD/ws-second"
  run --separate-stderr sandbox run -d --name second -p "$port:8000" shell "$WORLD/ws-second"
  if ((status == 0)); then fail "it was given"; fi
  is_error "$port"
  run ! has_status second running
  box third
  run --separate-stderr sandbox ports third --publish "127.0.0.1:$port:8000"
  ((status != 0))
  is_error "$port"
  equal "$(sandbox ports third --json)" "[]"
  equal "$(status_of third)" running
}

# bats test_tags=once
@test "an address of the host's can be chosen, of IPv6 as well" {
  local port
  port=$(free_port)
  box box -p "0.0.0.0:$port:8000"
  server box 8000
  equal "$(addresses_of "$port")" "0.0.0.0:$port"
  equal "$(host_curl "http://127.0.0.2:$port/")" box
  [[ -e /proc/net/if_inet6 ]] || skip "the host has no IPv6: the rest is not tried"
  port=$(free_port)
  sandbox ports box --publish "[::1]:$port:8000"
  equal "$(host_curl "http://[::1]:$port/")" box
  equal "$(addresses_of "$port")" "[::1]:$port"
}

@test "both directions, large and at once, and the end of one of them" {
  box box -p 8000
  sandbox exec -d box python3 -c '
import socket, threading
def serve(c):
    data = c.makefile("rb").read()
    c.sendall(data[::-1])
    c.close()
s = socket.create_server(("127.0.0.1", 8000), backlog=200)
while True: threading.Thread(target=serve, args=(s.accept()[0],)).start()'
  eventually sandbox exec box sh -c 'grep -q ":1F40 0*:0000 0A" /proc/net/tcp'
  run -0 python3 - "$(port_of box 8000)" <<'PY'
import os, socket, sys, threading
def one():
    data = os.urandom(1 << 18)
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
    s.sendall(data)
    s.shutdown(socket.SHUT_WR)
    results.append(s.makefile("rb").read() == data[::-1])
results = []
threads = [threading.Thread(target=one) for _ in range(50)]
for t in threads: t.start()
for t in threads: t.join()
print(results.count(True))
PY
  equal "$output" 50
}

@test "nobody at the guest's port: the connection is closed, and the sandbox goes on" {
  box box -p 8000
  run ! host_curl "http://127.0.0.1:$(port_of box 8000)/"
  server box 8000
  equal "$(host_curl "http://127.0.0.1:$(port_of box 8000)/")" box
}

@test "two sandboxes have their own, and neither reaches the other's past the policy" {
  box one -p 8000
  box two -p 8000
  server one 8000
  server two 8000
  equal "$(host_curl "http://127.0.0.1:$(port_of one 8000)/")" one
  equal "$(host_curl "http://127.0.0.1:$(port_of two 8000)/")" two
  local port
  port=$(port_of one 8000)
  run -0 sandbox exec two curl -sS --max-time "$kPatience" "http://host.docker.internal:$port/"
  says "Blocked by network policy: host.docker.internal:$port"
  sandbox network proxy two --allow-host "localhost:$port"
  run -0 sandbox exec two curl -sS --max-time "$kPatience" "http://host.docker.internal:$port/"
  equal "$output" one
}

# bats test_tags=once
@test "published ports are closed when the sandbox is removed" {
  box box -p 8000
  local port
  port=$(port_of box 8000)
  listens "$port"
  sandbox rm -f box
  listens_not "$port"
}
