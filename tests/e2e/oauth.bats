#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Logins whose tokens expire: the daemon gets the next ones in time, from an endpoint whose refresh tokens work once, and
# running sandboxes use them at once. tests/secrets/token_refresher_test.cc has the rules one by one.

load upstreams

kHosts="api.anthropic.com chatgpt.com platform.claude.com"

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate services "DNS:api.anthropic.com,DNS:chatgpt.com,DNS:platform.claude.com"
  make_certificate tokens "DNS:platform.claude.com,DNS:auth.openai.com"
  make_certificate untrusted "DNS:platform.claude.com,DNS:auth.openai.com"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS"/{services,tokens}.crt >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  local server host hosts=() allow=()
  for server in services token_endpoint; do
    python3 "$kSource/tests/e2e/$server.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/$server.log" 2>&1 3>&- &
    remember_upstream $!
  done
  eventually test -s "$UPSTREAMS/services-address"
  eventually test -s "$UPSTREAMS/token-proxy"
  export https_proxy
  https_proxy=$(cat "$UPSTREAMS/token-proxy")
  for host in $kHosts; do
    hosts+=(--add-host "$host:$(cat "$UPSTREAMS/services-address")")
    allow+=(--allow-host "$host")
  done
  box box "${hosts[@]}"
  sandbox network proxy box --policy deny "${allow[@]}" >/dev/null
}

setup() {
  local name
  for name in $(sandbox secret ls --json | jq -r '.secrets[].name'); do sandbox secret rm "$name" >/dev/null; done
  echo real-refresh-1 >"$UPSTREAMS/refresh-token"
  rm -f "$UPSTREAMS"/{generation,life,token-mode,token-requests}
  : >"$UPSTREAMS/services-visits"
}

# claude_login SECONDS: one that expires in so many.
claude_login() {
  jq -nc --argjson at "$((($(date +%s) + $1) * 1000))" '{claudeAiOauth: {accessToken: "real-access-1",
    refreshToken: "real-refresh-1", expiresAt: $at, scopes: ["user:inference", "user:profile"], subscriptionType: "max"}}'
}
codex_login() {
  jq -nc --arg at "$(date -u -d "@$(($(date +%s) + $1 - 8 * 86400))" +%FT%TZ)" '{tokens: {access_token: "real-access-1",
    refresh_token: "real-refresh-1", account_id: "acc"}, last_refresh: $at}'
}
add() { sandbox secret add "$@" >/dev/null; }
mode() { echo "$1" >"$UPSTREAMS/token-mode"; }
requests() { cat "$UPSTREAMS/token-requests" 2>/dev/null || true; }
asked() { requests | wc -l; }
authorization() { tail -1 "$UPSTREAMS/services-visits" | jq -r '.authorization // "none"'; }
gets() { captured_curl -o /dev/null "https://$1/v1/x" && [[ $(authorization) == "Bearer $2" ]]; }
problem() { sandbox secret ls --json | jq -r '.secrets[0].refresh_problem // "none"'; }
problem_has() { [[ $(problem) == *"$1"* ]]; }
problem_is() { [[ $(problem) == "$1" ]]; }

@test "a token is replaced before it expires, and a running sandbox uses the next one" {
  add claude --value "$(claude_login 300)"
  eventually gets api.anthropic.com real-access-2
  equal "$(requests | jq -c '[.host, .path, .grant_type, .refresh_token, .client_id, .scope]')" \
    '["platform.claude.com","/v1/oauth/token","refresh_token","real-refresh-1","9d1c250a-e61b-44d9-88ed-5944d1962f5e","user:inference user:profile"]'
  equal "$(problem)" none
  run -0 sandbox secret ls
  matches 'until 20'
  run -0 sandbox secret audit
  says token_refresh
  says "has new tokens"
  run -0 sandbox secret audit --verify
}

