#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: a stored secret is looked for where it is not in use: in the daemon's memory, in its files, in a template that
# was saved from a sandbox which uses it. As it is, as base64 and percent-encoded.

load ../e2e/upstreams

kSecret=sk-ant-api03-looked-for-0123456789abcdefghij/+=
kRefresh=sk-ant-ort01-looked-for-9876543210zyxwvutsrqpo

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate services "DNS:api.anthropic.com,DNS:api.x.ai"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/services.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/services.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/services.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/services-address"
  local address
  address=$(cat "$UPSTREAMS/services-address")
  box box --add-host "api.anthropic.com:$address" --add-host "api.x.ai:$address"
  sandbox network proxy box --policy deny --allow-host api.anthropic.com --allow-host api.x.ai >/dev/null
  # In all the ways that lead through the daemon: stored, used, changed, leased, listed, refused.
  printf %s "$kSecret" | sandbox secret add xai >/dev/null
  jq -nc --arg token "$kSecret" --arg refresh "$kRefresh" --argjson at "$((($(date +%s) + 86400) * 1000))" \
    '{claudeAiOauth: {accessToken: $token, refreshToken: $refresh, expiresAt: $at}}' | sandbox secret add claude >/dev/null
  captured_curl https://api.x.ai/v1/x >/dev/null
  captured_curl https://api.anthropic.com/v1/x >/dev/null
  sandbox secret bind xai --host api.x.ai --header 'X-Key: {}' >/dev/null
  sandbox secret lease xai --raw >/dev/null
  sandbox secret lease claude --raw >/dev/null
  sandbox secret ls >/dev/null
  printf %s "$kSecret" | sandbox secret add xai >/dev/null 2>&1 || true
  sandbox stop box
  sandbox start box
}

@test "the requests had it" {
  equal "$(jq -r 'select(.host == "api.x.ai") | .authorization' "$UPSTREAMS/services-visits")" "Bearer $kSecret"
  equal "$(jq -r 'select(.host == "api.anthropic.com") | .authorization' "$UPSTREAMS/services-visits")" "Bearer $kSecret"
}

@test "the daemon's memory has it only while a request passes" {
  local daemon
  daemon=$(daemon_pid)
  [[ -n $daemon ]]
  equal "$(python3 "$kSource/tests/escape/secret_in_memory.py" "$SANDBOXES_HOME" "$daemon")" "$daemon"  # what it has is found
  equal "$(python3 "$kSource/tests/escape/secret_in_memory.py" "$kSecret" "$daemon")" ""
  equal "$(python3 "$kSource/tests/escape/secret_in_memory.py" "$kRefresh" "$daemon")" ""
}

@test "no file of ours has it, nor a template that is saved, nor its archive" {
  sandbox save box saved:1 >/dev/null
  sandbox template save saved:1 -o "$WORLD/saved.tar"
  local secret
  for secret in "$kSecret" "$kRefresh"; do
    equal "$(python3 "$kSource/tests/escape/secret_in_files.py" "$secret" "$SANDBOXES_HOME" "$WORLD/saved.tar")" ""
  done
  echo "$kSecret" | base64 >"$WORLD/has-it"
  equal "$(python3 "$kSource/tests/escape/secret_in_files.py" "$kSecret" "$WORLD/has-it")" "$WORLD/has-it"
  sandbox template rm saved:1 >/dev/null
}
