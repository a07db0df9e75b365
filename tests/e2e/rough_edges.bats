#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What a new user meets beside the main road: each of these was a surprise to someone.

load world

setup_file() {
  world_up
  git config --global user.name 'Ann "A" Example'
  git config --global user.email ann@example.test
  git config --global credential.helper 'store --file /secret'
  box box
}

# --- names, words, options ---------------------------------------------------------------------------------------------

# bats test_tags=once
@test "run BOX -- COMMAND runs the command, and flags go to the agent" {
  run -0 --separate-stderr sandbox run box -- echo hi
  equal "$output" hi
  run -0 --separate-stderr sandbox run box -- -c 'echo $0'
  equal "$output" bash
}

# bats test_tags=once
@test "an unknown agent is the same failure with a workspace and without" {
  run -125 --separate-stderr sandbox run bogus
  is_error "invalid agent: bogus (must be one of: claude"
  run -125 --separate-stderr sandbox run bogus .
  is_error "invalid agent: bogus (must be one of: claude"
}

# bats test_tags=once
@test "an agent's name is no name of a sandbox" {
  run -2 --separate-stderr sandbox create --name shell shell "$(workspace_of box)"
  is_error "that is the name of an agent"
  says "try: --name my-shell" "$stderr"
}

# bats test_tags=once
@test "a directory whose name has no ASCII gives a readable name" {
  mkdir "$WORLD/项目"
  run -0 --separate-stderr sandbox create -q shell "$WORLD/项目"
  equal "$output" shell-workspace
  sandbox rm shell-workspace
}

# bats test_tags=container
@test "limits that cannot be meant are refused at create" {
  run -2 --separate-stderr sandbox create --name none -m 10 shell "$(workspace_of box)"
  is_error "--memory: 10 B is too little for a container"
  run -2 --separate-stderr sandbox create --name none --cpus 999 shell "$(workspace_of box)"
  is_error "--cpus: this host has"
  equal "$(status_of none)" ""
}

# bats test_tags=once
@test "options that other sandboxes have are explained, and not unknown" {
  local option
  for option in --mount-docker-socket --credentials=host; do
    run -2 --separate-stderr sandbox run "$option" shell "$(workspace_of box)"
    is_error "${option/=/ } is not supported: "
    says "try: " "$stderr"
  done
}

# bats test_tags=once
@test "an empty workspace and a quoted tilde get an answer" {
  run -2 --separate-stderr sandbox run shell ""
  is_error "the workspace is an empty text"
  local quoted="~"/project
  run -2 --separate-stderr sandbox run shell "$quoted"
  is_error "in quotes, ~ is not your home directory"
}

# bats test_tags=once
@test "hints under docker say docker sandbox" {
  ln -sf "$SANDBOXD_BIN/sandbox" "$WORLD/docker-sandbox"
  run -125 --separate-stderr "$WORLD/docker-sandbox" sandbox stop nosuch 3>&-
  says "try: docker sandbox ls" "$stderr"
  run -125 --separate-stderr "$WORLD/docker-sandbox" sandbox inspect nosuch 3>&-
  says "try: docker sandbox ls" "$stderr"
}

# bats test_tags=once
@test "rm -f of what is not there prints nothing" {
  run -0 sandbox rm -f nosuch
  equal "$output" ""
}

# bats test_tags=once
@test "ls --format json is JSON, and --size shows sizes" {
  run -0 --separate-stderr sandbox ls --format json
  equal "$(jq -r '.vms[] | select(.name == "box") | .agent' <<<"$output")" shell
  run -0 --separate-stderr sandbox ls --size
  matches 'SIZE .*'$'\n''.*box .* [0-9.]+ [kM]?B ' "$output"
  (($(inspect box .size) > 0))
}

# bats test_tags=once
@test "run -d without a terminal says what it does in lines, and prints the name" {
  mkdir -p "$WORLD/detached"
  run -0 --separate-stderr sandbox run -d shell "$WORLD/detached"
  equal "$output" shell-detached
  matches '^([^'$'\r'']*'$'\n'')*.*Created sandbox shell-detached' "$stderr"
  sandbox rm shell-detached
}