@test "codex's login, too" {
  add codex --value "$(codex_login 300)"
  eventually gets chatgpt.com real-access-2
  equal "$(requests | jq -c '[.host, .path, .refresh_token, .client_id, .scope]')" \
    '["auth.openai.com","/oauth/token","real-refresh-1","app_EMoamEEZ73f0CkXaXp7hrann",null]'
}

@test "one that has expired is replaced before a command runs" {
  mode fail
  add claude --value "$(claude_login -5)"
  eventually problem_is "HTTP 503, temporarily_unavailable"
  run -0 captured_curl -w '%{http_code}\n' "https://api.anthropic.com/v1/x"
  says 403
  says "has expired"
  equal "$(asked)" 1
  mode ok
  add claude --update --value "$(claude_login -5)"
  run -0 gets api.anthropic.com real-access-2
}

@test "a token that may be used up is not shown again while the old one works" {
  mode drop
  add claude --value "$(claude_login 300)"
  eventually problem_has 'is lost'
  mode ok
  add other --value x
  run -0 gets api.anthropic.com real-access-1
  equal "$(asked)" 1
  run sandbox secret status
  says "claude: the answer of the last refresh is lost"
}

@test "a login that was refused says so, and is not tried again" {
  echo something-else >"$UPSTREAMS/refresh-token"
  add claude --value "$(claude_login 300)"
  eventually problem_is "the login was refused: HTTP 400, invalid_grant"
  run -0 gets api.anthropic.com real-access-1
  sandbox daemon restart
  run -0 gets api.anthropic.com real-access-1
  equal "$(asked)" 1
}

@test "a daemon that ends waits for the answer" {
  mode slow
  add claude --value "$(claude_login 300)"
  eventually test -s "$UPSTREAMS/token-requests"
  sandbox daemon stop &
  local stopping=$!
  mode ok
  wait "$stopping"
  run -0 gets api.anthropic.com real-access-2
  equal "$(asked)" 1
}

@test "a daemon that is killed in a refresh leaves a note of what it may have lost" {
  mode slow
  add claude --value "$(claude_login 300)"
  eventually test -s "$UPSTREAMS/token-requests"
  kill -9 "$(daemon_pid)"
  mode ok
  eventually problem_has 'the daemon ended meanwhile'
  run -0 gets api.anthropic.com real-access-1
  equal "$(asked)" 1
}

@test "an endpoint without a trusted certificate gets nothing" {
  sandbox daemon stop
  SSL_CERT_FILE=$UPSTREAMS/untrusted.crt sandbox daemon start
  add claude --value "$(claude_login 300)"
  eventually problem_has 'certificate'
  equal "$(asked)" 0
  sandbox daemon restart
}

@test "the user's .curlrc has no say" {
  echo insecure >"$HOME/.curlrc"
  sandbox daemon stop
  SSL_CERT_FILE=$UPSTREAMS/untrusted.crt sandbox daemon start
  add claude --value "$(claude_login 300)"
  eventually problem_has 'certificate'
  equal "$(asked)" 0
  rm "$HOME/.curlrc"
  sandbox daemon restart
}

@test "a lease has no refresh token, with which its holder would use the login up" {
  add claude --value "$(claude_login 3600)"
  run -0 sandbox secret lease claude --raw
  says real-access-1
  says_not real-refresh
}

@test "the sandbox has placeholders that never expire, and a refresh of its own gets the endpoint a placeholder" {
  add claude --value "$(claude_login 3600)"
  run -0 guest cat /home/agent/.claude/.credentials.json
  says_not real-
  says '"subscriptionType": "max"'
  # shellcheck disable=SC2016
  run -0 guest sh -c 'jq ".claudeAiOauth | {grant_type: \"refresh_token\", refresh_token: .refreshToken}" ~/.claude/.credentials.json |
    curl -sS -w "%{http_code}" --data-binary @- https://platform.claude.com/v1/oauth/token'
  run -0 gets api.anthropic.com real-access-1
  equal "$(requests)" ""
  # Nor may its access token go there.
  # shellcheck disable=SC2016
  run -0 guest sh -c 'curl -sS -o /dev/null -w "%{http_code}" -H "Authorization: Bearer $CLAUDE_CODE_OAUTH_TOKEN" https://platform.claude.com/v1/oauth/token'
  equal "$output" 403
}

