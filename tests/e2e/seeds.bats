#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The command lines that people have in their notes about `docker sandbox`, seed by seed, through the real docker client
# with us as its plugin. What needs an account, a browser or another host's network is not here.

load upstreams

setup_file() {
  command -v docker >/dev/null || skip "docker is not installed"
  world_up
  export DOCKER_CONFIG=$WORLD/docker
  mkdir -p "$DOCKER_CONFIG/cli-plugins" "$WORLD/user/my-project" "$WORLD/user/datasets" "$WORLD/user/.cache/pip"
  ln -s "$SANDBOXD_BIN/sandbox" "$DOCKER_CONFIG/cli-plugins/docker-sandbox"
  echo data >"$WORLD/user/datasets/one"
  export PROJECT=$WORLD/user/my-project
  export SANDBOX_TIMEOUT=400
}

# The cache of templates is shared by the files that use agents.
teardown_file() {
  sandbox reset -f >/dev/null
  sandbox template rm -f my-template:v1 my-template:v2 my-checkpoint:v1 docker/sandbox-templates:claude-code >/dev/null
  world_down
}
setup() { cd "$PROJECT" || return 1; }

# --- seed 000 --------------------------------------------------------------------------------------------------------

@test "000: run --name, run NAME, arguments after --, exec, stdin with -i and without" {
  run -0 docker sandbox run --name zero claude "$PROJECT" -- --version
  says "(Claude Code)"
  run -0 docker sandbox run zero -- --version
  says "(Claude Code)"
  run -0 docker sandbox exec -w "$PROJECT" zero pwd
  equal "$output" "$PROJECT"
  echo some input | docker sandbox exec -i zero sh -c 'cat > /tmp/file'
  equal "$(docker sandbox exec zero cat /tmp/file)" "some input"
  echo lost | docker sandbox exec zero sh -c 'cat > /tmp/file'
  equal "$(docker sandbox exec zero sh -c 'wc -c </tmp/file')" 0
}

@test "000: what is configured in the image makes agents ask for nothing" {
  run -0 docker sandbox exec zero sh -c 'cat ~/.claude/settings.json'
  says bypassPermissions
  docker sandbox create --name codex-zero codex "$PROJECT" >/dev/null
  run -0 docker sandbox exec codex-zero cat /home/agent/.codex/config.toml
  says 'approval_policy = "never"'
  says 'sandbox_mode = "danger-full-access"'
}

@test "000: an agent's type is fixed" {
  run -125 docker sandbox run --name codex-zero claude "$PROJECT"
  says "is for the agent codex"
}

@test "000: private addresses are let through by name, and network log takes a name" {
  run -0 docker sandbox network proxy zero --allow-host 192.168.0.7 --allow-host nas.example
  run -0 docker sandbox network log zero
  grep -q nas.example "$SANDBOXES_HOME/vm/zero/proxy-config.json"
}

@test "000: ls, stop, rm: a stopped one keeps its state" {
  docker sandbox exec zero sh -c 'echo logged in >~/.session'
  docker sandbox stop zero
  run -0 docker sandbox ls
  matches "zero +claude +stopped"
  equal "$(docker sandbox exec zero cat /home/agent/.session)" "logged in"
  docker sandbox rm zero codex-zero
  run -0 docker sandbox ls -q
  equal "$output" ""
}

# --- seed 001 --------------------------------------------------------------------------------------------------------

@test "001: create, exec -e, inspect, version" {
  docker sandbox create --name my-sandbox claude "$PROJECT"
  equal "$(docker sandbox exec -e API_KEY=xxx my-sandbox sh -c 'echo $API_KEY')" xxx
  run -0 docker sandbox inspect my-sandbox
  equal "$(jq -r '.[0] | .name, .labels["com.docker.sandbox.agent"], .labels["com.docker.sandbox.workingDirectory"]' <<<"$output")" \
    $'my-sandbox\nclaude\n'"$PROJECT"
  docker sandbox version
}

@test "001: save a sandbox as a template and run another with it; in the same directory without one the agent finds its own" {
  docker sandbox exec -u root my-sandbox sh -c 'echo kept >/opt/kept; mkdir -p /data && echo x >/data/x'
  run -0 docker sandbox save my-sandbox my-template:v1
  says "Saved sandbox as my-template:v1"
  run -0 docker sandbox run --name from-saved --template my-template:v1 claude "$PROJECT" -- --version
  says "(Claude Code)"
  equal "$(docker sandbox exec from-saved cat /opt/kept /data/x)" $'kept\nx'
  docker sandbox rm from-saved
}

@test "001: the raw API lists, makes and deletes, with any agent's name" {
  run -0 api GET /vm
  says my-sandbox
  run -0 api POST /vm -H 'Content-Type: application/json' -d "{\"agent_name\": \"sandbox-agent\", \"workspace_dir\": \"$PROJECT\"}"
  equal "$(jq -r .vm_name <<<"$output")" sandbox-agent-vm
  equal "$(jq -r .vm_config.stateDir <<<"$output")" "$SANDBOXES_HOME/vm/sandbox-agent-vm"
  run -0 api DELETE /vm/sandbox-agent-vm
}

