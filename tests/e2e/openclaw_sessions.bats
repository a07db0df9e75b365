#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Sessions of OpenClaw, by its configuration: where a command runs, which tools it has, and that the limits hold. The
# sessions are of people who need not be trusted: their keys and commands are hostile.

load registry

kGroup=agent:main:telegram:group:42

setup_file() {
  world_up
  own_templates
}

setup() {
  CONFIG=$WORLD/openclaw-$BATS_TEST_NUMBER.json5
  config '{ mode: "non-main" }'
}

teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
  openclaw cleanup >/dev/null 2>&1 || true
}

# config TEXT: agents.defaults.sandbox.
config() { echo "{ agents: { defaults: { sandbox: $1, }, }, }  // of a test" >"$CONFIG"; }
openclaw() { sandbox openclaw "$@"; }
# in_session KEY [FLAG...] -- COMMAND...
in_session() { openclaw exec --config "$CONFIG" "$@"; }
explained() { openclaw explain --config "$CONFIG" --json "$1" | jq -r "$2"; }

@test "a group's command runs in a sandbox of its own, and the main session's loudly on this host" {
  run -0 --separate-stderr in_session "$kGroup" -- sh -c 'id -un; pwd; echo err >&2; exit 0'
  equal "$output" $'agent\n/workspace'
  says err "$stderr"
  run -0 --separate-stderr in_session main -- sh -c 'id -u; echo "$WORLD"'
  equal "$output" "0"$'\n'"$WORLD"
  says "HOST MODE" "$stderr"
  says "the main session" "$stderr"
  run -0 openclaw logs --config "$CONFIG" --tail 2 main
  matches "^$WORLD"$'\n''=== .* ended with 0 after'
  run -7 in_session "$kGroup" -- sh -c 'exit 7'
  # What one session writes, another does not see.
  in_session "$kGroup" -- sh -c 'echo mine >note; echo mine >/home/agent/note'
  run -1 in_session agent:main:discord:channel:1 -- sh -c 'cat note /home/agent/note'
  equal "$(in_session "$kGroup" -- cat note)" mine
  run -0 openclaw status
  matches "$kGroup +running +openclaw-sbx-agent-main-telegram"
  equal "$(openclaw status --json | jq '.sessions | length')" 2
}

@test "several commands of a session at once make one sandbox" {
  local i jobs=()
  for i in 1 2 3 4; do in_session "$kGroup" -- sh -c "echo $i >done-$i" & jobs+=($!); done
  for i in "${jobs[@]}"; do wait "$i"; done
  equal "$(in_session "$kGroup" -- sh -c 'cat done-*' | tr -d '\n')" 1234
  equal "$(openclaw status --json | jq '.sessions | length')" 1
}

@test "the modes all, off and none at all decide for every session" {
  config '{ mode: "all" }'
  equal "$(in_session main -- id -un)" agent
  config '{ mode: "off" }'
  run -0 --separate-stderr in_session "$kGroup" -- id -u
  equal "$output" 0
  says "HOST MODE" "$stderr"
  config '{ }'
  equal "$(explained main .sandboxed)" true
  run -125 --separate-stderr openclaw exec --config "$WORLD/nowhere.json5" main -- id
  is_error "No such file"
}

@test "a tool that is denied is refused with the rule, and is in the log" {
  run -125 --separate-stderr in_session "$kGroup" --tool browser -- touch "$WORLD/touched"
  is_error "tool browser is denied in session $kGroup: agents.defaults.sandbox.tools.deny (default) has browser"
  config '{ mode: "all", tools: { allow: ["read"], deny: ["group:runtime"] } }'
  run -125 --separate-stderr in_session "$kGroup" -- true
  is_error "agents.defaults.sandbox.tools.deny has group:runtime"
  run -125 --separate-stderr in_session "$kGroup" --tool write -- true
  is_error "tools.allow does not have it"
  run -0 in_session "$kGroup" --tool read -- echo fine
  run -0 openclaw logs "$kGroup"
  says "browser refused: agents.defaults.sandbox.tools.deny (default) has browser"
  says "fine"
  [[ ! -e $WORLD/touched ]]
}