# bats test_tags=once
@test "stop -t says how long programs may take" {
  mkdir -p "$WORLD/ws-slow"
  box slow
  sandbox exec -d slow sh -c 'trap "sleep 3; echo ended in order >>\"$WORKSPACE_DIR/log\"; exit" TERM; : >"$WORKSPACE_DIR/ready"; while :; do sleep 0.1; done'
  eventually test -e "$WORLD/ws-slow/ready"
  sandbox stop -t 30 slow
  equal "$(cat "$WORLD/ws-slow/log")" "ended in order"
  run -2 --separate-stderr sandbox stop -t soon slow
  is_error "--time soon"
  sandbox rm slow
}

@test "cp to a relative path is relative to the working directory" {
  echo content >"$WORLD/file"
  sandbox cp "$WORLD/file" box:copied
  equal "$(cat "$(workspace_of box)/copied")" content
  sandbox cp box:copied "$WORLD/back"
  equal "$(cat "$WORLD/back")" content
}

# bats test_tags=once
@test "setup fetches the kernel for microVMs and then checks the host" {
  cp -r "$SANDBOXD_BIN" "$WORLD/bin"
  printf '#!/bin/sh\necho fetched >"%s"\n' "$WORLD/fetched" >"$WORLD/bin/fetch-kernel"
  run "$WORLD/bin/sandbox" setup 3>&-
  equal "$(cat "$WORLD/fetched")" fetched
  says "runc"
  cmp "$SANDBOXD_BIN/fetch-kernel" "$kSource/packages/kernel"
  printf '#!/bin/sh\nexit 1\n' >"$WORLD/bin/fetch-kernel"
  run -125 "$WORLD/bin/sandbox" setup 3>&-
  says "the kernel for microVMs could not be fetched"
}

# --- what the sandbox knows of the user --------------------------------------------------------------------------------

@test "git knows who commits, and no credentials" {
  run -0 sandbox exec box git config user.name
  equal "$output" 'Ann "A" Example'
  run -0 sandbox exec box sh -c 'git init -q ~/repo && cd ~/repo && git commit -q --allow-empty -m x && git log --format="%an %ae"'
  equal "$output" 'Ann "A" Example ann@example.test'
  run -1 sandbox exec box git config credential.helper
  run -0 sandbox exec box sh -c 'cd ~/repo && git config user.email mine@example.test && git commit -q --allow-empty -m y && git log -1 --format=%ae'
  equal "$output" mine@example.test
}

@test "time zone, locale and colours are the user's, and a locale that is not there is not set" {
  TZ=Asia/Tokyo LC_ALL=C.UTF-8 run -0 sandbox exec box sh -c 'date +%Z; echo $LC_ALL'
  equal "$output" JST$'\n'C.UTF-8
  TZ='' LC_ALL=xx_XX.UTF-8 run -0 sandbox exec box sh -c 'echo "[$LC_ALL] $LANG"'
  equal "$output" "[] C.UTF-8"
  run -0 sandbox exec box printenv NODE_USE_ENV_PROXY || true
  equal "$output" ""
}

@test "a git worktree works, and its repository's hooks and config cannot be written" {
  git init -q "$WORLD/main"
  git -C "$WORLD/main" commit -q --allow-empty -m first
  git -C "$WORLD/main" worktree add -q "$WORLD/tree" -b work
  chown -R 1000:1000 "$WORLD/main" "$WORLD/tree"
  run -0 --separate-stderr sandbox create --name tree shell "$WORLD/tree"
  says "Git worktree: its repository $WORLD/main/.git is mounted, too; hooks and config are read-only." "$stderr"
  run -0 sandbox exec tree sh -c 'echo x >new && git add new && git commit -q -m second && git log --format=%s'
  equal "$output" second$'\n'first
  equal "$(git -c safe.directory='*' -C "$WORLD/main" log -1 --format=%s work)" second
  # Refs that the host packs are seen, though packed-refs is replaced.
  git -c safe.directory='*' -C "$WORLD/main" pack-refs --all
  run -0 sandbox exec tree sh -c 'git log -1 --format=%s work && git branch more && git fetch -q . work:again && git status -s'
  equal "$output" second
  run sandbox exec -u root tree sh -c "echo x >$WORLD/main/.git/hooks/pre-commit"
  [[ $status != 0 && ! -e $WORLD/main/.git/hooks/pre-commit ]]
  run sandbox exec -u root tree sh -c "umount $WORLD/main/.git; echo '[a]' >>$WORLD/main/.git/config"
  [[ $status != 0 ]]
  sandbox rm tree
}

