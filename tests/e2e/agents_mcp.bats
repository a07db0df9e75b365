#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# MCP servers of sandboxes with the programs themselves: claude and codex as npm has them, with a model that the test plays
# (model.py), a real server of npm over standard input and over HTTP, and one that holds a key of the user's.

load upstreams

setup_file() {
  command -v npm >/dev/null || skip "npm is not installed"
  world_up
  upstreams_up
  make_certificate model 'DNS:api.anthropic.com,DNS:api.openai.com'
  cat "$UPSTREAMS/model.crt" >>"$UPSTREAMS/roots.pem"
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
  export MODEL SANDBOX_TIMEOUT=400 SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  MODEL=$(cat "$UPSTREAMS/model-address")
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  package_of "$SDK_BUILD/mcp-everything" @modelcontextprotocol/server-everything@2026.8.31
  package_of "$SDK_BUILD/mcp" @modelcontextprotocol/sdk@1.32.2
  servers_up
  mkdir -p "$WORLD/project"
}

# Where every user may read it: node, the server of npm, and ours with the SDK.
servers_up() {
  export SERVERS=$WORLD/servers EVERYTHING=node_modules/@modelcontextprotocol/server-everything/dist/index.js
  mkdir -p "$SERVERS/issues"
  cp "$(node_from_npm 20.20.2)" "$SERVERS/node"
  cp -r "$SDK_BUILD/mcp-everything/node_modules" "$SERVERS/"
  cp -r "$SDK_BUILD/mcp/node_modules" "$kSource/tests/e2e/issues_server.mjs" "$SERVERS/issues/"
}

setup() {
  : >"$UPSTREAMS/model-visits"
  : >"$UPSTREAMS/recorded"
}

# agent_box NAME FLAG...: claude's, which reaches the model and what the flags say, and asks the model when it has its tools;
# it waits for them longer than the 30 s that a server on an emulated machine may take.
agent_box() {
  sandbox create -q --name "$1" --policy deny --allow-host api.anthropic.com --add-host "api.anthropic.com:$MODEL" \
    -e ANTHROPIC_API_KEY=proxy-managed -e ENABLE_TOOL_SEARCH=false -e MCP_CONNECTION_NONBLOCKING=false -e MCP_TIMEOUT=300000 \
    "${@:2}" claude "$WORLD/project" >/dev/null
  remember_ids
}
# asked NAME TOOL INPUT: claude's model calls the tool, and claude says what it answered.
asked() {
  model_calls "$2" "$3"
  sandbox run "$1" -- -p "do it"
}
# The same of codex, which would ask its model before a server is ready that is not required.
codex_asked() {
  model_calls "$2" "$3"
  sandbox run "$1" -- exec --skip-git-repo-check "${@:4}" "do it"
}
model_calls() { jq -nc --arg name "$1" --argjson input "$2" '{name: $name, input: $input}' >"$UPSTREAMS/model-tool"; }

@test "claude uses a tool of a server that runs in a sandbox of its own, until that is taken back" {
  sandbox mcp add -q everything -v "$SERVERS:/servers:ro" -- /servers/node "/servers/$EVERYTHING" stdio
  agent_box stdio --mcp everything
  run -0 --separate-stderr asked stdio mcp__everything__echo '{"message": "through two walls"}'
  says "The command has printed: Echo: through two walls"
  equal "$(status_of mcp-everything)" running
  run ! sandbox exec stdio ls /servers
  sandbox mcp revoke stdio everything
  run --separate-stderr asked stdio mcp__everything__echo '{"message": "still here"}'
  says_not "Echo: still here"
  sandbox rm stdio
}

@test "codex uses a tool of a server that runs in a sandbox of its own, until that is taken back" {
  is_there mcp-everything || sandbox mcp add -q everything -v "$SERVERS:/servers:ro" -- /servers/node "/servers/$EVERYTHING" stdio
  sandbox create -q --name cx --policy deny --allow-host api.openai.com --add-host "api.openai.com:$MODEL" \
    -e CODEX_API_KEY=proxy-managed --mcp everything codex "$WORLD/project" >/dev/null
  remember_ids
  run -0 --separate-stderr codex_asked cx mcp__everything__echo '{"message": "through two walls"}' -c mcp_servers.everything.required=true
  says "Echo: through two walls"
  sandbox mcp revoke cx everything
  run --separate-stderr codex_asked cx mcp__everything__echo '{"message": "still here"}'
  says_not "Echo: still here"
  sandbox rm cx
}

@test "claude uses a tool of a server on the network, by the rule for its host alone" {
  local port
  port=$(free_port)
  (cd "$SERVERS" && PORT=$port exec ./node "$EVERYTHING" streamableHttp </dev/null >"$UPSTREAMS/everything.log" 2>&1 3>&-) &
  remember_upstream $!
  eventually answers "$port"
  sandbox mcp add -q web --url "http://mcp.test:$port/mcp"
  agent_box http --mcp web --add-host mcp.test:127.0.0.1
  run -0 --separate-stderr asked http mcp__web__echo '{"message": "over HTTP"}'
  says "The command has printed: Echo: over HTTP"
  run -0 sandbox network log http --json
  says "mcp.test"
  sandbox mcp revoke http web
  run --separate-stderr asked http mcp__web__echo '{"message": "still here"}'
  says_not "Echo: still here"
  sandbox rm http
}

@test "a server's key is the user's at the API, and in no sandbox: neither the server's nor the agent's" {
  sandbox mcp add -q issues -v "$SERVERS:/servers:ro" --allow-host "up.test:$TLS_PORT" --add-host up.test:127.0.0.1 -- \
    /servers/node /servers/issues/issues_server.mjs "https://up.test:$TLS_PORT/record"
  sandbox secret add issues-key --value sk-issues-the-real-one-0123456789 >/dev/null
  sandbox secret bind issues-key --sandbox mcp-issues --host up.test --header 'Authorization: Bearer {}' --env ISSUES_TOKEN
  agent_box keyed --mcp issues
  run -0 --separate-stderr asked keyed mcp__issues__look_up '{}'
  says "the API said 200 recorded to "
  says_not the-real-one
  says "authorization: Bearer sk-issues-the-real-one-0123456789" "$(cat "$UPSTREAMS/recorded")"
  local box
  for box in keyed mcp-issues; do
    run -0 sandbox exec -u root "$box" sh -c 'cat /proc/[0-9]*/environ | tr "\0" "\n"; grep -rs the-real-one /home /etc /run /tmp; true'
    says_not the-real-one
  done
  run ! sandbox exec keyed curl -sSf --max-time 20 "https://up.test:$TLS_PORT/record"
}