@test "network: false is no network, and an allowlist is those hosts and no others" {
  config '{ mode: "all", network: false }'
  in_session "$kGroup" -- true
  local name
  run ! in_session "$kGroup" -- curl -sSf --max-time 20 http://example.com/
  run ! in_session "$kGroup" -- curl -sSf --max-time 20 -k https://192.0.2.1/
  run ! in_session "$kGroup" -- bash -c 'exec 3<>/dev/tcp/192.0.2.1/22 && head -c 1 <&3 | grep -q .'
  name=$(explained "$kGroup" .sandbox.name)
  run -1 sandbox network check "$name" http://example.com/
  run -1 sandbox network check "$name" 1.1.1.1:443
  # By hand or by the last configuration: what holds is the configuration.
  sandbox network proxy "$name" --allow-host example.com >/dev/null
  in_session "$kGroup" -- true
  run -1 sandbox network check "$name" http://example.com/
  config '{ mode: "all", network: { allowlist: ["api.example.com"] } }'
  in_session "$kGroup" -- true
  run -0 sandbox network check "$name" https://api.example.com/
  run -1 sandbox network check "$name" https://cdn.example.com/
}

@test "limits hold: memory, the size of /tmp, and a time that ends the whole process tree" {
  config '{ mode: "all", resources: { memory: "256m", cpus: "1", timeout: 300 }, tmpDir: { size: "8m", persist: false } }'
  run in_session "$kGroup" -- sh -c 'df -k --output=size /tmp | tail -n 1; dd if=/dev/zero of=/tmp/big bs=1M count=16 2>&1'
  says 8192
  says "No space left"
  equal "$(in_session "$kGroup" -- sh -c 'stat -c %s /tmp/big; rm /tmp/big')" 8388608
  local name
  name=$(explained "$kGroup" .sandbox.name)
  equal "$(inspect "$name" .limits.memory)" 268435456
  # Sessions of their own, ignored signals and orphans do not help.
  run -124 --separate-stderr in_session "$kGroup" --timeout 10s -- sh -c \
    'trap "" TERM HUP; setsid sh -c "trap \"\" TERM; sleep 600" & (setsid sleep 601 &); sleep 602'
  says "it was ended after 10 s" "$stderr"
  run -1 sandbox exec "$name" pgrep sleep
  run -125 --separate-stderr in_session "$kGroup" --timeout 1h -- true
  is_error "the configuration allows 300 s"
}

@test "on this host, too, a time limit ends all that was started" {
  config '{ mode: "off", resources: { timeout: 10 } }'
  run -124 --separate-stderr in_session main -- sh -c \
    "echo \$\$ >$WORLD/first; (setsid sh -c 'echo \$\$ >$WORLD/second; trap \"\" TERM; sleep 600' &); sleep 600"
  [[ -s $WORLD/first && -s $WORLD/second ]]
  eventually is_gone "$(cat "$WORLD/first")"
  eventually is_gone "$(cat "$WORLD/second")"
}

@test "who ends what watches over a command ends the sandbox with it" {
  config '{ mode: "all" }'
  run --separate-stderr in_session "$kGroup" -- sh -c 'setsid sleep 600 & pkill -KILL ralph || kill -9 $PPID; sleep 600'
  ((status != 0))
  says "the command's supervisor was killed, so processes may be left: stopping sandbox " "$stderr"
  eventually has_status "$(explained "$kGroup" .sandbox.name)" stopped
}

@test "mounts: read only holds, ~ is the home, and neither system directories nor links to them are shared" {
  mkdir -p "$HOME/projects"
  echo data >"$HOME/projects/file"
  config '{ mode: "all", mounts: [ { source: "~/projects", target: "/workspace", readonly: true } ] }'
  equal "$(in_session "$kGroup" -- cat file)" data
  run ! in_session "$kGroup" -- sh -c 'echo x >/workspace/file'
  equal "$(cat "$HOME/projects/file")" data
  local source
  for source in / /etc /proc /var/run/docker.sock \~ \~/.ssh \~/projects/../.docker; do
    config "{ mode: 'all', mounts: [ { source: '$source', target: '/x', readonly: true } ] }"
    run -125 --separate-stderr in_session "$kGroup" -- true
    is_error "is not given to a session"
  done
  ln -sfn /etc "$HOME/projects/innocent"
  config '{ mode: "all", mounts: [ { source: "~/projects/innocent", target: "/x", readonly: true } ] }'
  run -125 --separate-stderr in_session "$kGroup" -- true
  is_error "/etc is not given to a session"
}

