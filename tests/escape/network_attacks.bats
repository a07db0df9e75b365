#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: a guest that may reach one host gets to another, or to the host itself, or gets out when what stands between
# is gone.

load ../e2e/upstreams

setup_file() {
  world_up
  upstreams_up
  nginx_up
  other_protocols_up
  netbox box --add-host "web.test:$ECHO_ADDRESS" --add-host in.wild.test:127.0.0.1 --add-host six.wild.test:::1 --add-host meta.wild.test:169.254.169.254
}

setup() {
  policy --reset --policy deny --allow-host up.test
  forget_visits
}

nobody_came_to() { ! grep -F "$1" "$UPSTREAMS/visits"; }

@test "the way that must work does" {
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
  equal "$(forward_curl "https://up.test:$TLS_PORT/")" hello
}

@test "a name that a wildcard allows does not lead to the host, its network or a cloud's metadata" {
  policy --policy allow --allow-host '*.wild.test' --allow-host '*'
  for curl in forward_curl captured_curl; do
    for url in "http://in.wild.test:$HTTP_PORT/" "https://in.wild.test:$TLS_PORT/" "http://six.wild.test:$HTTP_PORT/" \
      http://meta.wild.test/latest/meta-data/; do
      run -0 $curl "$url"
      says "reason: its address is in a blocked range"
    done
  done
  nobody_came
}

@test "the host cannot be reached by any way to write its address" {
  policy --policy allow
  run -0 guest_python "$HTTP_PORT" <<'PY'
import socket, sys
port = sys.argv[1]
kForms = """127.0.0.1 127.0.0.2 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. 00127.0.0.1 127.0.0.01
0 0.0.0.0 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [64:ff9b::7f00:1]
[64:ff9b::127.0.0.1] [2002:7f00:1::] [2001::80ff:fffe] [::1%25lo] [::1%lo] ::1 [127.0.0.1] localhost LOCALHOST localhost. x.localhost
host.docker.internal HOST.docker.internal. 198.18.0.1 198.18.1.1 127.0.0.1%00.up.test up.test%00@127.0.0.1 up.test@127.0.0.1
up.test:80@127.0.0.1 127.0.0.1#up.test 127.0.0.1\\@up.test %31%32%37.0.0.1 \u2460\u2461\u2466.0.0.1 127\u30020\u30020\u30021 127.0.0.1,up.test
+127.0.0.1 127.0.0.1\t up.test:%s@127.0.0.1 169.254.169.254 [fe80::1] [fd00::1] 10.0.0.1 192.168.0.1 172.16.0.1""".replace("%s", port).split()
def asked(text):
    s = socket.create_connection(("host.docker.internal", 3128), 60)
    s.sendall(text)
    answer = b""
    while b"\r\n\r\n" not in answer and (piece := s.recv(4096)): answer += piece
    if text.startswith(b"CONNECT") and b" 200 " in answer[:20]:
        s.sendall(b"GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % text.split()[1])
        answer = b""
    try:
        while piece := s.recv(4096): answer += piece
    except OSError: pass
    return answer
for form in ["up.test"] + kForms:
    host = form.encode() + b":" + port.encode()
    for text in (b"GET http://%s/ HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (host, host),
                 b"CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, host)):
        answer = asked(text)
        if b"hello" in answer or b" 200 " in answer[:20]: print("reached", form, text.split()[0].decode())
PY
  equal "$output" $'reached up.test GET\nreached up.test CONNECT'
  equal "$(visits | grep -c ^connection)" 2
}

# bats test_tags=once
@test "CONNECT to one host is no way to another" {
  policy --allow-host "up.test:$HTTP_PORT"
  run -0 guest_python "$HTTP_PORT" "$TLS_PORT" <<'PY'
import socket, ssl, sys
http, tls = sys.argv[1:]
def tunnel(target):
    s = socket.create_connection(("host.docker.internal", 3128), 60)
    s.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (target, target)).encode())
    head = b""
    while not head.endswith(b"\r\n\r\n") and (piece := s.recv(1)): head += piece
    return s
def over(s, text):
    answer = b""
    try:
        s.sendall(text.encode())
        while piece := s.recv(4096): answer += piece
    except OSError: pass
    return answer
def shaken(s, name):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(s, server_hostname=name)
end = "\r\nConnection: close\r\n\r\n"
tries = {
    "what is right": lambda: over(tunnel("up.test:" + http), "GET / HTTP/1.1\r\nHost: up.test:" + http + end),
    "what is right in TLS": lambda: over(shaken(tunnel("up.test:" + tls), "up.test"), "GET / HTTP/1.1\r\nHost: up.test:" + tls + end),
    "another Host": lambda: over(tunnel("up.test:" + http), "GET / HTTP/1.1\r\nHost: other.test:" + http + end),
    "an absolute URI": lambda: over(tunnel("up.test:" + http), "GET http://other.test:%s/ HTTP/1.1\r\nHost: other.test:%s%s" % (http, http, end)),
    "a CONNECT inside": lambda: over(tunnel("up.test:" + http), "CONNECT other.test:%s HTTP/1.1\r\nHost: other.test:%s\r\n\r\n" % (http, http)),
    "two Hosts": lambda: over(tunnel("up.test:" + http), "GET / HTTP/1.1\r\nHost: up.test:%s\r\nHost: other.test:%s%s" % (http, http, end)),
    "another Host in TLS": lambda: over(shaken(tunnel("up.test:" + tls), "up.test"), "GET / HTTP/1.1\r\nHost: other.test:" + tls + end),
    "another server name": lambda: over(shaken(tunnel("up.test:" + tls), "other.test"), "GET / HTTP/1.1\r\nHost: other.test:" + tls + end),
    "another port": lambda: over(shaken(tunnel("up.test:" + tls), "up.test"), "GET / HTTP/1.1\r\nHost: up.test:1%s" % end),
    "the proxy itself": lambda: over(tunnel("host.docker.internal:3128"), "GET http://up.test:%s/ HTTP/1.1\r\nHost: up.test:%s%s" % (http, http, end)),
    "a smuggled second": lambda: over(tunnel("up.test:" + http), "POST / HTTP/1.1\r\nHost: up.test:%s\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: other.test%s" % (http, end)),
}
for name, attempt in tries.items():
    try: answer = attempt()
    except ssl.SSLError as e: answer = b"TLS " + str(e).encode()
    if b"hello" in answer: print("reached by", name)
PY
  equal "$output" $'reached by what is right\nreached by what is right in TLS'
  nobody_came_to other.test
  nobody_came_to smuggled
}

