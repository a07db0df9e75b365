#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Scripts that know nothing but the docker client, with us as its plugin and a real Docker beside us: seed_003/ has the lines
# that seed 003's .sandbox/*.sh are documented with, and the tests have the rest of its page.

load registry
load docker

setup_file() {
  command -v docker >/dev/null || skip "docker is not installed"
  world_up
  own_templates
  registry_up
  docker_up
  export DOCKER_CONFIG=$WORLD/client PROJECT=$WORLD/user/shop SCRIPTS=$WORLD/user/shop/.sandbox
  mkdir -p "$DOCKER_CONFIG/cli-plugins" "$PROJECT"
  ln -s "$SANDBOXD_BIN/sandbox" "$DOCKER_CONFIG/cli-plugins/docker-sandbox"
  cp -r "$kSource/tests/e2e/seed_003" "$SCRIPTS"
  # The vendor's template by its name, as far as Docker knows: ours, through the archive that docker load takes.
  sandbox template save shell | docker load >/dev/null
  docker tag shell:latest docker/sandbox-templates:claude-code
  export SANDBOX_TIMEOUT=400
}

teardown_file() {
  docker_down
  registry_down
  world_down
}
setup() { cd "$PROJECT" || return 1; }

the_sandbox() { docker sandbox ls -q | grep '^ralph-shop-'; }
# Whether the sandbox may reach a host, by its policy.
may_reach() { docker sandbox network check "$1" "$2" >/dev/null; }
on_terminal() { PYTHONPATH=$BATS_TEST_DIRNAME timeout 120 python3 -B - "$@" 3>&-; }

@test "sandbox-ralph.sh: builds the template, makes the sandbox of it, starts the agent without questions" {
  run -0 .sandbox/sandbox-ralph.sh .
  says "building the template"
  says "agent agent in $PROJECT: --dangerously-skip-permissions"
  run -0 the_sandbox
  equal "${#lines[@]}" 1
  equal "$(docker sandbox exec "$output" cat /opt/tools)" tools
  equal "$(docker sandbox exec "$(the_sandbox)" git config --global user.name)" "An Agent"
}

@test "sandbox-ralph.sh: the next one builds nothing; a directory is a project of its own" {
  mkdir -p "$WORLD/user/other"
  run -0 .sandbox/sandbox-ralph.sh "$WORLD/user/other"
  says_not "building the template"
  says "agent agent in $WORLD/user/other: --dangerously-skip-permissions"
  docker sandbox rm "$(docker sandbox ls -q | grep '^ralph-other-')"
}

@test "network-policy.sh: the hosts of the table, and no others" {
  local name host
  name=$(the_sandbox)
  for host in api.anthropic.com statsig.anthropic.com statsig.com sentry.io any.npmjs.org any.yarnpkg.com github.com \
    api.github.com raw.githubusercontent.com; do
    may_reach "$name" "https://$host/" || fail "$host is refused"
  done
  for host in example.com npmjs.org.example.com anthropic.com registry.example.org; do
    run ! may_reach "$name" "https://$host/"
  done
  docker sandbox network proxy "$name" --allow-host "*.your-registry.com"
  may_reach "$name" https://any.your-registry.com/
  run ! docker sandbox exec "$name" curl -sSf --max-time 20 http://example.com/
  run -0 docker sandbox network log
  says example.com
}

@test "a running sandbox is watched: a shell on a terminal, ralph --status, --status --tasks, --add-context" {
  local name
  name=$(the_sandbox)
  on_terminal "$name" <<'PYTHON'
import sys
from terminal import Terminal
terminal = Terminal("docker", "sandbox", "exec", "-it", sys.argv[1], "bash")
terminal.expect(r"\$ ")
terminal.type("ralph --status; echo status is $?; exit\n")
terminal.expect("status is 0")
PYTHON
  docker sandbox exec "$name" ralph --status --tasks
  docker sandbox exec "$name" ralph --add-context "Focus on the auth module"
  says "Focus on the auth module" "$(docker sandbox exec "$name" ralph --status)"
}

@test "stop, run NAME, and arguments for the agent's conversation" {
  local name
  name=$(the_sandbox)
  docker sandbox stop "$name"
  run -0 docker sandbox run "$name" -- --continue
  says "agent agent in $PROJECT: --dangerously-skip-permissions --continue"
  docker sandbox inspect "$name" >/dev/null
}

@test "docker build again after a change: the next sandbox has it, the one that is there keeps its own" {
  echo 'RUN echo newer >~/newer' >>.sandbox/Dockerfile
  docker build -q -t ai-dev-kit-sandbox:latest .sandbox/
  run ! docker sandbox exec "$(the_sandbox)" cat /home/agent/newer
  docker sandbox run --load-local-template -t ai-dev-kit-sandbox:latest --name newer claude .
  equal "$(docker sandbox exec newer cat /home/agent/newer)" newer
  docker sandbox rm newer
}

@test "docker tag, docker push, and run -t of what others pushed" {
  docker tag ai-dev-kit-sandbox:latest "$REGISTRY/myorg/ai-dev-kit-sandbox:latest"
  docker push -q "$REGISTRY/myorg/ai-dev-kit-sandbox:latest"
  docker image rm "$REGISTRY/myorg/ai-dev-kit-sandbox:latest" >/dev/null
  run -0 docker sandbox run --name pulled -t "$REGISTRY/myorg/ai-dev-kit-sandbox:latest" claude .
  says "agent agent in $PROJECT: --dangerously-skip-permissions"
  docker sandbox rm pulled
}

@test "save, save -o, and a sandbox from the snapshot with --load-local-template" {
  local name
  name=$(the_sandbox)
  docker sandbox exec "$name" sh -c 'echo work >~/state'
  docker sandbox save "$name" my-checkpoint:v1
  docker sandbox save -o "$WORLD/checkpoint.tar" "$name" my-checkpoint:v1
  docker load -i "$WORLD/checkpoint.tar" | grep -q my-checkpoint:v1
  docker sandbox rm "$name"
  docker sandbox run --load-local-template -t my-checkpoint:v1 claude .
  equal "$(docker sandbox exec claude-shop cat /home/agent/state)" work
}

@test "the template is built without Docker, too, by the same file" {
  sandbox template pull -q --from docker docker/sandbox-templates:claude-code
  docker sandbox template build -q -t ai-dev-kit-sandbox:ours .sandbox/
  docker sandbox run --name ours -t ai-dev-kit-sandbox:ours claude .
  equal "$(docker sandbox exec ours cat /opt/tools)" tools
}

@test "reset leaves none" {
  docker sandbox reset -f
  equal "$(docker sandbox ls -q)" ""
}

@test "without the plugin the script says so by its exit code, and makes nothing" {
  mkdir -p "$WORLD/empty"
  DOCKER_CONFIG=$WORLD/empty run ! .sandbox/sandbox-ralph.sh .
  equal "$(docker sandbox ls -q)" ""
}