@test "scope: an agent's sessions share a sandbox, or all sessions do" {
  config '{ mode: "all", scope: "agent" }'
  in_session agent:work:one -- sh -c 'echo mine >note'
  equal "$(in_session agent:work:two -- cat note)" mine
  run -1 in_session agent:home:one -- cat note
  equal "$(openclaw status --json | jq -rc '[.sessions[].session] | sort')" '["agent:home","agent:work"]'
  openclaw cleanup >/dev/null
  config '{ mode: "all", scope: "shared" }'
  in_session agent:work:one -- sh -c 'echo all >note'
  equal "$(in_session agent:home:one -- cat note)" all
  equal "$(openclaw status --json | jq -rc '[.sessions[].session]')" '["shared"]'
}

@test "workspaceAccess: the agent's files are read at /agent, or are the workspace, or are not there" {
  mkdir -p "$HOME/claw"
  echo data >"$HOME/claw/file"
  access() { echo "{ agents: { defaults: { workspace: '~/claw', sandbox: { mode: 'all', workspaceAccess: '$1' } } } }" >"$CONFIG"; }
  access none
  run -1 in_session "$kGroup" -- sh -c 'cat /agent/file || cat file'
  access ro
  equal "$(in_session "$kGroup" -- cat /agent/file)" data
  run ! in_session "$kGroup" -- sh -c 'echo x >/agent/file'
  in_session "$kGroup" -- sh -c 'echo mine >file'
  equal "$(cat "$HOME/claw/file")" data
  access rw
  equal "$(in_session "$kGroup" -- sh -c 'cat file; echo changed >file')" data
  equal "$(cat "$HOME/claw/file")" changed
}

@test "baseImage is the template of a session, and tmpDir.persist keeps /tmp over a stop" {
  sandbox template tag shell claw-tools:1 >/dev/null
  config '{ mode: "all", baseImage: "claw-tools:1", tmpDir: { persist: true } }'
  in_session "$kGroup" -- sh -c 'echo kept >/tmp/note'
  local name
  name=$(explained "$kGroup" .sandbox.name)
  equal "$(inspect "$name" .template)" claw-tools:1
  sandbox stop "$name" >/dev/null
  equal "$(in_session "$kGroup" -- cat /tmp/note)" kept
  config '{ mode: "all", tmpDir: { persist: false } }'
  in_session "$kGroup" -- sh -c 'echo lost >/tmp/note'
  sandbox stop "$name" >/dev/null
  run -1 in_session "$kGroup" -- cat /tmp/note
  config '{ mode: "all", baseImage: "127.0.0.1:1/none:1" }'
  run -125 --separate-stderr in_session "$kGroup" -- true
  is_error "none:1"
  sandbox template rm claw-tools:1 >/dev/null
}

@test "session keys are only names, whatever is in them" {
  config '{ mode: "all" }'
  local key
  for key in ../../../etc/passwd '/../main' '$(touch${IFS}'"$WORLD"'/pwned)' 'a;b|c&d' 'ключ'; do
    equal "$(in_session "$key" -- id -un)" agent
    run -0 openclaw logs -- "$key"
    says "ended with 0"
  done
  [[ ! -e $WORLD/pwned ]]
  for key in '' 'a b' $'a\nb' $'\e[31m' ' main' 'agent:../x:y'; do
    run -2 --separate-stderr in_session "$key" -- true
    is_error "ession"
  done
  # Everything of a session is in two directories that are its user's alone.
  equal "$(find "$SANDBOXES_HOME/openclaw" "$HOME/.openclaw/sandboxes" -maxdepth 0 -perm 700 | wc -l)" 2
}

@test "a configuration with a mistake runs nothing, and says where it is" {
  printf '{\n  agents: { defaults: { sandbox: { mode: "all" }, }\n  oops\n' >"$CONFIG"
  run -2 --separate-stderr in_session "$kGroup" -- true
  is_error "line 3, column 3: a comma or } is missing"
  config '{ mode: "off", netwrok: false }'
  run -2 --separate-stderr in_session main -- touch "$WORLD/ran"
  is_error "agents.defaults.sandbox.netwrok: there is no such key"
  says "try: network" "$stderr"
  [[ ! -e $WORLD/ran ]]
  # One that a sandbox can write to would let it decide what runs on the host.
  box writer
  CONFIG=$(workspace_of writer)/openclaw.json
  config '{ mode: "off" }'
  run -125 --separate-stderr in_session main -- touch "$WORLD/ran"
  is_error "sandbox writer can write to it"
  [[ ! -e $WORLD/ran ]]
  sandbox rm writer >/dev/null
}

