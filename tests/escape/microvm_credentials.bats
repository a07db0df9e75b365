#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What differs for credentials in a microVM: the way of the bytes to the proxy, and where a guest's memory and disk are.
# credentials_injection.bats and vault_escape.bats have the rest.

load ../e2e/credentials

setup_file() {
  world_up
  upstreams_up
  netbox box
  policy --policy deny --allow-host up.test
  bind "$(credential key up.test x-api-key)"
}

setup() { forget_records; }

both_curls() {
  forward_curl "$@"
  captured_curl "$@"
}

# The sandbox's processes on the host, but not the vault: QEMU's memory is the guest's.
other_pids() { family_of "$(shim_pid_of box)" | grep -vx "$(vault_pid)"; }
family_of() {
  local child
  echo "$1"
  for child in $(pgrep -P "$1"); do family_of "$child"; done
}

@test "the server gets the credential, by the proxy and past it, and the client never sees it" {
  run -0 both_curls -i "https://up.test:$TLS_PORT/mirror"
  says_not "$kValue"
  equal "$(grep -c '^x-api-key: .*\*\*\*\*\*\*\*\*' <<<"$output")" 2
  run -0 both_curls "https://up.test:$TLS_PORT/record"
  equal "$(recorded | grep -c "x-api-key: $kValue")" 2
}

@test "a placeholder becomes the value there, and is refused elsewhere" {
  policy --allow-host other.test
  run -0 captured_curl -u "user:$kPlaceholder" "https://up.test:$TLS_PORT/record"
  says "authorization: Basic $(printf 'user:%s' "$kValue" | base64 -w0)" "$(recorded)"
  run -0 both_curls -w '%{http_code}\n' -H "X-Api-Key: $kPlaceholder" "https://other.test:$TLS_PORT/record"
  equal "$(grep -c '^403$' <<<"$output")" 2
}

@test "the secret is in the vault's memory, and in no other process: not in QEMU, which has the guest's" {
  local search=$kSource/tests/escape/secret_in_memory.py
  guest sh -c 'echo this-is-in-the-guest >/dev/shm/mark'
  # shellcheck disable=SC2046
  [[ -n $(python3 "$search" this-is-in-the-guest $(other_pids)) ]]  # so the search finds what is there
  equal "$(python3 "$search" "$kValue" "$(vault_pid)")" "$(vault_pid)"
  # shellcheck disable=SC2046
  equal "$(python3 "$search" "$kValue" $(other_pids))" ""
}

@test "kill -9 of the vault: the next request works" {
  local vault
  vault=$(vault_pid)
  kill -9 "$vault"
  eventually another_vault_than "$vault"
  run -0 captured_curl "https://up.test:$TLS_PORT/record"
  equal "$(recorded | grep -c "x-api-key: $kValue")" 1
}

@test "the guest's disk does not have it, nor any file of the sandbox's" {
  sandbox stop box
  equal "$(python3 "$kSource/tests/escape/secret_in_files.py" "$kValue" "$SANDBOXES_HOME/vm")" ""
}
