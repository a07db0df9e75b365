#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The policy at work: what it lets through and what not, live; how a refusal reads; and what the log says of it.

load upstreams

setup_file() {
  world_up
  upstreams_up
  nginx_up
  netbox box
}

setup() {
  policy --reset
  forget_visits
}

code() { "$1" -o /dev/null -w '%{http_code}\n' "${@:2}"; }

# --- changes ---------------------------------------------------------------------------------------------------------

@test "allow, block and remove are live" {
  policy --policy deny
  equal "$(code forward_curl "http://up.test:$HTTP_PORT/")" 403
  nobody_came
  policy --allow-host up.test
  equal "$(code forward_curl "http://up.test:$HTTP_PORT/")" 200
  policy --block-host "up.test:$HTTP_PORT"
  equal "$(code forward_curl "http://up.test:$HTTP_PORT/")" 403
  equal "$(code captured_curl "https://up.test:$TLS_PORT/")" 200
  policy --remove-host up.test
  equal "$(code captured_curl "https://up.test:$TLS_PORT/")" 403
}

# bats test_tags=once
@test "ranges are live, and the narrower counts" {
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 403
  policy --allow-cidr 127.0.0.1/32
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 200
  policy --block-cidr 127.0.0.1/32
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 403
}

# bats test_tags=once
@test "what is bypassed is a tunnel to the server's own certificate" {
  policy --allow-host up.test --bypass-host up.test
  for curl in forward_curl captured_curl; do
    run -0 --separate-stderr $curl -kv "https://up.test:$TLS_PORT/"
    equal "$output" hello
    says "issuer: CN=server" "$stderr"
  done
  policy --reset --policy deny --bypass-host up.test
  equal "$(code captured_curl -k "https://up.test:$TLS_PORT/")" 403
  policy --reset --allow-host up.test --bypass-cidr 127.0.0.0/8
  run -0 --separate-stderr captured_curl -kv "https://up.test:$TLS_PORT/"
  says "issuer: CN=server" "$stderr"
  eventually logged '.allowed_hosts[] | select(.proxy_type == "transparent-bypass")'
  eventually logged '.allowed_hosts[] | select(.proxy_type == "forward-bypass")'
}

# It goes on as long as nobody ends it.
start_endless() {
  "$SANDBOXD_BIN/sandbox" exec box curl -sS -o /dev/null "$@" >"$WORLD/endless" 2>&1 3>&- </dev/null &
  eventually came "$((++endless))"
}
came() { (($(visits | grep -c '/endless\|/trickle') >= $1)); }

@test "open connections that a change forbids are closed at once, others go on" {
  policy --allow-host up.test --allow-host other.test
  endless=0
  start_endless --noproxy '*' "http://other.test:$HTTP_PORT/trickle"
  local other=$!
  local -a ended=()
  for words in "http://up.test:$HTTP_PORT/endless" "--noproxy * http://up.test:$HTTP_PORT/trickle" \
    "https://up.test:$TLS_PORT/trickle" "--noproxy * https://up.test:$TLS_PORT/endless" \
    "--http2 https://up.test:$H2_PORT/back/endless"; do
    set -f
    # shellcheck disable=SC2086
    start_endless $words
    set +f
    ended+=($!)
  done
  policy --block-host up.test
  for pid in "${ended[@]}"; do eventually is_gone "$pid"; done
  for pid in "${ended[@]}"; do run ! wait "$pid"; done
  run ! is_gone "$other"
  policy --policy deny --remove-host other.test
  eventually is_gone "$other"
}

# bats test_tags=once
@test "a tunnel that a change forbids is closed, too" {
  policy --allow-host up.test --bypass-host up.test
  endless=0
  start_endless -k "https://up.test:$TLS_PORT/trickle"
  local pid=$!
  policy --policy deny --remove-host up.test
  eventually is_gone "$pid"
}

# bats test_tags=once
@test "the policy is the same after a stop and a start" {
  policy --policy deny --allow-host "up.test:$HTTP_PORT"
  sandbox stop box
  sandbox start box
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 200
  equal "$(code captured_curl "https://up.test:$TLS_PORT/")" 403
  sandbox stop box
  policy --block-host "up.test:$HTTP_PORT"
  sandbox start box
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 403
}

