#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Requests to a bound host get a credential on their way out, and nothing else does: what a server really got, by the
# forward proxy and past it. tests/vault has the rules one by one.

load credentials

setup_file() {
  world_up
  upstreams_up
  nginx_up
  netbox box
  policy --policy deny --allow-host up.test --allow-host other.test
}

setup() {
  forget_records
  bind "$(credential key up.test x-api-key)"
}

both_curls() {
  forward_curl "$@"
  captured_curl "$@"
}

@test "the server gets the credential, by the proxy and past it, and the client never sees it" {
  run -0 both_curls "https://up.test:$TLS_PORT/record"
  equal "$output" $'recorded\nrecorded'
  equal "$(recorded | grep -c "x-api-key: $kValue")" 2
  run -0 both_curls -i "https://up.test:$TLS_PORT/mirror"
  says_not "$kValue"
  says_not "${kValue:12}"
  equal "$(grep -c '^x-api-key: .*\*\*\*\*\*\*\*\*' <<<"$output")" 2
  equal "$(grep -c '^X-Mirror: .*\*\*\*\*\*\*\*\*' <<<"$output")" 2
  log_json >/dev/null  # which has all of it written
  run -0 python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT reason FROM decisions").fetchall())' \
    "$SANDBOXES_HOME/vm/box/network/network.db"
  says "with the credential key"
  says_not "$kValue"
}

@test "a placeholder becomes the value wherever it stands, in Basic authorization too" {
  bind "$(credential key up.test authorization '{prefix: "Bearer "}')"
  run -0 forward_curl -H "X-Other: a $kPlaceholder b" "https://up.test:$TLS_PORT/record"
  says "x-other: a $kValue b" "$(recorded)"
  says_not "authorization" "$(recorded)"
  forget_records
  run -0 captured_curl -u "user:$kPlaceholder" "https://up.test:$TLS_PORT/record"
  says "authorization: Basic $(printf 'user:%s' "$kValue" | base64 -w0)" "$(recorded)"
  forget_records
  run -0 captured_curl "https://up.test:$TLS_PORT/record"
  says "authorization: Bearer $kValue" "$(recorded)"
  forget_records
  run -0 captured_curl -H "Authorization: Bearer the-guests-own" "https://up.test:$TLS_PORT/record"
  says "authorization: Bearer the-guests-own" "$(recorded)"
  says_not "$kValue" "$(recorded)"
}

@test "git sends a token that it never had" {
  mkdir -p "$UPSTREAMS/git"
  git init -q -b main "$WORLD/source"
  git -C "$WORLD/source" -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m first
  git clone -q --bare "$WORLD/source" "$UPSTREAMS/git/empty.git"
  bind "$(credential token up.test authorization '{basic_user: "x-access-token"}')"
  run -0 guest git ls-remote "https://up.test:$TLS_PORT/git/empty.git"
  says refs/heads/main
  run -0 forward_curl "https://up.test:$TLS_PORT/record"
  says "authorization: Basic $(printf 'x-access-token:%s' "$kValue" | base64 -w0)" "$(recorded)"
}

@test "a client that prefers HTTP/2 is offered HTTP/1.1 for a bound host only" {
  run -0 both_curls --http2 -w '%{http_version}\n' "https://up.test:$H2_PORT/back/record"
  equal "$output" $'recorded\n1.1\nrecorded\n1.1'
  equal "$(recorded | grep -c "x-api-key: $kValue")" 2
  run -0 both_curls --http2 -w '%{http_version}\n' "https://other.test:$H2_PORT/back/record"
  equal "$output" $'recorded\n2\nrecorded\n2'
  equal "$(recorded | grep -c "$kValue")" 2
}

@test "no other host gets it: not by a redirect, not by a Host, not by a placeholder, not in the clear" {
  run -0 both_curls -L "https://up.test:$TLS_PORT/redirect?to=https://other.test:$TLS_PORT/record"
  equal "$(recorded | wc -l)" 2
  says_not "$kValue" "$(recorded)"
  forget_records
  run both_curls -H "Host: other.test:$TLS_PORT" "https://up.test:$TLS_PORT/record"
  run -0 both_curls -w '%{http_code}\n' -H "X-Api-Key: $kPlaceholder" "https://other.test:$TLS_PORT/record"
  equal "$(grep -c '^403$' <<<"$output")" 2
  says "not bound to other.test"
  run -0 both_curls -w '%{http_code}\n' -u "a:$kPlaceholder" "http://up.test:$HTTP_PORT/record"
  equal "$(grep -c '^403$' <<<"$output")" 2
  equal "$(recorded)" ""
  eventually logged '.blocked_hosts[] | select(.rule == "<placeholder>" and .host == "other.test:'"$TLS_PORT"'")'
  run -0 both_curls "http://up.test:$HTTP_PORT/record"
  says_not "$kValue" "$(recorded)"
}

