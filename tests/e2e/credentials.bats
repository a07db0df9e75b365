#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Credentials at work: requests of a sandbox get the secret of their service at its hosts, and programs in the sandbox have
# a placeholder only. Each row of the service table, bindings of the user's own, changes that hold at once, and the real
# agents and git with servers that take nothing but the secret.

load ordinary_user
load upstreams

kHosts="api.anthropic.com mcp-proxy.anthropic.com api.openai.com chatgpt.com api.github.com github.com
  generativelanguage.googleapis.com api.x.ai api.groq.com api.mistral.ai openrouter.ai api.studio.nebius.com
  api2.cursor.sh ampcode.com api.factory.ai custom.test other.test"

setup_file() {
  world_up
  users_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  local names=() hosts=()
  for host in $kHosts; do names+=("DNS:$host"); done
  make_certificate services "$(IFS=,; echo "${names[*]}")"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/services.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/services.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/services.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/services-address"
  export ADDRESS
  ADDRESS=$(cat "$UPSTREAMS/services-address")
  for host in $kHosts; do hosts+=(--add-host "$host:$ADDRESS"); done
  box box "${hosts[@]}"
  local allow=()
  for host in $kHosts; do allow+=(--allow-host "$host"); done
  sandbox network proxy box --policy deny "${allow[@]}" >/dev/null
}

teardown_file() {
  upstreams_down
  users_down
}

setup() {
  : >"$UPSTREAMS/services-visits"
  for name in $(sandbox secret ls --json | jq -r '.secrets[].name'); do sandbox secret rm "$name" >/dev/null; done
}

secret() { sandbox secret "$@" >/dev/null; }
# The last visit's fields: visit .authorization
visit() { tail -1 "$UPSTREAMS/services-visits" | jq -r "$1 // \"none\""; }
code() { "$1" -o /dev/null -w '%{http_code}\n' "${@:2}"; }

# --- the table -------------------------------------------------------------------------------------------------------

# row SECRET HOST FIELD WANTED: on both paths, with and without the placeholder in the request
row() {
  local value=value-of-$1
  secret add "$1" --value "$value"
  for curl in forward_curl captured_curl; do
    equal "$1 $(code $curl "https://$2/v1/x")" "$1 200"
    equal "$1 $(visit ".\"$3\"")" "$1 ${4//VALUE/$value}"
  done
  secret rm "$1"
}

@test "each service's requests get its secret, in its field" {
  row anthropic api.anthropic.com x-api-key VALUE
  row ANTHROPIC_API_KEY mcp-proxy.anthropic.com x-api-key VALUE
  row claude_setup_token api.anthropic.com authorization "Bearer VALUE"
  row openai api.openai.com authorization "Bearer VALUE"
  row GH_TOKEN api.github.com authorization "Bearer VALUE"
  row github github.com authorization "Basic $(printf 'x-access-token:value-of-github' | base64 -w0)"
  row google generativelanguage.googleapis.com x-goog-api-key VALUE
  row xai api.x.ai authorization "Bearer VALUE"
  row groq api.groq.com authorization "Bearer VALUE"
  row mistral api.mistral.ai authorization "Bearer VALUE"
  row openrouter openrouter.ai authorization "Bearer VALUE"
  row nebius api.studio.nebius.com authorization "Bearer VALUE"
  row cursor api2.cursor.sh authorization "Bearer VALUE"
  row amp ampcode.com authorization "Bearer VALUE"
  row droid api.factory.ai authorization "Bearer VALUE"
}

@test "the placeholder of a program is replaced where it stands, and refused elsewhere" {
  secret add anthropic --value sk-real
  run -0 guest sh -c 'curl -sS -o /dev/null -w "%{http_code}" -H "x-api-key: $ANTHROPIC_API_KEY" https://api.anthropic.com/v1/messages'
  equal "$output" 200
  equal "$(visit '."x-api-key"')" sk-real
  : >"$UPSTREAMS/services-visits"
  run -0 guest sh -c 'curl -sS -o /dev/null -w "%{http_code}" -H "x-api-key: $ANTHROPIC_API_KEY" https://other.test/'
  equal "$output" 403
  [[ ! -s $UPSTREAMS/services-visits ]]
}