# bats test_tags=once
@test "a .git file that leads to what is no repository of this workspace is not followed" {
  mkdir -p "$WORLD/trap" "$WORLD/secret/.git/worktrees/x" "$WORLD/secret/.git/objects" "$WORLD/secret/.git/refs"
  touch "$WORLD/secret/.git/HEAD"
  echo ../.. >"$WORLD/secret/.git/worktrees/x/commondir"
  echo "$WORLD/elsewhere/.git" >"$WORLD/secret/.git/worktrees/x/gitdir"
  echo "gitdir: $WORLD/secret/.git/worktrees/x" >"$WORLD/trap/.git"
  run -0 --separate-stderr sandbox create --name trap shell "$WORLD/trap"
  says_not worktree "$stderr"
  equal "$(inspect trap '.mounts | length')" 0
  sandbox rm trap
}

# bats test_tags=once
@test "the name of a worktree's repository cannot drive the terminal" {
  local odd=$WORLD/$'odd\e]0;title\a'
  git init -q "$odd"
  git -C "$odd" commit -q --allow-empty -m first
  git -C "$odd" worktree add -q "$WORLD/odd-tree" -b work
  run -0 --separate-stderr sandbox create --name odd-tree shell "$WORLD/odd-tree"
  says "Git worktree" "$stderr"
  says_not $'\e' "$stderr"
  sandbox rm odd-tree
}

# bats test_tags=once
@test "a directory above a workspace that an agent has made a repository is not opened" {
  mkdir -p "$WORLD"/proj/{pkg,other,objects,refs,worktrees/x}
  touch "$WORLD/proj/HEAD"
  echo ../.. >"$WORLD/proj/worktrees/x/commondir"
  echo "$WORLD/proj/pkg/.git" >"$WORLD/proj/worktrees/x/gitdir"
  echo "gitdir: $WORLD/proj/worktrees/x" >"$WORLD/proj/pkg/.git"
  run -0 --separate-stderr sandbox create --name forged shell "$WORLD/proj/pkg"
  says "cannot be mounted: it has other, which is not git's" "$stderr"
  equal "$(inspect forged '.mounts | length')" 0
  run sandbox exec forged ls "$WORLD/proj/other"
  ((status != 0))
  sandbox rm forged
}

# --- network -----------------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "network check says what ssh will meet" {
  sandbox network proxy box --policy allow
  run -0 sandbox network check box github.com:22
  says "ssh and all else that is neither HTTP nor TLS: blocked; to allow it, on the host: sandbox network proxy box --allow-host github.com:22"
  sandbox network proxy box --allow-host github.com:22
  run -0 sandbox network check box github.com:22
  says_not "ssh and all else"
}

# --- ^C ----------------------------------------------------------------------------------------------------------------