@test "001: a Dockerfile on the vendor's template installs as root and gives back to the agent" {
  docker sandbox template tag claude docker/sandbox-templates:claude-code
  mkdir -p "$WORLD/docker-dir/tools"
  # The seed's own lines, but that pandas and numpy cannot be had here: pip installs a package that is brought along.
  printf '%s\n' 'from setuptools import setup' 'setup(name="tools", version="1", py_modules=["tools"])' >"$WORLD/docker-dir/tools/setup.py"
  echo 'word = "installed"' >"$WORLD/docker-dir/tools/tools.py"
  cat >"$WORLD/docker-dir/Dockerfile" <<'END'
FROM docker/sandbox-templates:claude-code
USER root
# Install additional packages
RUN apt-get update && apt-get install -y postgresql-client redis-tools
COPY tools /opt/tools
# Install language-specific tools
RUN pip install --no-index --no-build-isolation /opt/tools
USER agent
END
  docker sandbox template build -t my-template:v2 "$WORLD/docker-dir" 2>/dev/null
  run -0 docker sandbox run --name built --load-local-template -t my-template:v2 claude "$PROJECT" -- --version
  says "(Claude Code)"
  equal "$(docker sandbox exec built sh -c 'psql --version | cut -d" " -f1; redis-cli --version | cut -d" " -f1; python3 -c "import tools; print(tools.word)"; id -un')" \
    $'psql\nredis-cli\ninstalled\nagent'
  docker sandbox rm built
}

@test "001: network policies, one call each and several in one" {
  docker sandbox network proxy my-sandbox
  docker sandbox network proxy my-sandbox --policy deny
  docker sandbox network proxy my-sandbox --allow-host api.example.com
  docker sandbox network proxy my-sandbox --allow-host '*.github.com'
  docker sandbox network proxy my-sandbox --block-host malicious.com
  docker sandbox network proxy my-sandbox --block-cidr 10.0.0.0/8 --block-cidr 172.16.0.0/12 --block-cidr 192.168.0.0/16 --block-cidr 127.0.0.0/8
  docker sandbox network proxy my-sandbox --bypass-host pinned-cert.example.com
  docker sandbox network proxy my-sandbox --policy allow
  docker sandbox network log my-sandbox
  docker sandbox rm my-sandbox
}

# --- seed 003 --------------------------------------------------------------------------------------------------------

@test "003: the same directory is the same sandbox; variables and mounts at run" {
  run -0 docker sandbox run -e NODE_ENV=development -e DEBUG=true -v "$HOME/datasets:/data:ro" -v "$HOME/.cache/pip:/root/.cache/pip" claude . -- --version
  equal "$(docker sandbox exec claude-my-project sh -c 'echo $NODE_ENV $DEBUG; cat /data/one')" $'development true\ndata'
  run -0 docker sandbox run claude . -- --version
  equal "$(docker sandbox ls -q)" claude-my-project
  run ! docker sandbox exec claude-my-project sh -c 'echo no >/data/new'
}

@test "003: keys of the user, read-only, and a variable with an address in it" {
  mkdir -p "$HOME/.ssh" "$WORLD/user/with-keys"
  echo 'Host git.example' >"$HOME/.ssh/config"
  chmod 700 "$HOME/.ssh"
  run -0 docker sandbox run --name keys -v ~/.ssh:/home/agent/.ssh:ro -e DATABASE_URL=postgresql://localhost/myapp claude "$WORLD/user/with-keys" -- --version
  says "(Claude Code)"
  equal "$(docker sandbox exec keys sh -c 'echo $DATABASE_URL; cat ~/.ssh/config')" $'postgresql://localhost/myapp\nHost git.example'
  run ! docker sandbox exec keys sh -c 'echo no >~/.ssh/new'
  docker sandbox rm keys
}

@test "003: checkpoints: save, save -o, and a sandbox from one" {
  docker sandbox exec claude-my-project sh -c 'echo work >~/state'
  docker sandbox save claude-my-project my-checkpoint:v1
  docker sandbox save -o "$WORLD/checkpoint.tar" claude-my-project my-checkpoint:v1
  tar -tf "$WORLD/checkpoint.tar" | grep -qx manifest.json
  docker sandbox rm claude-my-project
  run -0 docker sandbox run --load-local-template -t my-checkpoint:v1 claude . -- --version
  equal "$(docker sandbox exec claude-my-project cat /home/agent/state)" work
}

@test "003: inspect, stop, run again, network log without a name, reset" {
  docker sandbox inspect claude-my-project >/dev/null
  docker sandbox stop claude-my-project
  run -0 docker sandbox run claude-my-project -- --version
  docker sandbox network log
  docker sandbox network proxy claude-my-project --allow-host example.com
  run -0 docker sandbox reset -f
  equal "$(docker sandbox ls -q)" ""
}

# --- seed 004 --------------------------------------------------------------------------------------------------------

@test "004: a subscription's token at exec: claude says that it is logged in" {
  docker sandbox create --name loop-7-claude claude "$PROJECT" >/dev/null
  run -0 docker sandbox exec -e CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-test loop-7-claude claude auth status
  matches '"loggedIn": *true'
  matches '"authMethod": *"oauth_token"'
}

@test "004: codex's login, copied in through a heredoc: codex says that it is logged in" {
  local auth='{"OPENAI_API_KEY": "sk-test-0123456789abcdef"}'
  docker sandbox create --name loop-7-codex codex "$PROJECT" >/dev/null
  docker sandbox exec loop-7-codex bash -c "mkdir -p ~/.codex && cat > ~/.codex/auth.json << 'EOF'
${auth}
EOF"
  run -0 docker sandbox exec loop-7-codex codex login status
  matches "API key configured|Logged in"
}

@test "004: files cross the border both ways, and loops end with rm" {
  docker sandbox exec -w "$PROJECT" -e NODE_ENV=development loop-7-claude sh -c 'echo from inside >made-inside'
  equal "$(cat "$PROJECT/made-inside")" "from inside"
  echo from outside >"$PROJECT/made-outside"
  equal "$(docker sandbox exec loop-7-claude cat "$PROJECT/made-outside")" "from outside"
  docker sandbox network proxy loop-7-claude --policy deny
  docker sandbox network proxy loop-7-claude --allow-host api.anthropic.com
  docker sandbox rm loop-7-claude
  docker sandbox rm loop-7-codex
}
