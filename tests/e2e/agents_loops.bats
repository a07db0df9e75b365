#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Loops of an agent itself, as npm has it, with a model that the test plays (model.py).

load upstreams

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate model 'DNS:api.anthropic.com,DNS:api.openai.com'
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/model.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
  export MODEL
  MODEL=$(cat "$UPSTREAMS/model-address")
  export SANDBOX_TIMEOUT=400
}

setup() {
  : >"$UPSTREAMS/model-visits"
  : >"$UPSTREAMS/model-requests.json"
  WS=$WORLD/project-$BATS_TEST_NUMBER
  mkdir -p "$WS"
  git -C "$WS" init -q
  echo "Do it." >"$WORLD/prompt.md"
}

# The model has this run, and says what it printed.
model_runs() { echo "$1" >"$UPSTREAMS/model-command"; }

# warm ID AGENT: the loop's sandbox, which knows where the model is.
warm() {
  sandbox create -q --name "loop-$1-$2" --label "sandbox.loop=$1" --add-host "api.anthropic.com:$MODEL" \
    --add-host "api.openai.com:$MODEL" "$2" "$WS" >/dev/null
  remember_ids
}

@test "a loop of codex ends when codex itself says the promise" {
  warm cx codex
  sandbox secret add openai --value sk-the-real-one >/dev/null
  model_runs 'env | grep the-real-one >made; echo made >>made; echo ok; echo "<promise>COMPLETE</promise>"'
  run -0 --separate-stderr sandbox loop run --id cx --agent codex --prompt "$WORLD/prompt.md" --workspace "$WS" --max 2
  equal "$(cat "$WS/made")" made
  equal "$(sandbox loop status --json cx | jq -c '[.state.iterations[].promised]')" '[true]'
  grep -q '^api.openai.com POST /v1/responses Bearer sk-the-real-one$' "$UPSTREAMS/model-visits"
  sandbox loop end cx
}

@test "a loop of claude ends when claude itself says the promise" {
  sandbox secret add anthropic --value sk-ant-api03-the-real-one >/dev/null
  warm cl claude
  model_runs 'env | grep the-real-one >made; echo made >>made; echo ok; echo "<promise>COMPLETE</promise>"'
  run -0 --separate-stderr sandbox loop run --id cl --agent claude --prompt "$WORLD/prompt.md" --workspace "$WS" --max 2
  equal "$(cat "$WS/made")" made
  equal "$(sandbox loop status --json cl | jq -c '[.state.iterations[].promised]')" '[true]'
  grep -q '^api.anthropic.com POST /v1/messages sk-ant-api03-the-real-one$' "$UPSTREAMS/model-visits"
  sandbox loop end cl
}

# goes_on ID AGENT MODEL: the model is asked twice; the second time it sees what the command has printed, and runs nothing.
goes_on() {
  model_runs 'echo made >>made; echo ok'
  run -1 --separate-stderr sandbox loop run --id "$1" --agent "$2" --prompt "$WORLD/prompt.md" --workspace "$WS" --max 2 \
    --continue -- --model "$3"
  equal "$(sandbox loop status --json "$1" | jq -c '[.state.iterations[].exit_code]')" '[0,0]'
  equal "$(cat "$WS/made")" made
  equal "$(tail -n 1 "$UPSTREAMS/model-requests.json" | jq -r .model)" "$3"
  sandbox loop end "$1"
}

@test "a loop of codex with --continue goes on with codex's last conversation" {
  sandbox secret add openai --update --value sk-the-real-one >/dev/null
  warm cxc codex
  goes_on cxc codex gpt-5-codex
}

@test "a loop of claude with --continue goes on with claude's last conversation" {
  sandbox secret add anthropic --update --value sk-ant-api03-the-real-one >/dev/null
  warm clc claude
  goes_on clc claude claude-opus-4-5
}

@test "loop start leases the agents' secrets to their sandboxes, which have placeholders" {
  sandbox secret add anthropic --update --value sk-ant-api03-the-real-one >/dev/null
  sandbox secret add openai --update --value sk-the-real-one >/dev/null
  run -0 --separate-stderr sandbox loop start le --tool claude --tool codex --workspace "$WS"
  remember_ids
  run -0 sandbox loop exec le claude -- sh -c 'echo $ANTHROPIC_API_KEY; env | grep -c the-real-one || true'
  equal "$output" $'proxy-managed\n0'
  run -0 sandbox loop exec le codex -- sh -c 'echo $CODEX_API_KEY'
  equal "$output" proxy-managed
  run -0 sandbox secret leases --json
  says loop-le-claude
  says loop-le-codex
  sandbox loop end le >/dev/null
}
