#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The secret store by its commands: what the seeds type works as written, an error is never taken for a value, what was
# changed on the disk is found, and no value is anywhere but, encrypted, in the store.

load world

setup() {
  STORE=$SANDBOXES_HOME/secrets
  sandbox daemon stop 2>/dev/null || true
  rm -rf "$STORE"
}

secrets() { timeout --foreground 60 "$SANDBOXD_BIN/secrets" "$@" 3>&-; }
secret() { sandbox secret "$@"; }

# --- the seeds' lines ------------------------------------------------------------------------------------------------

@test "the seeds' lines work as written" {
  secrets add claude_setup_token --value "sk-ant-oat01-seed"
  TOKEN=$(secrets lease claude_setup_token --ttl 1h --raw)
  equal "$TOKEN" sk-ant-oat01-seed
  secrets add codex_auth_json --value "$(printf '{\n "tokens": {"access_token": "t"}\n}')"
  equal "$(secrets lease codex_auth_json --raw)" $'{\n "tokens": {"access_token": "t"}\n}'
  run -0 secrets status
  says "$STORE"
  run -0 secrets
  says "Usage:  sandbox secret COMMAND"
}

@test "an error under --raw is on standard error, with an exit code, and nothing is on standard output" {
  run -125 --separate-stderr secrets lease nothing --raw
  equal "$output" ""
  is_error "no secret nothing"
  secrets add a --value v >/dev/null
  run -2 --separate-stderr secrets lease a --ttl 25h --raw
  equal "$output" ""
  is_error "24 hours"
  run -2 --separate-stderr secrets lease a --ttl soon --raw
  equal "$output" ""
}

# --- values ----------------------------------------------------------------------------------------------------------

@test "a value comes by standard input whole, from a file, or as an argument" {
  printf 'line 1\nline 2\n\n  line 4\n' | secret add lines
  equal "$(secret lease lines --raw; echo .)" $'line 1\nline 2\n\n  line 4.'
  printf 'of a file\n' >"$WORLD/value"
  secret add file --file "$WORLD/value"
  equal "$(secret lease file --raw)" "of a file"
  secret add argument --value ' with spaces '
  equal "$(secret lease argument --raw)" ' with spaces '
  run -2 --separate-stderr secret add none </dev/null
  is_error "empty"
  run -2 --separate-stderr sandbox secret add binary < <(printf '\xff\xfe')
  is_error "UTF-8"
  run -0 secret ls --json
  equal "$(jq -r '[.secrets[].name] | join(" ")' <<<"$output")" "lines file argument"
  says_not "of a file"
}

@test "one of a name that is there is overwritten only with --update" {
  secret add a --value 1
  run -125 --separate-stderr secret add a --value 2
  is_error "already"
  says "--update" "$stderr"
  equal "$(secret lease a --raw)" 1
  secret add a --value 2 --update
  equal "$(secret lease a --raw)" 2
  secret rm a
  run -125 --separate-stderr secret lease a --raw
  is_error "no secret a"
}

@test "on a terminal the value is asked for and not shown" {
  run -0 python3 - "$SANDBOXD_BIN/sandbox" <<'PYTHON'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["sandbox", "secret", "add", "typed"])
shown = b""
while b"Value of typed: " not in shown:
    shown += os.read(terminal, 1024)
os.write(terminal, b"sk-typed\n")
try:
    while piece := os.read(terminal, 1024):
        shown += piece
except OSError:
    pass
print(shown.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PYTHON
  says_not sk-typed
  equal "$(secret lease typed --raw)" sk-typed
}

# --- leases ----------------------------------------------------------------------------------------------------------