@test "a subscription's file gives its access token, and codex a file with placeholders" {
  secret add codex_auth_json --value '{"tokens": {"access_token": "real-access", "refresh_token": "real-refresh", "account_id": "a"}}'
  run -0 guest cat /home/agent/.codex/auth.json
  says_not real
  run -0 guest sh -c 'token=$(jq -r .tokens.access_token ~/.codex/auth.json); curl -sS -o /dev/null -w "%{http_code}" -H "Authorization: Bearer $token" https://chatgpt.com/backend-api/codex/responses'
  equal "$output" 200
  equal "$(visit .authorization)" "Bearer real-access"
  run -0 guest stat -c %a /home/agent/.codex/auth.json
  equal "$output" 600
}

# --- bindings --------------------------------------------------------------------------------------------------------

@test "a binding of the user's own gives its hosts the secret, and its variable a placeholder of this sandbox" {
  secret add mine --value real-value
  secret bind mine --host custom.test --header 'X-Key: {}' --env MY_KEY --sandbox box
  run -0 guest sh -c 'echo "$MY_KEY"'
  matches '^sbx-cs-[0-9a-f]{32}$'
  placeholder=$output
  equal "$(code captured_curl https://custom.test/)" 200
  equal "$(visit '."x-key"')" real-value
  equal "$(code captured_curl -u "user:$placeholder" https://custom.test/)" 200
  equal "$(visit .authorization)" "Basic $(printf user:real-value | base64)"
  equal "$(code captured_curl -H "X-Key: $placeholder" https://other.test/)" 403
  secret unbind mine
  equal "$(code captured_curl https://custom.test/)" 200
  equal "$(visit '."x-key"')" none
}

@test "the nearest source is taken: the sandbox's, the global one, the daemon's environment, none" {
  equal "$(code captured_curl https://api.x.ai/)" 200
  equal "$(visit .authorization)" none
  XAI_API_KEY=of-the-daemon sandbox daemon restart
  captured_curl https://api.x.ai/ >/dev/null
  equal "$(visit .authorization)" "Bearer of-the-daemon"
  secret add xai --value global
  captured_curl https://api.x.ai/ >/dev/null
  equal "$(visit .authorization)" "Bearer global"
  secret add own --value bound
  secret bind own --service xai --sandbox box
  captured_curl https://api.x.ai/ >/dev/null
  equal "$(visit .authorization)" "Bearer bound"
  sandbox daemon restart
  captured_curl https://api.x.ai/ >/dev/null
  equal "$(visit .authorization)" "Bearer bound"
}

# --- the end of a secret ---------------------------------------------------------------------------------------------

