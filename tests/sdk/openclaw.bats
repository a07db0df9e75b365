#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The real OpenClaw with our plugin, and its own docker backend on a sandbox's docker.sock. Its own agent is asked, with a model
# that the test plays (model.py), and its own functions are driven, as a session would. It is 600 MB of npm packages, so this runs with `ctest -C slow` only.

load ../e2e/upstreams

kOpenClaw=2026.9.6
kNode=26.10.0

setup_file() {
  command -v npm >/dev/null || skip "npm is not installed"
  command -v docker >/dev/null || skip "docker is not installed"
  world_up
  upstreams_up
  export SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  local node
  node=$(node_from_npm "$kNode")
  export PATH=$SANDBOXD_BIN:${node%/*}:$PATH
  install_openclaw
  pack_plugin
  export OPENCLAW_STATE_DIR=$WORLD/openclaw OPENCLAW_CONFIG_PATH=$WORLD/openclaw/openclaw.json
  mkdir -p "$OPENCLAW_STATE_DIR" "$WORLD/agent"
  cp "$kSource/tests/sdk/openclaw/"*.mjs "$WORLD"
}

install_openclaw() {
  export OPENCLAW=$SDK_BUILD/openclaw-$kOpenClaw/node_modules/openclaw
  local directory=${OPENCLAW%/node_modules/*}
  [[ ! -e $directory/installed ]] || return 0
  rm -rf "$directory"
  mkdir -p "$directory"
  echo '{"private": true}' >"$directory/package.json"
  (cd "$directory" && npm_quietly install --omit=optional "openclaw@$kOpenClaw") || return 1
  touch "$directory/installed"
}

# With the SDK in it, as its bundleDependencies say.
pack_plugin() {
  from_npm "$SDK_BUILD/typescript" "$kSource/sdk/typescript/package.json" "$kSource/sdk/typescript/package-lock.json"
  local sdk=$WORLD/sdk plugin=$WORLD/plugin
  mkdir -p "$sdk" "$plugin/node_modules/@sandboxd/sdk"
  cp -r "$kSource/sdk/typescript/"{src,package.json,tsconfig.json,README.md} "$sdk"
  ln -s "$SDK_BUILD/typescript/node_modules" "$sdk/node_modules"
  (cd "$sdk" && npm pack --silent >/dev/null) || return 1
  tar -xzf "$sdk"/sandboxd-sdk-*.tgz -C "$plugin/node_modules/@sandboxd/sdk" --strip-components 1
  cp "$kSource/sdk/openclaw/"* "$plugin"
  (cd "$plugin" && npm pack --silent >/dev/null) || return 1
  PLUGIN=$(echo "$plugin"/sandboxd-openclaw-*.tgz)
  export PLUGIN
}

openclaw() { timeout 200 node "$OPENCLAW/openclaw.mjs" "$@" 3>&-; }
run_tests() { (cd "$WORLD" && timeout 300 node --test --test-reporter=tap "$1.test.mjs" 3>&-); }

@test "OpenClaw installs the plugin, takes its configuration, and explains itself with our backend" {
  echo '{}' >"$OPENCLAW_CONFIG_PATH"
  run -0 openclaw plugins install --force --accept-capabilities "$PLUGIN"
  says "Installed plugin: sandboxd"
  local config
  config=$(jq --arg workspace "$WORLD/agent" '.agents.defaults = {workspace: $workspace, sandbox: {mode: "all", backend: "sandboxd", workspaceAccess: "rw"}}
    | .plugins.entries.sandboxd.config = {network: {preset: "deny", allow: ["up.test"]}}' "$OPENCLAW_CONFIG_PATH")
  echo "$config" >"$OPENCLAW_CONFIG_PATH"
  run -0 --separate-stderr openclaw sandbox explain --json
  equal "$(jq -r '.sandbox | .backend, .sessionIsSandboxed, .runtimeWorkdir' <<<"$output")" $'sandboxd\ntrue\n'"$WORLD/agent"
}

@test "OpenClaw refuses a configuration of the plugin that it does not know" {
  local config
  config=$(jq '.plugins.entries.sandboxd.config.netwrk = {}' "$OPENCLAW_CONFIG_PATH")
  echo "$config" >"$WORLD/wrong.json"
  OPENCLAW_CONFIG_PATH=$WORLD/wrong.json run -1 openclaw sandbox explain --json
  says netwrk
}

model_up() {
  make_certificate model 'DNS:api.anthropic.com'
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
}

@test "OpenClaw's own agent runs what its model asks for in a sandbox of ours" {
  model_up
  local config name
  config=$(jq --arg url "https://$(cat "$UPSTREAMS/model-address")" '.agents.defaults.model.primary = "fake/m"
    | .models.providers.fake = {baseUrl: $url, apiKey: "key", api: "anthropic-messages", models: [{id: "m", name: "m", reasoning: false,
      input: ["text"], contextWindow: 200000, maxTokens: 8192, cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}}]}' "$OPENCLAW_CONFIG_PATH")
  echo "$config" >"$WORLD/modelled.json"
  jq -nc '{name: "exec", input: {command: "echo by the model >made.txt; id -un; hostname"}}' >"$UPSTREAMS/model-tool"
  export OPENCLAW_CONFIG_PATH=$WORLD/modelled.json NODE_TLS_REJECT_UNAUTHORIZED=0
  run -0 --separate-stderr openclaw agent --local --json --session-key agent:main:subagent:asked --message "do it"
  # OpenClaw has one for all sessions of an agent that have the same workspace.
  name=$(sandbox ls --json | jq -r '.vms[].name | select(startswith("openclaw-agent-main-workspace-"))')
  matches . "$name"
  says "The command has printed: agent\\n$name"
  equal "$(cat "$WORLD/agent/made.txt")" "by the model"
  grep -q '^[0-9.]* POST /v1/messages key$' "$UPSTREAMS/model-visits"
  sandbox rm "$name" >/dev/null
}

@test "the plugin, by OpenClaw's own functions: exec, files, policy, credentials, removal" { run_tests plugin; }

@test "OpenClaw's docker backend, by the stock docker client and a sandbox's docker.sock" {
  export SHARED=$WORLD/shared IMAGE=openclaw-test:1
  mkdir -p "$SHARED"
  sandbox create -q --name claws --docker on claude "$SHARED" >/dev/null
  export DOCKER_HOST=unix://$SANDBOXES_HOME/vm/claws/docker.sock
  sandbox template save shell | docker load >/dev/null
  docker tag shell:latest "$IMAGE"
  run_tests docker
}
