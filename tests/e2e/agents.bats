#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The agents themselves, as npm has them, in their sandboxes: they start without a question, and work with a model that
# the test plays (model.py) and that they reach as they would reach their maker's, through the proxy.

load upstreams

kModels='DNS:api.anthropic.com,DNS:api.openai.com'

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate model "$kModels"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/model.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
  export MODEL
  MODEL=$(cat "$UPSTREAMS/model-address")
  # A sandbox may reach the model and nothing else.
  echo '{"policy": {"default": "deny"}, "network": {"allowedDomains": ["api.anthropic.com", "api.openai.com"]}}' \
    >"$WORLD/proxy-config.json"
  export SANDBOX_TIMEOUT=400
}

setup() {
  : >"$UPSTREAMS/model-visits"
  WS=$WORLD/project
  mkdir -p "$WS"
  flags=()
  if on_microvm; then flags=(--cpus 1 --memory 2g); fi
}

# The model runs this.
model_runs() { echo "$1" >"$UPSTREAMS/model-command"; }

# agent_box NAME AGENT
agent_box() {
  sandbox create -q --name "$1" --add-host "api.anthropic.com:$MODEL" --add-host "api.openai.com:$MODEL" "${flags[@]}" "$2" "$WS" >/dev/null
  remember_ids
}

@test "claude -p works with the model: it runs a command, writes to the workspace and says what came of it" {
  agent_box cc claude
  model_runs 'echo by the model > made.txt; id -un'
  run -0 --separate-stderr sandbox run -e ANTHROPIC_API_KEY=proxy-managed cc -- -p "do it"
  says "The command has printed: agent"
  equal "$(cat "$WS/made.txt")" "by the model"
  equal "$(stat -c %u "$WS/made.txt")" 0
  grep -q '^api.anthropic.com POST /v1/messages proxy-managed$' "$UPSTREAMS/model-visits"
  sandbox rm cc
}

# bats test_tags=once
@test "codex exec works with the model" {
  agent_box cx codex
  model_runs 'echo by codex > codex.txt; echo $((40 + 2))'
  run -0 --separate-stderr sandbox run -e CODEX_API_KEY=proxy-managed cx -- exec --skip-git-repo-check "do it"
  says 42
  equal "$(cat "$WS/codex.txt")" "by codex"
  grep -q '^api.openai.com POST /v1/responses Bearer proxy-managed$' "$UPSTREAMS/model-visits"
}

# bats test_tags=once
@test "each agent says its version, the one of our table" {
  local agent version
  for agent in claude codex gemini opencode copilot; do
    version=$(grep -A5 "name = \"$agent\"" "$kSource/src/agents/agents.cc" | grep -oP 'version = "\K[^"]+')
    agent_box "v-$agent" "$agent"
    run -0 sandbox exec "v-$agent" "$agent" --version
    says "$version"
    sandbox rm "v-$agent" >/dev/null
  done
}

# bats test_tags=once
@test "claude on a terminal comes to its prompt without a question" {
  agent_box tt claude
  tmux -S "$WORLD/tmux" -f /dev/null new-session -d -x 100 -y 40 \
    "$SANDBOXD_BIN/sandbox run -e ANTHROPIC_API_KEY=proxy-managed tt" 3>&-
  screen() { tmux -S "$WORLD/tmux" capture-pane -p; }
  at_prompt() { screen | grep -q '^❯' && screen | grep -q 'bypass permissions on'; }
  kPatience=90 eventually at_prompt
  run screen
  tmux -S "$WORLD/tmux" kill-server
  says "Claude Code v"
  says "$WS"
  for question in "Do you" "trust" "Yes" "Choose" "theme" "login" "?"; do says_not "$question"; done
  sandbox stop tt >/dev/null
}

# bats test_tags=once
@test "what an agent or its user changes in the configuration stays" {
  agent_box kept claude
  sandbox exec kept sh -c 'jq ".theme = \"light\"" ~/.claude/settings.json >x && mv x ~/.claude/settings.json'
  sandbox stop kept >/dev/null
  run -0 sandbox exec kept jq -r '.theme, .permissions.defaultMode' /home/agent/.claude/settings.json
  equal "$output" $'light\nbypassPermissions'
  run -0 sandbox exec kept sh -c 'stat -c %U ~/.claude ~/.claude/settings.json ~/.claude.json | sort -u'
  equal "$output" agent
}

