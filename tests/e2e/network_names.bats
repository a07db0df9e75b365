#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Names and addresses in a guest: who answers for them, and what happens to what is not TCP.

load upstreams

setup_file() {
  world_up
  upstreams_up
  bring ip
  netbox box -- "$TOOLS:ro"
  policy --policy deny --allow-host up.test
}

# ask HOW SERVER NAME TYPE
ask() { guest_python "$@" <"$kSource/tests/e2e/dns.py"; }

kMade='198\.1[89]\.[0-9]+\.[0-9]+'

@test "every name has an address of 198.18.0.0/15, the same each time, over UDP and TCP" {
  run -0 ask udp 198.18.0.1 up.test A
  matches "^code 0"$'\n'"$kMade\$"
  local first=$output
  run -0 ask tcp 198.18.0.1 UP.test. A
  equal "$output" "$first"
  run -0 ask udp 198.18.0.1 other.test A
  matches "^code 0"$'\n'"$kMade\$"
  [[ $output != "$first" ]]
}

@test "no name is asked for outside: one that cannot exist has an address, too" {
  run -0 ask udp 198.18.0.1 "nobody-$RANDOM.invalid" A
  matches "^code 0"$'\n'"$kMade\$"
  run -0 captured_curl "http://nobody-$RANDOM.invalid/"
  says "rule: <default policy>"
}

@test "there are no records but addresses of IPv4 and names of addresses" {
  for kind in AAAA HTTPS TXT; do
    for how in udp tcp; do
      run -0 ask $how 198.18.0.1 up.test $kind
      equal "$output" "code 0"
    done
  done
  local address
  address=$(guest getent ahostsv4 up.test | awk 'NR == 1 {print $1}')
  run -0 ask udp 198.18.0.1 "$(awk -F. '{print $4 "." $3 "." $2 "." $1 ".in-addr.arpa"}' <<<"$address")" PTR
  equal "$output" $'code 0\nup.test'
  run -0 guest getent hosts "$address"
  matches "up.test"
}

@test "whoever is asked, it is the same who answers" {
  local answer
  answer=$(ask udp 198.18.0.1 up.test A)
  for server in 8.8.8.8 1.1.1.1 192.168.1.1 2001:4860:4860::8888; do
    equal "$(ask udp $server up.test A)" "$answer"
    equal "$(ask tcp $server up.test A)" "$answer"
  done
}

@test "host.docker.internal is 198.18.0.1" {
  equal "$(ask udp 198.18.0.1 host.docker.internal A)" $'code 0\n198.18.0.1'
  equal "$(guest getent hosts host.docker.internal | awk '{print $1}')" 198.18.0.1
}

@test "names that are none are errors" {
  run -0 guest_python <<'PY'
import socket
for question in (b"\x07" + b"short", b"\xc0\x0c" + b"\0\1\0\1", b"\x3f" + b"a" * 63 + b"\x3f" + b"b" * 63 + b"\x3f" + b"c" * 63 + b"\x3f" + b"d" * 63 + b"\0\0\1\0\1"):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(30)
    s.connect(("198.18.0.1", 53))
    s.send(b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + question)
    print("error" if s.recv(600)[3] & 15 else "answer")
PY
  equal "$output" $'error\nerror\nerror'
  equal "$(ask udp 198.18.0.1 up.test A | head -1)" "code 0"  # and the server lives
}

@test "UDP and ICMP go nowhere, and say so at once" {
  run -0 sandbox exec -i -u root --privileged box python3 - <<'PY'
import socket
def tried(family, kind, protocol, address, data):
    s = socket.socket(family, kind, protocol)
    s.settimeout(30)
    try:
        for _ in range(2):  # an error that comes back as ICMP is told with the next call
            s.sendto(data, (address, 0 if protocol else 443))
            s.connect((address, 443)) if not protocol else None
        s.recv(100)
        return "ANSWERED"
    except TimeoutError:
        return "HUNG"
    except OSError:
        return "failed"
ping = b"\x08\0\xf7\xfd\0\1\0\1"
for address in ("1.1.1.1", "198.18.0.1", "198.18.1.1", "192.168.1.1"):
    print(tried(socket.AF_INET, socket.SOCK_DGRAM, 0, address, b"x"), tried(socket.AF_INET, socket.SOCK_RAW, 1, address, ping))
print(tried(socket.AF_INET6, socket.SOCK_DGRAM, 0, "2001:db8::1", b"x"), tried(socket.AF_INET6, socket.SOCK_RAW, 58, "2001:db8::1", b"\x80\0\0\0\0\1\0\1"))
PY
  equal "$(sort -u <<<"$output")" "failed failed"
}

@test "QUIC is not spoken: HTTP/3 clients see no UDP and fall back" {
  run -0 guest_python <<'PY'
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(30)
try:
    s.connect(("up.test", 443))
    s.send(b"\xc0\0\0\0\1" + bytes(1195))
    s.recv(100)
except TimeoutError: print("HUNG")
except OSError: print("failed")
PY
  equal "$output" failed
}

@test "an address of IPv6 is decided like others" {
  for curl in forward_curl captured_curl; do
    run -0 $curl "http://[2001:db8::1]:8080/"
    says "Blocked by network policy: [2001:db8::1]:8080"
  done
  run -0 sandbox exec -e no_proxy= -e NO_PROXY= box curl -sS --max-time "$kPatience" "http://[::1]:$HTTP_PORT/"
  says "Blocked by network policy: [::1]:$HTTP_PORT"
}

@test "an address that no name was given leads nowhere" {
  forget_visits
  run ! captured_curl "http://198.18.77.77:$HTTP_PORT/"
  run -0 forward_curl "http://198.18.77.77:$HTTP_PORT/"
  says "Blocked by network policy: 198.18.77.77:$HTTP_PORT"
  nobody_came
}

# bats test_tags=container
@test "a nested network's connections and names are captured, too" {
  run -0 sandbox exec -i -u root --privileged box bash -es "$TOOLS" "$HTTP_PORT" <<'SH'
ip() { "$1/ip" "${@:2}"; }
mkdir -p /run/netns
unshare --net=/run/netns/inner true 2>/dev/null || { touch /run/netns/inner; unshare --net=/run/netns/inner true; }
ip "$1" link add outer type veth peer name inner
ip "$1" link set inner netns inner
ip "$1" address add 10.99.0.1/24 dev outer
ip "$1" link set outer up
inside() { nsenter --net=/run/netns/inner "$@"; }
inside "$1/ip" address add 10.99.0.2/24 dev inner
inside "$1/ip" link set inner up
inside "$1/ip" route add default via 10.99.0.1
inside curl -sS --max-time 30 --noproxy '*' "http://up.test:$2/"
inside curl -sS --max-time 30 --noproxy '*' http://blocked.test/ | head -1
inside curl -sS --max-time 30 "http://up.test:$2/"
SH
  equal "$output" $'hello\nBlocked by network policy: blocked.test:80\nhello'
  run ! sandbox exec -u root --privileged box unshare -n curl -sS --max-time 30 --noproxy '*' "http://up.test:$HTTP_PORT/"
}