@test "an update, a revocation and the end of a binding hold at once" {
  secret add anthropic --value one
  captured_curl https://api.anthropic.com/ >/dev/null
  secret add anthropic --value two --update
  captured_curl https://api.anthropic.com/ >/dev/null
  equal "$(visit '."x-api-key"')" two
  : >"$UPSTREAMS/services-visits"
  secret revoke --all
  run -0 sandbox network check box https://api.anthropic.com/
  says "lease was revoked"
  [[ $(code captured_curl https://api.anthropic.com/) == 4?? ]]
  [[ ! -s $UPSTREAMS/services-visits ]]
  sandbox stop box >/dev/null
  equal "$(code captured_curl https://api.anthropic.com/)" 200
  equal "$(visit '."x-api-key"')" two
  secret rm anthropic
  secret add mine --value v
  secret bind mine --host custom.test --header 'X-Key: {}' --ttl 2s
  over() { captured_curl https://custom.test/ >/dev/null; [[ $(visit '."x-key"') == none ]]; }
  eventually over
}

@test "a redirect to another host does not take the secret along" {
  secret add anthropic --value sk-real
  run -0 captured_curl -L -o /dev/null "https://api.anthropic.com/redirect?to=https://other.test/"
  equal "$(visit .host)" other.test
  equal "$(visit '."x-api-key"')" none
}

@test "the secret is nowhere in the guest" {
  value=sk-nowhere-$(openssl rand -hex 8)
  secret add anthropic --value "$value"
  captured_curl https://api.anthropic.com/ >/dev/null
  equal "$(visit '."x-api-key"')" "$value"
  for word in "$value" "$(printf %s "$value" | base64 -w0)"; do
    # By standard input, so that the search does not find its own arguments.
    run -0 sandbox exec -i -u root box sh -c 'read -r word
      grep -rlF -e "$word" /home /etc /var /run /tmp 2>/dev/null; grep -laF -e "$word" /proc/[0-9]*/environ 2>/dev/null; true' <<<"$word"
    equal "$output" ""
  done
  # And in no form on the guest's own disk: what it has changed on its template, as the host has it.
  equal "$(python3 "$kSource/tests/escape/secret_in_files.py" "$value" "$SANDBOXES_HOME/vm/box")" ""
  sandbox exec box sh -c 'printf found-in-the-guest | base64 >~/has-it; sync'
  says "$SANDBOXES_HOME/vm/box/" "$(python3 "$kSource/tests/escape/secret_in_files.py" found-in-the-guest "$SANDBOXES_HOME/vm/box")"
  sandbox exec box rm /home/agent/has-it
}

# --- git -------------------------------------------------------------------------------------------------------------

@test "git push over https works with a bound token and no credential helper" {
  git init -q --bare "$UPSTREAMS/repo.git"
  git -C "$UPSTREAMS/repo.git" config http.receivepack true
  git config --global --add safe.directory "$UPSTREAMS/repo.git"
  echo ghp_push_token >"$UPSTREAMS/git-password"
  secret add github --value ghp_push_token
  run -0 guest sh -ec 'cd /tmp && rm -rf repo && git clone -q https://github.com/repo.git repo 2>&1 && cd repo
    git -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m pushed && git push -q origin HEAD:main 2>&1'
  equal "$(git -C "$UPSTREAMS/repo.git" log -1 --format=%s main)" pushed
  echo another >"$UPSTREAMS/git-password"
  run -128 guest sh -c 'cd /tmp/repo && GIT_TERMINAL_PROMPT=0 git push -q origin HEAD:second 2>&1'
}

# --- an ordinary user ------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "as uid 4242: a secret is stored, bound, and set by a vault of that user's" {
  make_user 4242
  as_user 4242 env SSL_CERT_FILE="$UPSTREAMS/roots.pem" timeout 60 "$SANDBOXD_BIN/sandbox" daemon restart
  as 4242 create -q --name theirs --add-host "custom.test:$ADDRESS" shell "$(workspace_for 4242)" >/dev/null
  as 4242 network proxy theirs --policy deny --allow-host custom.test >/dev/null
  as 4242 secret add mine --value value-of-4242 >/dev/null
  as 4242 secret bind mine --host custom.test --header 'X-Key: {}' --env MY_KEY >/dev/null
  run -0 as 4242 exec theirs sh -c 'echo "$MY_KEY"; curl -sS -o /dev/null -w "%{http_code}" https://custom.test/'
  matches $'^sbx-cs-[0-9a-f]{32}\n200$'
  equal "$(visit '."x-key"')" value-of-4242
  local vault
  vault=$(pgrep -P "$(pgrep -P "$(as 4242 inspect theirs | jq '.[0].pids.shim')" -x sandbox-keeper)" -x sandbox-vault)
  equal "$(status_line "$vault" CapEff)" 0000000000000000
  [[ $(status_line "$vault" Uid | cut -d' ' -f1) != 0 ]]
}