@test "leases are listed, revoked and over by their time" {
  secret add a --value v
  id=$(secret lease a --ttl 1h --client-id ci --json | jq -r .lease_id)
  secret lease a --ttl 2s --raw >/dev/null
  run -0 secret leases --json
  equal "$(jq '.leases | length' <<<"$output")" 2
  expired() { secret leases --json | jq -e '.leases | length == 1' >/dev/null; }
  eventually expired
  audited() { secret audit --json | jq -e '.entries[] | select(.action == "lease_expire")' >/dev/null; }
  eventually audited
  equal "$(secret leases --json | jq -r '.leases[0].client_id')" ci
  secret revoke "$id"
  run -125 --separate-stderr secret revoke "$id"
  is_error "no lease"
  secret lease a --raw >/dev/null
  run -0 secret revoke --all
  says "Revoked 1 lease"
  equal "$(secret leases --json | jq '.leases | length')" 0
}

@test "all of it is there after the daemon was restarted, and after it was killed" {
  secret add a --value v
  id=$(secret lease a --json | jq -r .lease_id)
  sandbox daemon restart
  equal "$(secret lease a --raw)" v
  kill -9 "$(sandbox daemon status --json | jq .pid)"
  equal "$(secret leases --json | jq -r '.leases[0].lease_id')" "$id"
  run -0 secret audit --verify
  says "intact"
}

# --- the disk --------------------------------------------------------------------------------------------------------

@test "wrong permissions and owners are refused with what to type" {
  secret add a --value v
  equal "$(stat -c %a "$STORE" "$STORE/key" "$STORE/store" "$STORE/audit.log" | tr '\n' ' ')" "700 600 600 600 "
  chmod 644 "$STORE/key"
  run -125 --separate-stderr secret lease a --raw
  equal "$output" ""
  is_error "has the permissions 644"
  says "try: chmod 600 $STORE/key" "$stderr"
  run -1 secret status
  says "chmod 600 $STORE/key"
  chmod 600 "$STORE/key"
  chmod 755 "$STORE"
  run -125 --separate-stderr secret ls
  says "try: chmod 700 $STORE" "$stderr"
  chmod 700 "$STORE"
  chown nobody "$STORE/store"
  run -125 --separate-stderr secret ls
  is_error "belongs to another user"
  chown root "$STORE/store"
  equal "$(secret lease a --raw)" v
}

@test "a line of the audit log that was changed, is missing or was cut off is named" {
  secret add a --value v
  for _ in 1 2 3; do secret lease a --raw >/dev/null; done
  run -0 secret audit --verify
  says "4 lines"
  cp -p "$STORE/audit.log" "$WORLD/audit.log"
  sed -i '2s/"a"/"b"/' "$STORE/audit.log"
  run -1 --separate-stderr secret audit --verify
  is_error "line 2 was changed"
  cp -p "$WORLD/audit.log" "$STORE/audit.log"
  sed -i 3d "$STORE/audit.log"
  run -1 --separate-stderr secret audit --verify
  is_error "line 3"
  cp -p "$WORLD/audit.log" "$STORE/audit.log"
  sed -i '$d' "$STORE/audit.log"
  sandbox daemon restart
  run -1 --separate-stderr secret audit --verify
  is_error "line 4 is missing"
  run -1 secret audit --verify --json
  equal "$(jq -c '[.intact, .problem]' <<<"$output")" '[false,4]'
  cp -p "$WORLD/audit.log" "$STORE/audit.log"
  run -0 secret audit --verify
}

@test "a full disk during add loses nothing" {
  secret add a --value v
  sandbox daemon stop
  # A file system of its own, with the store on it, that only this test's processes see.
  run -0 unshare -m bash -euc '
    store=$1 sandbox=$2
    cp -a "$store" "$store.before"
    mount -t tmpfs -o size=128k,mode=700 tmpfs "$store"
    cp -a "$store.before/." "$store/"
    "$sandbox" daemon start
    dd if=/dev/zero of="$store/filler" bs=4k 2>/dev/null || true
    head -c 20000 /dev/zero | tr "\0" x >"$store.before/large"
    ! "$sandbox" secret add b --file "$store.before/large" 2>/tmp/error.$$ || exit 9
    grep -q "No space left" /tmp/error.$$
    rm "$store/filler" /tmp/error.$$
    [ "$("$sandbox" secret lease a --raw)" = v ]
    "$sandbox" secret add b --file "$store.before/large" >/dev/null
    "$sandbox" secret audit --verify
    "$sandbox" daemon stop
  ' full "$STORE" "$SANDBOXD_BIN/sandbox"
  says intact
}