# bats test_tags=once
@test "a request inside TLS is for the host that the TLS is for, over HTTP/1.1 and HTTP/2" {
  policy --allow-host other.test  # even when both are allowed
  for curl in forward_curl captured_curl; do
    for version in --http1.1 --http2; do
      run $curl $version -w '\n%{http_code}' -H "Host: other.test:$H2_PORT" "https://up.test:$H2_PORT/protocol"
      says_not HTTP/
      matches '(403|421|400)$'
    done
  done
}

# s_client [FLAG...]: to the host and port of $TARGET, with what is on its input.
s_client() { sandbox exec -i box timeout "$kPatience" openssl s_client -connect "$TARGET" -ign_eof "$@"; }

# bats test_tags=once
@test "TLS is inspected whatever protocol it offers, also by a rule with its port" {
  policy --allow-host "up.test:$TLS_PORT"
  TARGET=up.test:$TLS_PORT
  ask() { printf 'GET / HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n' "$1" "$TLS_PORT"; }
  for offer in "-alpn x" "-alpn imap,x" ""; do
    # shellcheck disable=SC2086
    run -0 s_client -servername up.test -verify_return_error $offer < <(ask up.test)
    says "issuer=CN = sandboxd Proxy CA box"
    says $'\nhello'
    # shellcheck disable=SC2086
    run s_client -servername up.test $offer < <(ask other.test)
    says "Blocked by network policy"
  done
  nobody_came_to other.test
}

