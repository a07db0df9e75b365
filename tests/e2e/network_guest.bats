#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The guest's end of the network: where its programs find the proxy, names and certificates.

load world

setup_file() {
  world_up
  box box
}

# python in the guest, with the script on stdin.
in_box() { sandbox exec -i "$@" box python3 -; }

@test "programs are told of the proxy, in both cases of letters" {
  run -0 sandbox exec box sh -c 'echo $HTTP_PROXY $HTTPS_PROXY $http_proxy $https_proxy $NO_PROXY $no_proxy'
  local proxy=http://host.docker.internal:3128 none=localhost,127.0.0.1,::1
  equal "$output" "$proxy $proxy $proxy $proxy $none $none"
}

@test "what the user says of the proxy wins" {
  run -0 sandbox exec -e HTTPS_PROXY=http://mine:1 box sh -c 'echo $HTTPS_PROXY'
  equal "$output" http://mine:1
}

@test "the host has its fixed address, and nobody else has it" {
  run -0 sandbox exec box getent ahostsv4 host.docker.internal
  says 198.18.0.1
  run -0 sandbox exec box getent ahostsv4 example.com
  says_not "198.18.0.1 "
}

@test "names are stable, have no address of IPv6, and addresses have their names" {
  run -0 in_box <<'PY'
import socket
first = socket.gethostbyname("Example.COM")
print(first == socket.gethostbyname("example.com"), socket.gethostbyaddr(first)[0])
try: print(socket.getaddrinfo("example.com", 80, socket.AF_INET6))
except OSError: print("none")
PY
  equal "$output" $'True example.com\nnone'
}

@test "the loopback is the guest's own" {
  run -0 in_box <<'PY'
import socket
for address in ("127.0.0.1", "127.0.0.53", "::1", "localhost"):
    try: socket.create_connection((address, 53), timeout=10)
    except ConnectionRefusedError: print("refused")
server = socket.create_server(("0.0.0.0", 3128))
client = socket.create_connection(("127.0.0.1", 3128), timeout=10)
server.accept()[0].send(b"own")
print(client.recv(3).decode())
PY
  equal "$output" $'refused\nrefused\nrefused\nrefused\nown'
}

@test "udp and icmp fail at once" {
  run -0 in_box -u root --privileged <<'PY'
import socket
for kind, protocol in ((socket.SOCK_DGRAM, 0), (socket.SOCK_RAW, 1)):
    s = socket.socket(socket.AF_INET, kind, protocol)
    try: s.sendto(b"\x08" + bytes(15), ("1.1.1.1", 443))
    except OSError as e: print(e.strerror)
PY
  equal "$output" $'Network is unreachable\nNetwork is unreachable'
}

@test "the authority is in the system's store, once, also after a restart" {
  local ours="$SANDBOXES_HOME/vm/box/proxy_cacerts/proxy-ca.crt"
  run -0 sandbox exec box cat /usr/local/share/ca-certificates/proxy-ca.crt
  equal "$output" "$(cat "$ours")"
  sandbox stop box >/dev/null
  sandbox start box >/dev/null
  local line
  line=$(sed -n 5p "$ours")
  run -0 sandbox exec box grep -cF "$line" /etc/ssl/certs/ca-certificates.crt
  equal "$output" 1
  run -0 sandbox exec box sh -c 'cat /etc/ssl/certs/$(ls -l /etc/ssl/certs | grep -o "[0-9a-f]*\.0 -> proxy-ca.pem" | cut -d" " -f1)'
  equal "$output" "$(cat "$ours")"
}

@test "the authority's key is nowhere in the guest" {
  local line
  line=$(sed -n 2p "$SANDBOXES_HOME/vm/box/proxy_cacerts/proxy-ca.key")
  run ! sandbox exec -u root box grep -rqF "$line" /etc /usr/local /run /tmp /home /root
}

@test "programs keep the ordinary number of descriptors" {
  run -0 sandbox exec box sh -c 'ulimit -Sn'
  local ordinary=$output
  run -0 sandbox exec -u root --privileged box sh -c 'grep "Max open files" /proc/1/limits'
  says "Max open files"
  (( ordinary <= $(awk '{print $4}' <<<"$output") ))
}
