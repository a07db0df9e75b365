#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# --ssh-agent: programs in the sandbox log in with the keys of the user's ssh-agent, at a host whose port 22 a rule allows,
# while they are connected to it; and nothing else can be had from it. The real ssh, sshd, ssh-agent and git.

load ordinary_user
load upstreams

setup_file() {
  world_up
  users_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  ssh_up_at_22
  agent_up
  box box --ssh-agent --add-host "ssh.test:$SSH_ADDRESS" --add-host "other.test:$SSH_ADDRESS"
  sandbox cp "$kSource/tests/e2e/ask_ssh_agent.py" box:/home/agent/
}

teardown_file() {
  upstreams_down
  users_down
}

setup() { policy --reset --policy deny --allow-host ssh.test:22; }

# sshd of the user's key on port 22 of an address that no other test has, and on one more port of it.
ssh_up_at_22() {
  export SSH_ADDRESS=127.78.$((RANDOM % 250 + 1)).$((RANDOM % 250 + 1))
  ssh-keygen -q -t ed25519 -N '' -f "$UPSTREAMS/host_key"
  ssh-keygen -q -t ed25519 -N '' -C secret-comment -f "$UPSTREAMS/key"
  mkdir -p /run/sshd  # sshd will not start without
  cat >"$UPSTREAMS/sshd_config" <<SSHD
ListenAddress $SSH_ADDRESS:22
ListenAddress $SSH_ADDRESS:2222
HostKey $UPSTREAMS/host_key
AuthorizedKeysFile $UPSTREAMS/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
SSHD
  /usr/sbin/sshd -D -e -f "$UPSTREAMS/sshd_config" </dev/null >"$UPSTREAMS/sshd.log" 2>&1 3>&- &
  remember_upstream $!
  eventually sshd_answers
}
sshd_answers() { (exec 9<>"/dev/tcp/$SSH_ADDRESS/22") 2>/dev/null; }

agent_up() {
  export SSH_AUTH_SOCK=$WORLD/agent.sock
  ssh-agent -D -a "$SSH_AUTH_SOCK" </dev/null >/dev/null 2>&1 3>&- &
  remember_upstream $!
  echo $! >"$UPSTREAMS/agent-pid"
  eventually ssh-add -q "$UPSTREAMS/key" 2>/dev/null
}
agent_down() {
  kill "$(cat "$UPSTREAMS/agent-pid")"
  eventually is_gone "$(cat "$UPSTREAMS/agent-pid")"
}

guest_ssh() {
  guest ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR \
    -o "ConnectTimeout=$kPatience" "$@"
}
attack() { guest python3 /home/agent/ask_ssh_agent.py "$1" ssh.test; }
signatures() { sandbox secret audit --json | jq -c '[.entries[] | select(.action == "ssh_sign")]'; }
key_fingerprint() { ssh-keygen -lf "$UPSTREAMS/key.pub" | cut -d' ' -f2; }
signer_pid() { pgrep -P "$(shim_pid_of box)" -x sandbox-signer; }

@test "ssh and git log in with the user's key, and each use is in the audit log" {
  run -0 guest_ssh root@ssh.test echo in
  equal "$output" in
  git init -q -b main "$WORLD/source"
  git -C "$WORLD/source" -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m first
  run -0 sandbox exec -e GIT_SSH_COMMAND='ssh -oStrictHostKeyChecking=no -oUserKnownHostsFile=/dev/null -oLogLevel=ERROR' \
    box git ls-remote "ssh://root@ssh.test$WORLD/source"
  says refs/heads/main
  equal "$(signatures | jq length)" 2
  run -0 sandbox secret audit --json
  equal "$(signatures | jq -r '.[0] | .client_id + ": " + .details')" \
    "box: key $(key_fingerprint) for root at ssh.test, host key $(ssh-keygen -lf "$UPSTREAMS/host_key.pub" | cut -d' ' -f2)"
  sandbox secret audit --verify
  equal "$(inspect box .features.ssh_agent)" "$SSH_AUTH_SOCK"
}

@test "keys are listed, without what the user calls them; nothing about them can be changed" {
  run -0 guest ssh-add -l
  says "$(key_fingerprint)"
  says_not secret-comment
  guest ssh-keygen -q -t ed25519 -N '' -f /home/agent/own
  run ! guest ssh-add -q /home/agent/own
  run ! guest ssh-add -D
  run ! guest ssh-add -d /home/agent/own
  run ! guest sh -c 'printf "word\nword\n" | SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=/bin/echo ssh-add -x'
  run ! guest ssh-add -s /usr/lib/x86_64-linux-gnu/libc.so.6
  equal "$(attack messages)" "messages: 5"
  run -0 ssh-add -l
  equal "$(wc -l <<<"$output")" 1
  says "$(key_fingerprint)"
}

@test "a login is signed for the session that is open at an allowed host's port 22, and for nothing else" {
  run -0 attack replay
  equal "$output" 'the same login: 6 14
without saying where: 5
a server that asks: 6 5 5
another session: 5 5
another session after: 6 5
no login: 6 5 5 5 5
when it is closed: 5 5
while another is open: 5 5
while another is logged in: 5 5'
}

@test "a host of which no rule names the port 22 is not one, nor is another port" {
  policy --allow-host ssh.test:2222
  run ! guest_ssh -p 2222 root@ssh.test true
  run ! guest_ssh root@other.test true
  policy --reset --allow-host other.test
  run ! guest_ssh root@other.test true
}