# A registry that takes connections and never answers.
silent_registry() {
  python3 -c '
import socket, time
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
held = []
while True:
    held.append(listener.accept())' >"$WORLD/port" 3>&- &
  SILENT=$!
  eventually test -s "$WORLD/port"
}
# In the background of a script INT is ignored, and stays so.
with_int() { exec python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' "$@"; }

# bats test_tags=once
@test "^C in create cancels it, and nothing is left" {
  silent_registry
  mkdir -p "$WORLD/ws-never"
  (with_int "$SANDBOXD_BIN/sandbox" create --name never -t "127.0.0.1:$(cat "$WORLD/port")/x" shell "$WORLD/ws-never") \
    >"$WORLD/said" 2>&1 3>&- &
  local create=$! code=0
  eventually has_status never creating
  kill -INT "$create"
  wait "$create" || code=$?
  equal "$code" 130
  says "Cancelled: no sandbox was made" "$(cat "$WORLD/said")"
  equal "$(status_of never)" ""
  [[ ! -e $SANDBOXES_HOME/vm/never ]]
  # The name is free at once, though the registry still has not answered.
  sandbox create -q --name never shell "$WORLD/ws-never"
  sandbox rm never
  kill "$SILENT"
}

# --- an end of things --------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "prune removes what is stopped and was not used, and asks first" {
  local name
  for name in old idle busy; do box "$name"; done
  sandbox stop old idle
  run -0 sandbox prune --dry-run
  equal "$output" "idle"$'\n'"old"
  run -1 sandbox prune <<<n
  is_there old
  run -0 sandbox prune --filter until=24h -f
  is_there old
  run -0 sandbox prune --filter name=old -f
  equal "$output" old
  run -0 sandbox prune -f
  equal "$output" idle
  has_status busy running
  run -2 --separate-stderr sandbox prune --filter until=soon
  is_error "must be a time"
  sandbox rm busy
}

# bats test_tags=once
@test "a sandbox with --ttl is removed when it is that old, also by the next daemon" {
  mkdir -p "$WORLD/ws-short"
  sandbox create -q --name short --ttl 1s shell "$WORLD/ws-short"
  gone() { ! is_there short; }
  eventually gone
  sandbox create -q --name short --ttl 1s shell "$WORLD/ws-short"
  sandbox daemon stop
  eventually gone
}

@test "a sandbox with --idle-stop is stopped when nothing runs in it, and not before" {
  mkdir -p "$WORLD/ws-idle"
  sandbox create -q --name idle --idle-stop 1s shell "$WORLD/ws-idle"
  run -0 sandbox exec idle sh -c 'sleep 3; echo still here'
  equal "$output" "still here"
  eventually has_status idle stopped
  equal "$(inspect idle .idle_stop_s)" 1
  sandbox rm idle
}

# bats test_tags=once
@test "system df adds up what is there" {
  run -0 sandbox system df --json
  jq -e '.sandboxes[] | select(.name == "box") | .bytes > 0' <<<"$output"
  jq -e '.templates[] | select(.in_use) | .bytes > 1000000' <<<"$output"
  run -0 sandbox system df
  says "$SANDBOXES_HOME"
}

# bats test_tags=once
@test "reset --all leaves nothing in the home, and no template of others" {
  export SANDBOXES_HOME=$WORLD/user-all/.docker/sandboxes
  mkdir -p "$SANDBOXES_HOME"
  copy_templates "$(readlink -f "$WORLD/user/.docker/sandboxes/templates")" "$SANDBOXES_HOME/templates"
  box all
  run -1 sandbox reset --all <<<n
  has_status all running
  run -0 sandbox reset --all -f
  says "Removed $SANDBOXES_HOME"
  [[ ! -e $SANDBOXES_HOME ]]
  [[ -d $(workspace_of all) ]]
  eventually no_daemon
}

no_loop_worker() { ! pgrep -f "loop __work reset-${WORLD##*.}\$" >/dev/null; }

# bats test_tags=once
@test "reset --all ends a loop that runs, and its process does not make the home again" {
  export SANDBOXES_HOME=$WORLD/user-loops/.docker/sandboxes
  mkdir -p "$SANDBOXES_HOME" "$WORLD/loop-ws"
  chmod 700 "$SANDBOXES_HOME"
  copy_templates "$(readlink -f "$WORLD/user/.docker/sandboxes/templates")" "$SANDBOXES_HOME/templates"
  echo 'Do the work.' >"$WORLD/loop-prompt"
  sandbox loop run -d --id "reset-${WORLD##*.}" --agent shell --workspace "$WORLD/loop-ws" --prompt "$WORLD/loop-prompt" \
    -- sh -c 'touch begun; sleep 600'
  eventually test -e "$WORLD/loop-ws/begun"
  run -1 sandbox reset --all <<<n
  says "stored secrets, all loops"
  run -0 sandbox reset --all -f
  no_loop_worker
  eventually no_daemon
  [[ ! -e $SANDBOXES_HOME ]]
}