# bats test_tags=once
@test "agents share what all of them need: each has one small layer of its own" {
  local digests=()
  for agent in claude codex; do digests+=("$(sandbox template inspect "$agent" | jq -r '.[0].layers | map(.digest? // .) | .[0:2] | join(" ")')"); done
  equal "${digests[0]}" "${digests[1]}"
}

# bats test_tags=once
@test "the box has what agents need, and nothing of ours is in the way" {
  agent_box tools codex
  run -0 sandbox exec tools sh -c 'node --version; npm --version; python3 -m venv /tmp/v && /tmp/v/bin/pip --version; for p in git gcc make rg jq docker dockerd; do command -v $p; done; id -nG; sudo -n id -u'
  matches 'v2[0-9]\.'
  says dockerd
  matches 'agent.*docker'
  says_not "Warning"
}

# bats test_tags=once
@test "the agent of a sandbox is fixed, and an unknown one is refused with those that there are" {
  run -125 --separate-stderr sandbox run --name tools claude "$WS" -- --version
  is_error "is for the agent codex"
  run -2 --separate-stderr sandbox create nosuchagent "$WS"
  is_error "invalid agent: nosuchagent (must be one of: claude, codex, gemini"
}

# bats test_tags=once
@test "a version that does not exist is said with npm's words and where all of them are, and nothing is left" {
  run -125 --separate-stderr sandbox create --name none --agent-version 0.0.0-none codex "$WS"
  is_error "build template codex:0.0.0-none"
  says "npm" "$stderr"
  matches "try: less .*/templates/logs/codex-0.0.0-none.log" "$stderr"
  run -0 sandbox ls -q
  says_not build-
  says_not none
}

# bats test_tags=once
@test "a daemon that is killed in the middle of a build leaves nothing that the next one does not remove" {
  echo '{"agents": [{"name": "slow", "command": ["slow"], "install": "sleep 613"}]}' >"$WORLD/agents.json"
  "$SANDBOXD_BIN/sandbox" create -q --name never slow "$WS" >/dev/null 2>&1 3>&- &
  local client=$! daemon
  building() { sandbox ls -q | grep -q '^build-'; }
  eventually building
  daemon=$(daemon_pid)
  kill -9 "$client"  # it would ask the next daemon again
  kill -9 "$daemon"
  eventually is_gone "$daemon"
  wait || true
  no_builds() { ! sandbox ls -q | grep -q '^build-'; }
  eventually no_builds
  run -0 sandbox ls -q
  says_not never
  rm "$WORLD/agents.json"
}

# bats test_tags=once
@test "an agent of the user's own is an entry in a file" {
  cat >"$WORLD/agents.json" <<'JSON'
{"agents": [{"name": "mine", "command": ["mine", "--yes"], "environment": {"WORDS": "two words"},
  "install": "cat >/usr/local/bin/mine <<'SCRIPT'\n#!/bin/sh\necho \"mine: $* ($WORDS) $(cat ~/.mine/config)\"\nSCRIPT\nchmod 755 /usr/local/bin/mine",
  "files": [{"path": ".mine/config", "content": "configured"}]}]}
JSON
  run -0 --separate-stderr sandbox run mine "$WS" -- -x
  equal "$output" "mine: --yes -x (two words) configured"
  equal "$(inspect mine-project .labels[\"com.docker.sandbox.agent\"])" mine
  run -0 sandbox agents
  matches "mine +mine +mine --yes"
  run -2 --separate-stderr sandbox create --name mine shell "$WS"
  is_error "that is the name of an agent"
  echo '{"agents": [{"name": "claude", "command": ["x"]}]}' >"$WORLD/agents.json"
  run --separate-stderr sandbox run claude "$WS"
  is_error "agent \"claude\": there is one of ours by this name"
  rm "$WORLD/agents.json"
  sandbox rm mine-project >/dev/null
  sandbox template rm mine >/dev/null
}