# told NUMBER: how many lines there are
told() { (($(wc -l <"$WORLD/told") >= $1)); }
start_waiting() {
  : >"$WORLD/told"
  mkfifo -m 600 "$WORLD/go.$1"
  sandbox exec -i box python3 /home/agent/ask_ssh_agent.py waiting ssh.test <"$WORLD/go.$1" >"$WORLD/told" &
  exec 7>"$WORLD/go.$1"
  eventually told 1
}

@test "after a change of the policy nothing is signed any more" {
  start_waiting policy
  echo go >&7
  eventually told 2
  policy --block-host ssh.test:22
  echo go >&7
  eventually told 3
  exec 7>&-
  equal "$(cat "$WORLD/told")" $'logged in:\nagain: 6 14\nagain: 5 5'
  run ! guest_ssh root@ssh.test true
}

@test "git signs no commit with it" {
  guest sh -c "echo '$(cat "$UPSTREAMS/key.pub")' >~/key.pub"
  run ! guest sh -c 'echo commit | ssh-keygen -Y sign -f ~/key.pub -n git'
  says_not SIGNATURE
}

@test "it is for the agent's user, and for a sandbox that asked for it" {
  run ! sandbox exec -u nobody box ssh-add -l
  says "Permission denied"
  box plain
  equal "$(sandbox exec plain sh -c 'echo "$SSH_AUTH_SOCK"; ls /run/sandbox/ssh-agent.sock 2>/dev/null || true')" ""
  equal "$(pgrep -P "$(shim_pid_of plain)" -x sandbox-signer || true)" ""
  sandbox rm plain >/dev/null
}

@test "a flood of connections and large messages harms nothing else" {
  equal "$(attack flood)" "flood: 12"
  run -0 guest_ssh root@ssh.test echo in
  equal "$output" in
}

@test "the signer has no file, no right and no other socket, and its end ends the agent only" {
  local pid link
  pid=$(signer_pid)
  equal "$(status_line "$pid" CapEff)" 0000000000000000
  equal "$(status_line "$pid" Seccomp)" 2
  equal "$(ls -A "/proc/$pid/root/")" ""
  for link in /proc/"$pid"/fd/*; do
    matches '^(/dev/null|socket:.*|anon_inode:\[eventpoll\]|.*/shim.log)$' "$(readlink "$link")"
  done
  kill -9 "$pid"
  eventually is_gone "$pid"
  run ! guest ssh-add -l
  run ! guest_ssh root@ssh.test true
  guest true
  sandbox stop box >/dev/null
  run -0 guest_ssh root@ssh.test echo in
}

@test "without a daemon nothing is signed, because it would not be noted; with the next one it is" {
  local before
  start_waiting daemon
  before=$(signatures | jq length)
  kill -9 "$(daemon_pid)"
  eventually no_daemon
  echo go >&7
  eventually told 2
  equal "$(tail -1 "$WORLD/told")" "again: 6 5"
  guest true
  echo go >&7
  eventually told 3
  exec 7>&-
  equal "$(tail -1 "$WORLD/told")" "again: 6 14"
  equal "$(signatures | jq length)" $((before + 1))
  sandbox secret audit --verify
}

@test "an agent that was started again is found by the next exec" {
  agent_down
  run ! guest ssh-add -l
  agent_up
  run -0 guest_ssh root@ssh.test echo in
}

@test "what cannot be the user's agent is refused at once" {
  mkdir -p "$WORLD/ws-new"
  run ! env -u SSH_AUTH_SOCK "$SANDBOXD_BIN/sandbox" create --name new --ssh-agent shell "$WORLD/ws-new"
  says "SSH_AUTH_SOCK is not set"
  touch "$WORLD/file"
  SSH_AUTH_SOCK=$WORLD/file run ! sandbox create --name new --ssh-agent shell "$WORLD/ws-new"
  says "that is no socket"
  python3 -c 'import os, socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); os.chown(sys.argv[1], 65534, 65534)' "$WORLD/others.sock"
  SSH_AUTH_SOCK=$WORLD/others.sock run ! sandbox create --name new --ssh-agent shell "$WORLD/ws-new"
  says "it belongs to another user"
  mkdir -p "$WORLD/ws-new/run"
  ssh-agent -D -a "$WORLD/ws-new/run/agent.sock" </dev/null >/dev/null 2>&1 3>&- &
  local agent=$!
  eventually test -S "$WORLD/ws-new/run/agent.sock"
  SSH_AUTH_SOCK=$WORLD/ws-new/run/agent.sock run ! sandbox create --name new --ssh-agent shell "$WORLD/ws-new"
  says "can write to its directory"
  kill "$agent"
  run ! is_there new
}

# bats test_tags=once
@test "as uid 4242: the same, with that user's agent" {
  make_user 4242
  local socket=$WORLD/user-4242/agent.sock
  with_agent() { as_user 4242 env SSH_AUTH_SOCK="$socket" timeout 120 "$@"; }
  remember_upstream "$(as_user 4242 ssh-agent -a "$socket" | sed -n 's/.*SSH_AGENT_PID=\([0-9]*\).*/\1/p')"
  install -m 600 -o 4242 "$UPSTREAMS/key" "$WORLD/user-4242/key"
  with_agent ssh-add -q "$WORLD/user-4242/key"
  with_agent "$SANDBOXD_BIN/sandbox" create -q --name theirs --ssh-agent --add-host "ssh.test:$SSH_ADDRESS" shell "$(workspace_for 4242)" >/dev/null
  as 4242 network proxy theirs --policy deny --allow-host ssh.test:22 >/dev/null
  run -0 as 4242 exec theirs ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
    -o LogLevel=ERROR root@ssh.test echo in
  equal "$output" in
  equal "$(as 4242 secret audit --json | jq '[.entries[] | select(.action == "ssh_sign")] | length')" 1
}