# bats test_tags=once
@test "deny with nothing else is silence" {
  policy --policy deny
  forget_visits
  for url in "http://up.test:$HTTP_PORT/" "https://up.test:$TLS_PORT/" "http://example.com/" "https://1.1.1.1/"; do
    equal "$(code captured_curl -k "$url")" 403
    equal "$(code forward_curl -k "$url")" 403
  done
  run -0 guest_python "$HTTP_PORT" <<'PY'
import socket, sys
s = socket.create_connection(("up.test", int(sys.argv[1])), 20)
s.sendall(b"\x00\x01neither HTTP nor TLS\n")
print(s.recv(100))
PY
  equal "$output" "b''"
  nobody_came
}

# bats test_tags=once
@test "the agents' preset allows its list and nothing else" {
  policy --preset agent
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 403
  run -0 sandbox network check box https://api.anthropic.com/
  policy --allow-host up.test
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 200
}

# --- refusals --------------------------------------------------------------------------------------------------------

# The text of a refusal; $1 is host and port.
refusal() {
  echo "Blocked by network policy: $1"
  echo "rule: <default policy>"
  echo "reason: no rule allows it, and the policy is deny"
  echo "to allow it, on the host: sandbox network proxy box --allow-host $1"
}

@test "a refusal reads the same on every path, and as network check says it" {
  policy --policy deny
  local port curl
  for port in "$HTTP_PORT" "$TLS_PORT" "$H2_PORT"; do
    run -1 sandbox network check box "up.test:$port"
    equal "$output" "$(refusal "up.test:$port")"
  done
  for curl in forward_curl captured_curl; do
    equal "$($curl "http://up.test:$HTTP_PORT/")" "$(refusal "up.test:$HTTP_PORT")"
    equal "$($curl --http1.1 "https://up.test:$TLS_PORT/")" "$(refusal "up.test:$TLS_PORT")"
    run -0 $curl --http2 -w '\n%{http_code} %{content_type} %{http_version}' "https://up.test:$H2_PORT/"
    says "$(refusal "up.test:$H2_PORT")"
    says "403 text/plain"
  done
  nobody_came
}

# bats test_tags=once
@test "the command in a refusal is the one that allows it" {
  policy --policy deny
  local command
  command=$(captured_curl "https://up.test:$TLS_PORT/" | sed -n 's/^to allow it, on the host: sandbox //p')
  # shellcheck disable=SC2086
  sandbox $command
  equal "$(captured_curl "https://up.test:$TLS_PORT/")" hello
}

# bats test_tags=once
@test "a redirect to a host that is blocked is refused" {
  policy --policy deny --allow-host up.test
  run -0 captured_curl -L "http://up.test:$HTTP_PORT/redirect?to=http://other.test:$HTTP_PORT/"
  equal "$output" "$(refusal "other.test:$HTTP_PORT")"
  run -0 forward_curl -L "https://up.test:$TLS_PORT/redirect?to=https://other.test:$TLS_PORT/"
  equal "$output" "$(refusal "other.test:$TLS_PORT")"
  run -0 forward_curl -L "http://up.test:$HTTP_PORT/redirect?to=http://169.254.169.254/latest/meta-data/"
  says "Blocked by network policy: 169.254.169.254:80"
  run ! grep -F other.test "$UPSTREAMS/visits"
}

@test "host.docker.internal:PORT is the host's localhost:PORT, and needs a rule for that port" {
  policy --allow-host localhost --allow-host '*'
  run -0 captured_curl "http://host.docker.internal:$HTTP_PORT/"
  says "Blocked by network policy"
  says "rule: <host ports>"
  nobody_came
  policy --allow-host "localhost:$HTTP_PORT"
  equal "$(captured_curl "http://host.docker.internal:$HTTP_PORT/")" hello
  equal "$(forward_curl "http://host.docker.internal:$HTTP_PORT/")" hello
  equal "$(code captured_curl -k "https://host.docker.internal:$TLS_PORT/")" 403
}

# --- check and log ---------------------------------------------------------------------------------------------------

@test "check, traffic and log agree" {
  policy --policy deny --allow-host '*.test' --allow-host up.test --block-host "up.test:$H2_PORT"
  local target allowed
  for target in "up.test:$HTTP_PORT" "up.test:$H2_PORT" example.com:80 10.1.2.3:80; do
    allowed=$(sandbox network check --json box "$target" | jq -r '[.allowed, .rule] | @tsv' || true)
    case $(code captured_curl "http://$target/") in
      403) equal "${allowed%%$'\t'*}" false
           eventually logged ".blocked_hosts[] | select(.host == \"$target\" and .rule == \"${allowed#*$'\t'}\")" ;;
      *) equal "${allowed%%$'\t'*}" true
         eventually logged ".allowed_hosts[] | select(.host == \"$target\" and .rule == \"${allowed#*$'\t'}\")" ;;
    esac
  done
}

