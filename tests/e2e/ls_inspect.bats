#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What ls, inspect, version and the like say, as people and as programs read it.

load world

setup_file() {
  world_up
  mkdir -p "$WORLD/lib"
  mkdir -p "$WORLD/ws-alpha"
  sandbox create -q --name alpha -e COLOR=blue -m 1g --cpus 0.5 --pids 500 -v "$WORLD/lib:/lib-of-mine:ro" \
    shell "$WORLD/ws-alpha" "$WORLD/lib:ro"
  sandbox start alpha
  box beta
  sandbox stop beta
}

@test "ls has the vendor's columns and ISOLATION" {
  run -0 --separate-stderr sandbox ls
  equal "$(tr -s ' ' <<<"${lines[0]}" | sed 's/ $//')" "SANDBOX AGENT STATUS ISOLATION PORTS WORKSPACE"
  matches "^alpha shell running $kIsolation $WORLD/ws-alpha, $WORLD/lib:ro$" "$(tr -s ' ' <<<"${lines[1]}")"
  matches "^beta shell stopped $kIsolation $WORLD/ws-beta$" "$(tr -s ' ' <<<"${lines[2]}")"
  equal "${#lines[@]}" 3
}

@test "list is ls" {
  equal "$(sandbox list)" "$(sandbox ls)"
}

@test "ls --json is the vendor's shape" {
  run -0 --separate-stderr sandbox ls --json
  equal "$(jq -c 'keys' <<<"$output")" '["vms"]'
  equal "$(jq -r '.vms[0] | .name, .agent, .status, .workspaces[0], .workspaces[1]' <<<"$output")" \
    "alpha"$'\n'"shell"$'\n'"running"$'\n'"$WORLD/ws-alpha"$'\n'"$WORLD/lib:ro"
  equal "$(jq -r '.vms[0] | (.socket_path | type), (.sandbox_count | type)' <<<"$output")" $'string\nnumber'
  matches "^$kIsolation$" "$(jq -r '.vms[0].isolation' <<<"$output")"
  equal "$(jq -r '.vms[1] | .name, .status, has("socket_path")' <<<"$output")" $'beta\nstopped\nfalse'
}

@test "ls -q prints names only" {
  run -0 --separate-stderr sandbox ls -q
  equal "$output" $'alpha\nbeta'
}

@test "ls --filter leaves those that are meant, and says what it does not know" {
  equal "$(sandbox ls -q --filter status=running)" alpha
  equal "$(sandbox ls -q -f name=bet)" beta
  equal "$(sandbox ls --json --filter agent=shell --filter status=stopped | jq -r '.vms[].name')" beta
  equal "$(sandbox ls -q --filter agent=claude)" ""
  run -2 --separate-stderr sandbox ls --filter size=1
  is_error "no key"
}

@test "labels are kept, shown and filtered by; run --label changes those of a sandbox that is there" {
  printf '# of the build\nfrom=file\nbare\n' >"$WORLD/labels"
  mkdir -p "$WORLD/ws-labelled"
  sandbox create -q --name labelled -l team=core --label empty --label-file "$WORLD/labels" shell "$WORLD/ws-labelled"
  equal "$(sandbox ls -q --filter label=team)" labelled
  equal "$(sandbox ls -q --filter label=team=core --filter label=from=file)" labelled
  equal "$(sandbox ls -q --filter label=team=other)" ""
  equal "$(sandbox ls --json -f name=labelled | jq -c '.vms[0].labels')" \
    '{"from":"file","bare":"","team":"core","empty":""}'
  sandbox daemon restart
  equal "$(inspect labelled '.labels | .team + "|" + .bare + "|" + ."com.docker.sandbox.agent"')" "core||shell"
  sandbox run -q --label team=other --label=new=1 labelled -- -c true
  equal "$(inspect labelled '.labels | .team + "|" + .new + "|" + .from')" "other|1|file"
  sandbox run -q --label team=third shell "$WORLD/ws-labelled" -- -c true
  equal "$(inspect labelled .labels.team)" third
  sandbox rm labelled
}