# bats test_tags=once
@test "nothing that a lenient server may take for TLS passes for another protocol" {
  policy --allow-host "up.test:$TLS_PORT"
  run -0 guest_python "$TLS_PORT" <<'PY'
import socket, ssl, sys
def hello():
    context = ssl.create_default_context()
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    with_tls = context.wrap_bio(into, out, server_hostname="up.test")
    try: with_tls.do_handshake()
    except ssl.SSLWantReadError: pass
    return out.read()
plain = hello()
openings = {
    "a hello of SSL 2": b"\x80\x1f\x01\x03\x03\x00\x06\x00\x00\x00\x10\x00\xc0\x2f\x00\x00\x9c" + b"c" * 16,
    "an alert first": b"\x15\x03\x01\x00\x02\x01\x5a" + plain,
    "an alert of another version first": b"\x15\x09\x01\x00\x02\x01\x5a" + plain,
    "another version": b"\x16\x02" + plain[2:],
    "version 0": b"\x16\x00" + plain[2:],
    "an empty record first": b"\x16\x03\x01\x00\x00" + plain,
}
for name, opening in openings.items():
    s = socket.create_connection(("up.test", int(sys.argv[1])), 60)
    s.sendall(opening)
    if s.recv(100): print("answered:", name)
PY
  equal "$output" ""
  nobody_came
}

# bats test_tags=once
@test "on the port of HTTPS nothing but HTTP passes, unless a rule says raw" {
  ((EUID == 0)) || skip "no server on port 443 without root"
  say_hello() {
    guest_python <<'PY'
import socket
s = socket.create_connection(("web.test", 443), 60)
s.sendall(b"SSH-2.0-hello\r\n")
print(s.recv(100))
PY
  }
  for rule in "--allow-host web.test" "--allow-host web.test:443" "--allow-host web.test:443 --bypass-host web.test"; do
    # shellcheck disable=SC2086
    policy --reset --policy deny $rule
    equal "$(say_hello)" "b''"
  done
  nobody_came
  sandbox network log box --json >"$WORLD/log"
  equal "$(jq -r '.blocked_hosts[] | select(.host == "web.test:443") | .rule' "$WORLD/log")" "<only http>"
  policy --reset --policy deny --allow-raw web.test:443
  equal "$(say_hello)" "b'SSH-2.0-hello\\r\\n'"
}

# bats test_tags=once
@test "what is not HTTP inside TLS passes where it is not inspected, and nowhere else" {
  imap() {
    guest_python "$IMAPS_PORT" <<'PY'
import imaplib, ssl, sys
context = ssl._create_unverified_context()
context.set_alpn_protocols(["imap"])
try: print(imaplib.IMAP4_SSL("up.test", int(sys.argv[1]), ssl_context=context, timeout=60).noop()[0])
except imaplib.IMAP4.error as error: print(error)
PY
  }
  policy --reset --policy deny --allow-host "up.test:$IMAPS_PORT"
  run -0 imap
  says_not OK
  says 403
  TARGET=up.test:$IMAPS_PORT
  run s_client -servername up.test </dev/null
  says_not IMAP4rev1
  says "reason: it is TLS and not HTTP"
  local command
  command=$(sed -n 's/^to allow it, on the host: sandbox \(.*[0-9]\).*/\1/p' <<<"$output")
  equal "$command" "network proxy box --bypass-host up.test:$IMAPS_PORT"
  # shellcheck disable=SC2086
  sandbox $command
  equal "$(imap)" OK
  run s_client -noservername < <(echo a1 LOGOUT)
  says_not IMAP4rev1
  says "TLS to a named host must say the name"
  policy --reset --policy deny --allow-raw "up.test:$IMAPS_PORT"
  equal "$(imap)" OK
  run s_client -noservername < <(echo a1 LOGOUT)
  says "* OK IMAP4rev1 ready"
  policy --allow-host "up.test:$IMAPS_PORT"
  run -0 imap
  says_not OK
}

# bats test_tags=once
@test "a proxy that is told to ask itself does not" {
  for url in http://host.docker.internal:3128/ https://host.docker.internal:3128/ http://198.18.0.1:3128/; do
    run forward_curl -k -w '\n%{http_code}' "$url"
    says_not hello
    matches '(403|400|502|000)$'
  done
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
}

@test "the listeners of init lead nowhere when they are asked for themselves" {
  run -0 guest_python "$HTTP_PORT" <<'PY'
import socket, sys
for line in open("/proc/net/tcp6").readlines()[1:] + open("/proc/net/tcp").readlines()[1:]:
    words = line.split()
    if words[3] != "0A": continue
    port = int(words[1].rsplit(":", 1)[1], 16)
    for address in ("127.0.0.1", "::1"):
        try:
            s = socket.create_connection((address, port), 60)
            s.sendall(b"GET http://up.test:%s/ HTTP/1.1\r\nHost: up.test:%s\r\n\r\n" % (sys.argv[1].encode(), sys.argv[1].encode()))
            if b"hello" in s.recv(4096): print("REACHED by", port)
        except OSError: pass
print("tried")
PY
  equal "$output" tried
  nobody_came
}