@test "a server without a trusted certificate does not get it" {
  run -0 both_curls -w '%{http_code}\n' "https://up.test:$STRANGER_PORT/record"
  equal "$(grep -c '^502$' <<<"$output")" 2
  equal "$(recorded)" ""
}

@test "uploads arrive whole: with a length, in chunks, after Expect; and one connection takes many requests" {
  guest sh -c 'head -c 3000000 /dev/urandom >~/upload'
  local sum words
  sum=$(guest sha256sum /home/agent/upload | cut -d' ' -f1)
  for words in "-T /home/agent/upload" "-T /home/agent/upload -H Transfer-Encoding:chunked" \
    "--data-binary @/home/agent/upload -H Expect:100-continue"; do
    # shellcheck disable=SC2086
    run -0 both_curls $words "https://up.test:$TLS_PORT/echo"
    equal "$(grep -c "^sha256 $sum" <<<"$output")" 2
    equal "$(grep -c "^host: up.test:$TLS_PORT" <<<"$output")" 2
  done
  run -0 forward_curl -w '%{num_connects}\n' -o /dev/null "https://up.test:$TLS_PORT/large?size=30000000" \
    -o /dev/null "https://up.test:$TLS_PORT/trailers" -o /dev/null "https://up.test:$TLS_PORT/record"
  equal "$output" $'1\n0\n0'
}

@test "a WebSocket is opened with it, and carries bytes both ways" {
  run -0 guest_python up.test "$TLS_PORT" host.docker.internal 3128 <"$kSource/tests/e2e/websocket.py"
  says welcome
  run -0 guest_python up.test "$TLS_PORT" <"$kSource/tests/e2e/websocket.py"
  says welcome
}

@test "an expired credential is refused, with the command that helps; a removed one is gone for good" {
  bind "$(credential key up.test x-api-key '{expires_ms: 1000}')"
  run -0 both_curls -w '%{http_code}\n' "https://up.test:$TLS_PORT/record"
  equal "$(grep -c '^403$' <<<"$output")" 2
  says 'The credential "key" of this sandbox has expired.'
  says "sandbox secret add key --update"
  eventually logged '.blocked_hosts[] | select(.rule == "<credential key>")'
  bind
  run -0 both_curls -w '%{http_code}\n' -H "X-Api-Key: $kPlaceholder" "https://up.test:$TLS_PORT/record"
  equal "$(grep -c '^403$' <<<"$output")" 2
  equal "$(recorded)" ""
  run -0 both_curls "https://up.test:$TLS_PORT/record"
  equal "$(recorded | grep -c x-api-key)" 0
}

@test "a connection that used a credential ends with it, at once or when its time is over" {
  captured_curl "https://up.test:$TLS_PORT/endless" -o /dev/null &
  local client=$!
  eventually grep -q "GET up.test:$TLS_PORT /endless" "$UPSTREAMS/visits"
  bind
  eventually is_gone "$client"
  forget_visits
  bind "$(credential key up.test x-api-key "{expires_ms: $(($(date +%s%3N) + kPatience * 100))}")"
  captured_curl "https://up.test:$TLS_PORT/endless" -o /dev/null &
  client=$!
  eventually grep -q "GET up.test:$TLS_PORT /endless" "$UPSTREAMS/visits"
  eventually is_gone "$client"
}

@test "a value that changes holds for the next request, and breaks nothing off" {
  guest_python "$TLS_PORT" <<'PYTHON' >"$WORLD/two" &
import http.client, ssl, sys, time, os
c = http.client.HTTPSConnection("up.test", int(sys.argv[1]), context=ssl.create_default_context())
c.request("GET", "/record"); print(c.getresponse().read().decode(), end="", flush=True)
while not os.path.exists("/tmp/changed"): time.sleep(0.05)
c.request("GET", "/record"); print(c.getresponse().read().decode(), end="", flush=True)
PYTHON
  local client=$!
  eventually grep -q recorded "$WORLD/two"
  bind "$(credential key up.test x-api-key '{value: "another-value"}')"
  guest touch /tmp/changed
  wait "$client"
  equal "$(grep -o 'x-api-key: [^ ]*' "$UPSTREAMS/recorded")" "x-api-key: $kValue"$'\n'"x-api-key: another-value"
}