@test "ls --format takes Go template fields" {
  run -0 --separate-stderr sandbox ls --format '{{.Name}} is {{.Status}} in {{.Workspace}}'
  equal "${lines[1]}" "beta is stopped in $WORLD/ws-beta"
  run -0 --separate-stderr sandbox ls --format 'table {{.Name}}\t{{.Agent}}'
  equal "$(tr -s ' \t' ' ' <<<"${lines[1]}" | sed 's/ $//')" "alpha shell"
  run -0 --separate-stderr sandbox ls --format '{{json .Name}}'
  equal "${lines[0]}" '"alpha"'
}

# bats test_tags=once
@test "ls --format with a field that there is not is an error that names it" {
  run --separate-stderr sandbox ls --format '{{.Nonsense}}'
  [[ $status == 2 || $status == 125 ]]
  is_error Nonsense
}

@test "inspect is an array with the vendor's fields and labels" {
  run -0 --separate-stderr sandbox inspect alpha
  equal "$(jq -r 'type, length' <<<"$output")" $'array\n1'
  equal "$(jq -r '.[0] | .name, .status, .template' <<<"$output")" $'alpha\nrunning\nshell'
  matches '^[0-9a-f-]{32,}$' "$(jq -r '.[0].id' <<<"$output")"
  date -d "$(jq -r '.[0].created_at' <<<"$output")"
  matches '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' "$(jq -r '.[0].created_at' <<<"$output")"
  equal "$(jq -r '.[0].labels["com.docker.sandbox.agent"]' <<<"$output")" shell
  equal "$(jq -r '.[0].labels["com.docker.sandbox.workingDirectory"]' <<<"$output")" "$WORLD/ws-alpha"
  equal "$(jq -r '.[0].labels["com.docker.sandbox.workingDirectoryInode"]' <<<"$output")" "$(stat -c %i "$WORLD/ws-alpha")"
  equal "$(jq -r '.[0].labels["com.docker.sandboxes.flavor"] | type' <<<"$output")" string
  equal "$(jq -r '.[0].labels["docker/sandbox"]' <<<"$output")" true
}

@test "inspect shows mounts, limits, isolation, environment, pids and timings" {
  run -0 --separate-stderr sandbox inspect alpha
  equal "$(jq -c '.[0].mounts' <<<"$output")" \
    "[{\"source\":\"$WORLD/lib\",\"target\":\"/lib-of-mine\",\"readonly\":true}]"
  local cpus=0.5
  if on_microvm; then cpus=1; fi  # a machine has whole processors
  equal "$(jq -c '.[0].limits | .cpus + 0, .memory, .pids' <<<"$output")" "$cpus"$'\n1073741824\n500'
  matches "^$kIsolation$" "$(jq -r '.[0].isolation' <<<"$output")"
  equal "$(jq -r '.[0].environment.COLOR' <<<"$output")" blue
  equal "$(jq -r '.[0].timings | length > 0' <<<"$output")" true
  equal "$(readlink "/proc/$(jq -r '.[0].pids.shim' <<<"$output")/exe")" "$SANDBOXD_BIN/sandbox-shim"
  matches '^(.sandbox-init|qemu-system-.*)$' "$(cat "/proc/$(jq -r '.[0].pids.init' <<<"$output")/comm")"
}

@test "inspect of several shows all that are there and fails for the one that is not" {
  run -125 --separate-stderr sandbox inspect alpha nosuch beta
  equal "$(jq -r '.[].name' <<<"$output")" $'alpha\nbeta'
  is_error nosuch
}

@test "a stopped sandbox has no processes in inspect" {
  equal "$(sandbox inspect beta | jq -c '.[0].pids | .shim, .init')" $'0\n0'
}