# --- a login that was made in the sandbox ------------------------------------------------------------------------------

kClaudeFile=/home/agent/.claude/.credentials.json
# log_in CONTENT [FILE]: as the agent does.
log_in() { guest sh -c 'umask 077; mkdir -p "${2%/*}"; printf %s "$1" >"$2"' sh "$1" "${2:-$kClaudeFile}"; }

@test "a login is taken out of the sandbox, which has placeholders then, and works on" {
  log_in "$(claude_login 3600)"
  run -0 sandbox secret capture box claude
  says "Captured the login of claude in sandbox box as secret claude"
  run -1 guest_root grep -rlF -e real-access -e real-refresh /home /tmp /root
  equal "$output" ""
  run -0 guest cat "$kClaudeFile"
  says managed-by-the-proxy
  says '"subscriptionType": "max"'
  run -0 gets api.anthropic.com real-access-1
  run -0 sandbox secret bindings --json
  equal "$(jq -r '.bindings[] | "\(.secret) \(.service) \(.sandbox)"' <<<"$output")" "claude anthropic box"
  # It is refreshed as any other.
  equal "$(sandbox secret ls --json | jq -r '.secrets[0].token_expires_at | length > 0')" true
}

@test "one of codex, under another name; and another one takes its place only with --update" {
  log_in "$(codex_login 3600)" /home/agent/.codex/auth.json
  run -0 sandbox secret capture --json box codex --name work
  equal "$(jq -r '"\(.secret) \(.service) \(.sandbox)"' <<<"$output")" "work openai box"
  run -0 guest cat /home/agent/.codex/auth.json
  says_not real-
  run -0 gets chatgpt.com real-access-1
  log_in "$(codex_login 3600 | sed s/real-access-1/real-access-9/)" /home/agent/.codex/auth.json
  run ! sandbox secret capture box codex --name work
  says "--update"
  run -0 guest cat /home/agent/.codex/auth.json
  says real-access-9
  run -0 sandbox secret capture box codex --name work --update
  run -0 gets chatgpt.com real-access-9
  run -0 guest cat /home/agent/.codex/auth.json
  says_not real-
}

@test "without a login, with a placeholder or with a malformed file it says so, and leaves all as it is" {
  guest rm -rf "$kClaudeFile" /home/agent/.claude
  run ! sandbox secret capture box claude
  says "claude is not logged in in sandbox box"
  run ! sandbox secret capture box gemini
  says "claude and codex"
  add claude --value "$(claude_login 3600)"
  run ! sandbox secret capture box claude --update
  says "a placeholder only"
  local content
  for content in 'not JSON' '{"claudeAiOauth": {"accessToken": "a\nb"}}' "$(head -c 70000 /dev/zero | tr '\0' ' ')"; do
    log_in "$content"
    run ! sandbox secret capture box claude --update
    equal "$(guest cat "$kClaudeFile")" "$content"
  done
  log_in "{}"
  run ! sandbox secret capture box claude --update
  says "has no login of an account"
}

@test "a file that is a link, a pipe or endless does the host no harm" {
  guest sh -c 'rm -f "$1"; ln -s /dev/zero "$1"' sh "$kClaudeFile"
  run ! sandbox secret capture box claude
  guest sh -c 'rm -f "$1"; mkfifo "$1"' sh "$kClaudeFile"
  run ! sandbox secret capture box claude
  says "not logged in"
  guest sh -c 'rm -f "$1"; ln -s /etc/shadow "$1"' sh "$kClaudeFile"
  run ! sandbox secret capture box claude
  says_not root:
  guest rm -f "$kClaudeFile"
}