@test "the key of the sandbox's authority is not in the guest, and its user's alone on the host" {
  equal "$(find "$SANDBOXES_HOME/vm/box/proxy_cacerts" -type f ! -name '*.crt' -printf '%m\n' | sort -u)" 600
  run -0 guest_root sh -c 'grep -rlsa "PRIVATE KEY-----" /usr/local/share/ca-certificates /etc/ssl /run /tmp /root /home /.sandbox* 2>/dev/null; true'
  equal "$output" ""
}

# Takes the table with the redirects away, as nft delete table inet sandbox would.
delete_redirects() {
  sandbox exec -i -u root --privileged box python3 - <<'PY'
import socket, struct
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
def message(kind, flags, family, resource, attributes=b""):
    body = struct.pack(">BBH", family, 0, resource) + attributes
    return struct.pack("IHHII", 16 + len(body), kind, flags, 1, 0) + body
name = struct.pack("HH", 12, 1) + b"sandbox\0"
s.send(message(16, 1, 0, 10) + message(10 << 8 | 2, 5, 1, 0, name) + message(17, 1, 0, 10))
print("deleted" if struct.unpack("i", s.recv(4096)[16:20])[0] == 0 else "refused")
PY
}

# bats test_tags=container
@test "root that takes the redirects away has no network, rather than a free one" {
  policy --policy allow
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
  forget_visits
  equal "$(delete_redirects)" deleted
  run ! captured_curl "http://up.test:$HTTP_PORT/"
  run ! captured_curl "http://1.1.1.1/"
  run -0 sandbox exec -i -u root --privileged box python3 - "$HTTP_PORT" "$(hostname -I)" <<'PY'
import socket, sys
for address in ["127.0.0.1", "::1", "169.254.169.254"] + sys.argv[2].split():
    try:
        socket.create_connection((address, int(sys.argv[1])), 10)
        print("REACHED", address)
    except OSError: pass
PY
  equal "$output" ""
  nobody_came
  sandbox stop box
  sandbox start box
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
}

# Many requests, until it is ended.
start_load() {
  "$SANDBOXD_BIN/sandbox" exec box sh -c "
    for worker in 1 2 3 4; do
      while :; do curl -sS --max-time 30 --noproxy '*' -o /dev/null 'http://up.test:$HTTP_PORT/[1-50]' 'https://up.test:$TLS_PORT/[1-50]'; done &
    done
    wait" >/dev/null 2>&1 3>&- </dev/null &
  LOAD=$!
  eventually busy
}
no_connections() { [[ -z $(ss -Htn state connected exclude time-wait "( sport = :$HTTP_PORT or sport = :$TLS_PORT )") ]]; }
busy() { (($(visits | wc -l) > 100)); }

@test "without the gate nothing gets out, and the sandbox goes on" {
  start_load
  local gate
  gate=$(gate_pid_of box)
  kill -9 "$gate"
  eventually is_gone "$gate"
  run captured_curl "http://up.test:$HTTP_PORT/"  # whatever was under way has come by now
  forget_visits
  for curl in forward_curl captured_curl; do
    run $curl "http://up.test:$HTTP_PORT/" "https://up.test:$TLS_PORT/"
    says_not hello
  done
  nobody_came
  equal "$(status_of box)" running
  equal "$(guest echo alive)" alive
  kill "$LOAD"
  sandbox stop box
  sandbox start box
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
}

@test "without the shim nothing gets out" {
  start_load
  local shim gate
  shim=$(shim_pid_of box)
  gate=$(gate_pid_of box)
  kill -9 "$shim"
  eventually is_gone "$shim"
  eventually is_gone "$gate"
  eventually no_connections
  forget_visits
  run ! has_status box running
  eventually is_gone "$LOAD"
  nobody_came
  sandbox start box
  equal "$(captured_curl "http://up.test:$HTTP_PORT/")" hello
}