# --- programs of the host's ------------------------------------------------------------------------------------------

@test "exec and env give a program of the host's what .secrets.json asks for" {
  project=$WORLD/project
  mkdir -p "$project/below"
  cat >"$project/.secrets.json" <<'JSON'
{"secrets": [{"name": "github", "env_var": "GITHUB_TOKEN", "ttl": "10m"}, {"name": "a", "env_var": "A", "ttl": 60000000000}],
 "client_id": "my-project"}
JSON
  cd "$project/below"
  run -125 --separate-stderr secret exec -- true
  is_error "no secret github"
  secret add github --value "it's"
  secret add a --value v
  run -7 secret exec -- sh -c 'echo "$GITHUB_TOKEN $A $PWD"; exit 7'
  equal "$output" "it's v $project"
  equal "$(secret leases --json | jq '.leases | length')" 0
  run -0 secret audit --json
  says my-project
  secret env
  equal "$(stat -c %a "$project/.env")" 600
  equal "$(set -a; . "$project/.env"; echo "$GITHUB_TOKEN $A")" "it's v"
  grep -q '^# secrets-managed: true$' "$project/.env"
  secret env  # its own file is written again
  echo mine >"$project/.env"
  run -125 --separate-stderr secret env
  is_error "not made by this command"
  equal "$(cat "$project/.env")" mine
}

@test "a .secrets.json that a sandbox can write is shown, and not obeyed unless it is trusted" {
  secret add a --value v
  box writer
  echo '{"secrets": [{"name": "a", "env_var": "A"}]}' >"$WORLD/ws-writer/.secrets.json"
  mkdir "$WORLD/ws-writer/below"
  cd "$WORLD/ws-writer/below"
  run -125 --separate-stderr secret exec -- sh -c 'echo "ran with $A"'
  is_error "sandbox writer would decide"
  says "secret a as A" "$stderr"
  equal "$output" ""
  run -0 --separate-stderr secret exec --trust-file -- sh -c 'echo "ran with $A"'
  equal "$output" "ran with v"
  says "secret a as A" "$stderr"
  # What a shell runs before the command is refused in any case.
  echo '{"secrets": [{"name": "a", "env_var": "BASH_ENV"}]}' >"$WORLD/ws-writer/.secrets.json"
  run -2 --separate-stderr secret exec --trust-file -- bash -c true
  is_error "BASH_ENV is a variable that programs take orders from"
  sandbox rm writer >/dev/null
}

@test "env writes no secrets where a sandbox would read them" {
  secret add a --value v
  box reader
  echo '{"secrets": [{"name": "a", "env_var": "A"}]}' >"$WORLD/ws-reader/.secrets.json"
  cd "$WORLD/ws-reader"
  run -125 --separate-stderr secret env
  is_error "sandbox reader sees"
  [[ ! -e $WORLD/ws-reader/.env ]]
  sandbox rm reader >/dev/null
}

# --- bindings --------------------------------------------------------------------------------------------------------