# bats test_tags=once
@test "the log is in the vendor's form and can be asked for less" {
  policy --policy deny --allow-host up.test
  captured_curl "http://up.test:$HTTP_PORT/" "http://blocked.test/" >/dev/null
  eventually logged '.blocked_hosts[] | select(.host == "blocked.test:80")'
  run -0 sandbox network log box
  matches $'Blocked requests:\nSANDBOX +HOST +RULE +LAST SEEN +COUNT\n'
  matches "box +blocked.test:80 +<default policy> +[0-9:]+ [0-9]+-[A-Z][a-z]+ +[0-9]+"
  matches "box +up.test:$HTTP_PORT +up.test "
  run -0 sandbox network log box --blocked
  says blocked.test
  says_not "Allowed requests"
  run -0 sandbox network log box -q
  matches "(^|"$'\n'")box +blocked.test:80 +<default policy> "
  says_not "COUNT"
  says_not "requests:"
  run -0 sandbox network log box --hosts
  matches "(^|"$'\n'")blocked.test:80("$'\n'"|$)"
  equal "$(log_json | jq -r '.blocked_hosts[] | select(.host == "blocked.test:80") | .proxy_type, .vm_name')" $'transparent\nbox'
  equal "$(sandbox network log box --hosts --blocked --limit 1 | wc -l)" 1
}

# bats test_tags=once
@test "the log has no query, no header and no secret" {
  policy --allow-host up.test
  forward_curl -H 'Authorization: Bearer hunter2' -u name:hunter2 "https://up.test:$TLS_PORT/echo?token=hunter2" >/dev/null
  forward_curl -d secret=hunter2 "http://name:hunter2@up.test:$HTTP_PORT/echo?token=hunter2" >/dev/null
  eventually logged ".allowed_hosts[] | select(.host == \"up.test:$TLS_PORT\" and .proxy_type == \"forward\")"
  eventually logged ".allowed_hosts[] | select(.host == \"up.test:$HTTP_PORT\" and .proxy_type == \"forward\")"
  says_not hunter2 "$(sandbox network log box)$(log_json)"
  run ! grep -rqa hunter2 "$SANDBOXES_HOME/vm/box/network" "$SANDBOXES_HOME/vm/box/shim.log"
}

# bats test_tags=once
@test "a follower is told of each decision" {
  policy --policy deny --allow-host up.test
  # A follower that tells of the last decision of before has its place: it tells of all that come after that one.
  captured_curl "http://before.test/" >/dev/null
  "$SANDBOXD_BIN/sandbox" network log box --follow --limit 1 >"$WORLD/followed" 2>&1 3>&- </dev/null &
  local follower=$!
  eventually grep -q before.test "$WORLD/followed"
  captured_curl "http://up.test:$HTTP_PORT/some/path?query" >/dev/null
  eventually grep -q "up.test:$HTTP_PORT" "$WORLD/followed"
  run ! grep query "$WORLD/followed"
  kill "$follower"
  eventually is_gone "$follower"
}

# --- under load ------------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "a policy that changes under load is never half" {
  policy --policy deny
  "$SANDBOXD_BIN/sandbox" exec box sh -c "
    for worker in 1 2 3 4; do
      (while [ ! -e ~/enough ]; do
         curl -sS --max-time 30 --noproxy '*' -o /dev/null -w '%{http_code}\n' 'http://up.test:$HTTP_PORT/[1-20]' 'https://other.test:$TLS_PORT/'
       done) >~/codes-\$worker 2>&1 &
    done
    wait" >/dev/null 2>&1 3>&- </dev/null &
  local load=$!
  eventually guest sh -c 'for worker in 1 2 3 4; do test -s ~/codes-$worker || exit 1; done'
  for _ in 1 2 3 4 5 6 7 8; do
    policy --allow-host up.test
    policy --block-host up.test --remove-host up.test
  done
  guest touch /home/agent/enough
  eventually is_gone "$load"
  # Allowed, refused, or ended by the change; the other host never.
  run -0 guest sh -c 'cat ~/codes-* | grep -E "^[0-9]{3}$" | sort -u | tr "\n" " "'
  matches '^(000 )?(200 )?403 ?$'
  run ! grep -F other.test "$UPSTREAMS/visits"
  equal "$(code captured_curl "http://up.test:$HTTP_PORT/")" 403
}
