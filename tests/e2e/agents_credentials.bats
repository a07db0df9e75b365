#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The real agents with a model (model.py) that is to see the user's secret, and a sandbox that is not: by a key and by a
# subscription.

load upstreams

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate model 'DNS:api.anthropic.com,DNS:api.openai.com,DNS:chatgpt.com'
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/model.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
  export MODEL SANDBOX_TIMEOUT=400
  MODEL=$(cat "$UPSTREAMS/model-address")
}

setup() {
  : >"$UPSTREAMS/model-visits"
  rm -f "$UPSTREAMS/model-key"
  WS=$WORLD/project
  mkdir -p "$WS"
  for name in $(sandbox secret ls --json | jq -r '.secrets[].name'); do sandbox secret rm "$name" >/dev/null; done
}

agent_box() {
  sandbox create -q --name "$1" --add-host "api.anthropic.com:$MODEL" --add-host "api.openai.com:$MODEL" \
    --add-host "chatgpt.com:$MODEL" "$2" "$WS" >/dev/null
  remember_ids
  sandbox network proxy "$1" --policy deny --allow-host api.anthropic.com --allow-host api.openai.com --allow-host chatgpt.com >/dev/null
}
model_runs() { echo "$1" >"$UPSTREAMS/model-command"; }
# model_takes CREDENTIAL: and no other.
model_takes() { echo "$1" >"$UPSTREAMS/model-key"; }

@test "claude -p works with a stored key, of which the sandbox has a placeholder" {
  agent_box cc claude
  sandbox secret add anthropic --value sk-ant-api03-the-real-one >/dev/null
  model_takes sk-ant-api03-the-real-one
  model_runs 'env | grep -c the-real-one; echo $ANTHROPIC_API_KEY'
  run -0 --separate-stderr sandbox run cc -- -p "do it"
  says "The command has printed: 0"
  says proxy-managed
  grep -q '^api.anthropic.com POST /v1/messages sk-ant-api03-the-real-one$' "$UPSTREAMS/model-visits"
  run -1 grep -v 'sk-ant-api03-the-real-one$' <(grep '/v1/messages' "$UPSTREAMS/model-visits")
}

@test "claude -p works with a subscription's token, and says that it is logged in" {
  is_there cc || agent_box cc claude
  sandbox secret add claude_setup_token --value sk-ant-oat01-the-real-one >/dev/null
  run -0 --separate-stderr sandbox exec cc claude auth status
  says '"loggedIn": true'
  says oauth_token
  model_takes 'Bearer sk-ant-oat01-the-real-one'
  model_runs 'env | grep -c the-real-one'
  run -0 --separate-stderr sandbox run cc -- -p "do it"
  says "The command has printed: 0"
  grep -q '^api.anthropic.com POST /v1/messages Bearer sk-ant-oat01-the-real-one$' "$UPSTREAMS/model-visits"
}

@test "codex exec works with a stored key" {
  agent_box cx codex
  sandbox secret add openai --value sk-the-real-one >/dev/null
  model_takes 'Bearer sk-the-real-one'
  model_runs 'echo $((40 + 2)) $CODEX_API_KEY'
  run -0 --separate-stderr sandbox run cx -- exec --skip-git-repo-check "do it"
  says "42 proxy-managed"
  grep -q '^api.openai.com POST /v1/responses Bearer sk-the-real-one$' "$UPSTREAMS/model-visits"
}

@test "codex exec works with a stored subscription, and says that it is logged in" {
  is_there cx || agent_box cx codex
  sandbox secret add codex_auth_json --value '{"tokens": {"access_token": "real-access", "refresh_token": "real-refresh", "account_id": "acc"}}' >/dev/null
  run -0 sandbox exec cx sh -c 'codex login status 2>&1'
  says "Logged in using ChatGPT"
  run -0 sandbox exec cx cat /home/agent/.codex/auth.json
  says_not real-
  model_takes 'Bearer real-access'
  model_runs 'echo $((40 + 2)) $(grep -c real- ~/.codex/auth.json)'
  run -0 --separate-stderr sandbox run cx -- exec --skip-git-repo-check "do it"
  says "42 0"
  grep -q '^chatgpt.com POST /backend-api/codex/responses Bearer real-access$' "$UPSTREAMS/model-visits"
}

log_in() { sandbox exec "$1" sh -c 'umask 077; mkdir -p "$HOME/${2%/*}"; printf %s "$1" >"$HOME/$2"' sh "$3" "$2"; }

@test "a login that was made in the sandbox is captured, and claude works on with the placeholders" {
  is_there cc || agent_box cc claude
  log_in cc .claude/.credentials.json '{"claudeAiOauth": {"accessToken": "sk-ant-oat01-the-real-one",
    "refreshToken": "sk-ant-ort01-the-real-one", "expiresAt": 4000000000000, "scopes": ["user:inference", "user:profile"],
    "subscriptionType": "max"}}'
  run -0 --separate-stderr sandbox exec cc claude auth status
  says '"loggedIn": true'
  run -0 sandbox secret capture cc claude
  # Also without the variable: by the file, which has placeholders.
  run -0 --separate-stderr sandbox exec cc env -u CLAUDE_CODE_OAUTH_TOKEN claude auth status
  says '"loggedIn": true'
  says claude.ai
  model_takes 'Bearer sk-ant-oat01-the-real-one'
  model_runs 'cat ~/.claude/.credentials.json | grep -c the-real-one'
  run -0 --separate-stderr sandbox exec cc env -u CLAUDE_CODE_OAUTH_TOKEN IS_SANDBOX=1 claude -p --dangerously-skip-permissions "do it"
  says "The command has printed: 0"
  grep -q '^api.anthropic.com POST /v1/messages Bearer sk-ant-oat01-the-real-one$' "$UPSTREAMS/model-visits"
}

@test "codex is logged in with the placeholders of a captured login" {
  is_there cx || agent_box cx codex
  local part token
  part=$(printf %s '{"exp":4000000000,"https://api.openai.com/auth":{"chatgpt_plan_type":"plus","chatgpt_account_id":"acc"}}' | base64 -w0 | tr -d = | tr '/+' '_-')
  token="eyJhbGciOiJub25lIn0.$part.c2ln"
  log_in cx .codex/auth.json "$(jq -nc --arg token "$token" '{auth_mode: "chatgpt", OPENAI_API_KEY: null, tokens: {id_token: $token,
    access_token: $token, refresh_token: "rt-the-real-one", account_id: "acc"}, last_refresh: "2026-01-01T00:00:00Z"}')"
  run -0 sandbox secret capture cx codex
  run -0 sandbox exec cx sh -c 'codex login status 2>&1; grep -c the-real-one ~/.codex/auth.json || true'
  says "Logged in using ChatGPT"
  equal "${lines[-1]}" 0
}