@test "a changed configuration makes the sandbox anew; setup runs once; idle sandboxes are pruned" {
  config '{ mode: "all", docker: { setupCommand: "echo once >>/home/agent/setup", env: { A: "1" } } }'
  equal "$(in_session "$kGroup" -- sh -c 'echo $A; cat /home/agent/setup')" $'1\nonce'
  equal "$(in_session "$kGroup" -- cat /home/agent/setup)" once
  config '{ mode: "all", docker: { env: { A: "2" } } }'
  run --separate-stderr in_session "$kGroup" -- sh -c 'echo $A; ls -A /home/agent | grep -c setup'
  equal "$output" $'2\n0'
  says "the configuration has changed" "$stderr"
  local name
  name=$(explained "$kGroup" .sandbox.name)
  # A second without use is too long: of those that are stopped.
  config '{ mode: "all", prune: { idleHours: 0.0002 } }'
  sandbox stop "$name" >/dev/null
  eventually prunes "$name"
}

@test "a sandbox is pruned by what is said for its own agent, and not by another one's command" {
  cat >"$CONFIG" <<'END'
{ agents: {
    defaults: { sandbox: { mode: "all", prune: { idleHours: 1000 } } },
    list: [ { id: "main" }, { id: "hasty", sandbox: { prune: { idleHours: 0.0002 } } } ],
} }
END
  in_session agent:main:kept -- true
  in_session agent:hasty:lost -- true
  local kept lost
  kept=$(explained agent:main:kept .sandbox.name)
  lost=$(explained agent:hasty:lost .sandbox.name)
  sandbox stop "$kept" "$lost" >/dev/null
  # By a command of the hasty agent the other one's stays, and by one of the other the hasty one's goes.
  in_session agent:hasty:third -- true
  is_there "$kept"
  eventually prunes "$lost"
  is_there "$kept"
}
prunes() {
  in_session other -- true 2>"$WORLD/pruned"
  ! is_there "$1"
}

@test "input goes to the command as it comes, as much as there is, while the command speaks" {
  config '{ mode: "all", resources: { timeout: 60 } }'
  coproc talk { in_session "$kGroup" -i -- sh -c 'while read -r word; do echo "said $word"; done'; }
  local to=${talk[1]} from=${talk[0]} line
  echo one >&"$to"
  read -r line <&"$from"
  equal "$line" "said one"
  echo two >&"$to"
  read -r line <&"$from"
  equal "$line" "said two"
  exec {to}>&-
  head -c 5000000 /dev/urandom >"$WORLD/much"
  equal "$(in_session "$kGroup" -i -- cat <"$WORLD/much" | md5sum)" "$(md5sum <"$WORLD/much")"
  # One that does not read, and one that has ended, hold nothing up.
  equal "$(in_session "$kGroup" -i -- sh -c 'exec <&-; echo read nothing' <"$WORLD/much")" "read nothing"
  run -124 --separate-stderr in_session "$kGroup" -i --timeout 1s -- sleep 600 <"$WORLD/much"
}

@test "input, cleanup and the lines of the seed by the name openclaw" {
  config '{ mode: "all" }'
  equal "$(echo hello | in_session "$kGroup" -i --tool write -- sh -c 'cat >f; cat f')" hello
  equal "$(echo hello | in_session "$kGroup" -- sh -c 'cat; echo end')" end
  in_session other -- true
  ln -sfn "$SANDBOXD_BIN/sandbox" "$WORLD/openclaw"
  mkdir -p "$HOME/.openclaw"
  cp "$CONFIG" "$HOME/.openclaw/openclaw.json"
  run -0 "$WORLD/openclaw" sandbox status
  says "$kGroup"
  run -0 "$WORLD/openclaw" sandbox logs "$kGroup"
  says hello
  run -0 "$WORLD/openclaw" sandbox explain --session "$kGroup"
  says "in a sandbox: the mode is all"
  run -0 "$WORLD/openclaw" sandbox cleanup --session "$kGroup"
  matches '^openclaw-sbx-agent-main-telegram'
  equal "$(sandbox openclaw status --json | jq -r '.sessions[].session')" other
  run -125 "$WORLD/openclaw" sandbox logs "$kGroup"
  run -0 "$WORLD/openclaw" sandbox cleanup
  equal "$(sandbox openclaw status --json | jq '.sessions | length')" 0
  run -2 "$WORLD/openclaw" gateway start
  rm -r "$HOME/.openclaw/openclaw.json"
}