@test "bindings are made, listed and taken back" {
  secret add work --value v
  run -125 --separate-stderr secret bind nothing --service github
  is_error "no secret nothing"
  run -2 --separate-stderr secret bind work
  is_error "needs a service"
  run -2 --separate-stderr secret bind work --service gitbub
  says "anthropic" "$stderr"
  run -2 --separate-stderr secret bind work --host '*.example.com' --header 'X-Key: {}'
  is_error "not the exact name"
  run -2 --separate-stderr secret bind work --host example.com --header 'Host: {}'
  is_error "cannot carry a secret"
  run -125 --separate-stderr secret bind work --service github --sandbox nothing
  is_error 'sandbox "nothing" not found'
  id=$(secret bind work --host example.com --header 'X-Key: Token {}' --env WORK_KEY --json | jq -r .id)
  run -125 --separate-stderr secret bind work --host example.com --header 'x-key: {}'
  is_error "$id has that already"
  secret bind work --service github
  run -0 secret bindings
  says "X-Key at example.com"
  secret unbind "$id"
  equal "$(secret bindings --json | jq -r '.bindings[].service')" github
  secret unbind work
  run -0 secret bindings --json
  equal "$(jq '.bindings | length' <<<"$output")" 0
}

# --- nowhere ---------------------------------------------------------------------------------------------------------

@test "no value is on the disk, in the daemon's environment, in a log or in a list" {
  value=sk-test-$(openssl rand -hex 16)
  encoded=$(printf %s "$value" | base64 -w0)
  printf %s "$value" | secret add anthropic
  sandbox daemon stop
  OPENAI_API_KEY=$value sandbox daemon start
  box holder
  sandbox exec holder env >"$WORLD/guest-env"
  secret lease anthropic --raw >/dev/null
  run -125 --separate-stderr secret add anthropic --value "$value"
  echo "$output$stderr" >"$WORLD/refused"
  secret bind anthropic --host example.com --header 'X-Key: {}'
  daemon=$(sandbox daemon status --json | jq .pid)
  tr '\0' '\n' <"/proc/$daemon/environ" >"$WORLD/daemon-environment"
  { sandbox inspect holder; secret ls --json; secret bindings --json; secret audit --json; secret status --json; secret leases --json
    sandbox network check holder https://api.anthropic.com/; } >"$WORLD/shown"
  for pid in $(world_processes); do tr '\0' ' ' <"/proc/$pid/cmdline"; tr '\0' ' ' <"/proc/$pid/environ"; done >"$WORLD/processes" 2>/dev/null
  for word in "$value" "$encoded"; do
    run -1 grep -rlF --exclude-dir=templates -- "$word" "$SANDBOXES_HOME" "$WORLD/shown" "$WORLD/guest-env" "$WORLD/refused" \
      "$WORLD/daemon-environment" "$WORLD/processes"
  done
  grep -q '^ANTHROPIC_API_KEY=proxy-managed$' "$WORLD/guest-env"
  grep -q '^OPENAI_API_KEY=proxy-managed$' "$WORLD/guest-env"
  says '"source": "variable OPENAI_API_KEY of the daemon"' "$(cat "$WORLD/shown")"
  says 'credential: anthropic (secret anthropic)' "$(cat "$WORLD/shown")"
  # An undumpable process' files in /proc are root's, whoever runs it; here it is the flag that tells.
  sandbox save holder saved:1 >/dev/null
  sandbox template save -o "$WORLD/saved.tar" saved:1
  run -1 grep -cF -- "$value" "$WORLD/saved.tar"
  sandbox rm holder >/dev/null
  sandbox template rm saved:1 >/dev/null
}

@test "a variable of the user's own wins over the placeholder, and a real key is warned of" {
  secret add anthropic --value sk-ant-api03-stored
  box own
  equal "$(sandbox exec own sh -c 'echo $ANTHROPIC_API_KEY')" proxy-managed
  run -0 --separate-stderr sandbox exec -e ANTHROPIC_API_KEY=sk-mine own sh -c 'echo $ANTHROPIC_API_KEY'
  equal "$output" sk-mine
  says "ANTHROPIC_API_KEY enters the sandbox" "$stderr"
  says_not sk-mine "$stderr"
  run -0 --separate-stderr sandbox exec -e ANTHROPIC_API_KEY=proxy-managed own true
  equal "$stderr" ""
  secret rm anthropic
  equal "$(sandbox exec own sh -c 'echo ${ANTHROPIC_API_KEY-none}')" none
  sandbox rm own >/dev/null
}