# bats test_tags=once
@test "version is one line: module, version, commit" {
  run -0 --separate-stderr sandbox version
  equal "${#lines[@]}" 1
  matches '^[^ ]+ v0\.(1[2-9]|[2-9][0-9])\.[0-9]+[^ ]* [0-9a-f]{40}$' "$output"
}

# bats test_tags=once
@test "version needs no daemon and starts none" {
  SANDBOXES_HOME=$WORLD/elsewhere run -0 sandbox version
  [[ ! -e $WORLD/elsewhere ]]
}

# bats test_tags=once
@test "daemon status says where it listens" {
  run -0 --separate-stderr sandbox daemon status --json
  equal "$(jq -r '.status, .socket' <<<"$output")" "running"$'\n'"$SANDBOXES_HOME/sandboxd.sock"
  equal "$(jq -r .pid <<<"$output")" "$(daemon_pid)"
}

# bats test_tags=once
@test "diagnose has a verdict for each thing and a hint for each failure" {
  run --separate-stderr sandbox diagnose --json
  equal "$(jq -r '[.checks[] | select(.status | IN("pass", "warn", "fail", "skip") | not)] | length' <<<"$output")" 0
  equal "$(jq -r '[.checks[] | select(.status == "fail" and (.hint // "") == "")] | length' <<<"$output")" 0
  for thing in namespace subordinate cgroup runtime KVM QEMU virtiofsd AppArmor disk; do
    grep -qi "$thing" <<<"$(jq -r '.checks[] | .name, .message' <<<"$output")" || fail "nothing about $thing: $output"
  done
}

@test "ls answers at once while a shim is frozen, and so do commands on other sandboxes" {
  box frozen
  local shim
  shim=$(inspect frozen .pids.shim)
  freeze "$shim"
  SANDBOX_TIMEOUT=$((kPatience / 4)) run sandbox ls -q
  SANDBOX_TIMEOUT=$((kPatience / 4)) run -0 sandbox exec alpha echo fine
  local answer=$output
  SANDBOX_TIMEOUT=$((kPatience / 4)) run sandbox ls --json
  kill -CONT "$shim"
  equal "$answer" fine
  equal "$status" 0
  equal "$(jq -r '.vms | length' <<<"$output")" 3
  run -0 sandbox exec frozen echo thawed
  equal "$output" thawed
}

# bats test_tags=once
@test "with no sandboxes ls --json is an empty list, and ls says so" {
  export SANDBOXES_HOME=$WORLD/user-empty/.docker/sandboxes
  run -0 --separate-stderr sandbox ls --json
  equal "$(jq -c . <<<"$output")" '{"vms":[]}'
  run -0 sandbox ls
  says "No sandboxes"
  run -0 --separate-stderr sandbox ls -q
  equal "$output" ""
  sandbox daemon stop
}

# bats test_tags=once
@test "completions are printed for three shells and are valid for those installed" {
  sandbox completion bash | bash -n
  for shell in zsh fish; do
    run -0 sandbox completion "$shell"
    says sandbox
  done
}

# bats test_tags=once
@test "as a Docker CLI plugin it is docker sandbox" {
  command -v docker >/dev/null || skip "the docker client is not installed"
  mkdir -p "$HOME/.docker/cli-plugins"
  ln -sfn "$SANDBOXD_BIN/sandbox" "$HOME/.docker/cli-plugins/docker-sandbox"
  equal "$(docker sandbox version)" "$(sandbox version)"
  equal "$(docker sandbox ls -q)" "$(sandbox ls -q)"
  run -5 docker sandbox exec alpha sh -c 'exit 5'
  run -0 docker sandbox exec -e A=1 alpha sh -c 'echo $A'
  equal "$output" 1
}

# bats test_tags=once
@test "help is there for every command, and wrong words are pointed out" {
  run -0 sandbox --help
  for command in run create exec ls stop start rm reset inspect version cp logs ports network daemon diagnose completion; do
    says "$command"
    run -0 sandbox "$command" --help
    says Usage
    run -0 sandbox --help
  done
  run -2 --separate-stderr sandbox lss
  is_error lss
}