@test "the policy counts as for any other connection" {
  captured_curl "https://up.test:$TLS_PORT/endless" -o /dev/null &
  local client=$!
  eventually grep -q "GET up.test:$TLS_PORT /endless" "$UPSTREAMS/visits"
  policy --block-host up.test
  eventually is_gone "$client"
  run -0 captured_curl -w '%{http_code}\n' "https://up.test:$TLS_PORT/record"
  says 403
  equal "$(recorded)" ""
  policy --allow-host up.test
}

@test "kill -9 of the vault: what is under way fails, the next request works" {
  captured_curl -w '%{http_code}\n' "https://up.test:$TLS_PORT/silent" >"$WORLD/first" &
  local client=$! vault
  eventually grep -q "GET up.test:$TLS_PORT /silent" "$UPSTREAMS/visits"
  vault=$(vault_pid)
  kill -9 "$vault"
  wait "$client" || true
  says 502 "$(cat "$WORLD/first")"
  run -0 captured_curl "https://up.test:$TLS_PORT/record"
  equal "$(recorded | grep -c "x-api-key: $kValue")" 1
  another_vault_than "$vault"
}

vault_runs() { [[ -n $(vault_pid) ]]; }

@test "kill -9 of the vault under load: no request goes out without its credential" {
  guest sh -c "seq 300 | xargs -P 16 -I{} curl -sS --max-time $kPatience -o /dev/null https://up.test:$TLS_PORT/record" \
    2>/dev/null &
  local load=$!
  for _ in 1 2 3; do
    eventually grep -q record "$UPSTREAMS/recorded"
    kill -9 "$(vault_pid)"
    eventually vault_runs
  done
  wait "$load" || true
  (($(recorded | wc -l) > 50)) || fail "only $(recorded | wc -l) requests arrived"
  equal "$(recorded | grep -vc "x-api-key: $kValue")" 0
  run -0 captured_curl "https://up.test:$TLS_PORT/record"
}

@test "without a keeper there is no way to a bound host" {
  kill -9 "$(keeper_pid)"
  run -0 both_curls -w '%{http_code}\n' "https://up.test:$TLS_PORT/record"
  equal "$(grep -c '^502$' <<<"$output")" 2
  equal "$(recorded)" ""
  run -0 both_curls "https://other.test:$TLS_PORT/"
  sandbox stop box
  sandbox start box
}

@test "1,000 requests at once each get it" {
  run -0 guest_python "$TLS_PORT" <<'PYTHON'
import http.client, ssl, sys, threading
context = ssl.create_default_context()
start, good = threading.Barrier(1000), []
threading.stack_size(256 << 10)
def one():
    start.wait()
    c = http.client.HTTPSConnection("up.test", int(sys.argv[1]), context=context, timeout=100)
    c.request("GET", "/record")
    good.append(c.getresponse().status)
threads = [threading.Thread(target=one) for _ in range(1000)]
for t in threads: t.start()
for t in threads: t.join()
print(good.count(200))
PYTHON
  equal "$output" 1000
  equal "$(recorded | grep -c "x-api-key: $kValue")" 1000
}

@test "10,000 changes of the credentials leave nothing behind" {
  local both before after vault
  both=$(credential key up.test x-api-key; credential more other.test x-api-key '{placeholders: ["another-placeholder"]}')
  bind_times 10 "$both"
  vault=$(vault_pid)
  before=$(ls "/proc/$vault/fd" "/proc/$(keeper_pid)/fd" | wc -l)
  bind_times 10001 "$both"
  equal "$(vault_pid)" "$vault"
  after=$(ls "/proc/$vault/fd" "/proc/$(keeper_pid)/fd" | wc -l)
  ((after <= before + 2)) || fail "there were $before descriptors, and now there are $after"
  equal "$(grep -c sandbox-credentials "/proc/$vault/maps")" 1
  run -0 both_curls "https://other.test:$TLS_PORT/record"
  equal "$(recorded | grep -c "x-api-key: $kValue")" 2
}
