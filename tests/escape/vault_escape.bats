#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: somebody takes over the shim, which parses a guest's bytes, or the guest itself, and looks for a secret. It
# is in the vault and nowhere else. tests/vault tries what a taken-over shim may say to the vault.

load ../e2e/credentials

setup_file() {
  world_up
  upstreams_up
  netbox box
  netbox other
  policy --policy deny --allow-host up.test
  bind "$(credential key up.test x-api-key)" "$(credential basic up.test authorization '{basic_user: "user", placeholders: ["another-one"]}')"
  # Used in each way, forth and back, so that it has been wherever it may ever be.
  forward_curl "https://up.test:$TLS_PORT/mirror" >/dev/null
  captured_curl -u "user:$kPlaceholder" "https://up.test:$TLS_PORT/mirror" >/dev/null
  captured_curl -H "X-Some: $kPlaceholder" --data-binary @/etc/services "https://up.test:$TLS_PORT/record" >/dev/null
}

# Those of the processes that have it in memory. Our own arguments are not the secret's: it is looked for in others.
with_secret() { python3 "$kSource/tests/escape/secret_in_memory.py" "$kValue" "$@"; }

guest_pids() {
  local init
  init=$(inspect box .pids.init)
  local namespace
  namespace=$(readlink "/proc/$init/ns/pid")
  local process
  for process in /proc/[0-9]*; do
    [[ $(readlink "$process/ns/pid" 2>/dev/null) != "$namespace" ]] || echo "${process#/proc/}"
  done
}

@test "the secret is in the memory of the vault, and of no other process of the sandbox" {
  equal "$(with_secret "$(vault_pid)")" "$(vault_pid)"  # so the search finds it where it is
  # shellcheck disable=SC2046
  equal "$(with_secret "$(shim_pid_of box)" "$(keeper_pid)" "$(gate_pid_of box)" $(guest_pids))" ""
}

@test "another sandbox has no vault, because it has nothing to keep" {
  equal "$(pgrep -P "$(pgrep -P "$(shim_pid_of other)" -x sandbox-keeper)" || true)" ""
}

@test "no file of the sandbox's has it, nor does a log" {
  run grep -rlaF --exclude=disk.raw --exclude=Docker.raw -e "$kValue" -e "$(printf %s "$kValue" | base64 -w0 | cut -c1-50)" "$SANDBOXES_HOME/vm" \
    "$SANDBOXES_HOME/sandboxd.log"
  equal "$output" ""
  run guest_root sh -c "grep -rlaF -e '${kValue:0:20}' /home /etc /tmp /var /root /run 2>/dev/null; env | grep -F '${kValue:0:20}'"
  equal "$output" ""
}

@test "no descriptor of the shim's leads to it" {
  local link
  for link in /proc/"$(shim_pid_of box)"/fd/* /proc/"$(gate_pid_of box)"/fd/*; do
    [[ $(readlink "$link") != *memfd:sandbox-credentials* ]] || fail "$link leads to the credentials"
  done
  # Where it is, it is named like this.
  readlink /proc/"$(keeper_pid)"/fd/* | grep -q memfd:sandbox-credentials
}

@test "keeper and vault have no capability, no new privileges, a filter, an id of their own, and leave no core" {
  local pid set
  for pid in "$(keeper_pid)" "$(vault_pid)"; do
    for set in CapInh CapPrm CapEff CapBnd CapAmb; do equal "$set $(status_line "$pid" $set)" "$set 0000000000000000"; done
    equal "$(status_line "$pid" NoNewPrivs) $(status_line "$pid" Seccomp)" "1 2"
    equal "$(awk '/^Max core file size/ {print $5 " " $6}' "/proc/$pid/limits")" "0 0"
    equal "$(find "/proc/$pid/root/" -mindepth 1 | wc -l)" 0
  done
  equal "$(for pid in "$(vault_pid)" "$(gate_pid_of box)" "$(shim_pid_of box)"; do
    status_line "$pid" Uid | cut -d' ' -f1
  done | sort -u | wc -l)" 3
  # Not dumpable: another process of the same user cannot read its memory.
  local uid
  uid=$(status_line "$(vault_pid)" Uid | cut -d' ' -f1)
  run setpriv --reuid "$uid" --regid "$uid" --clear-groups head -c 1 "/proc/$(vault_pid)/environ"
  ((status != 0)) || fail "its own user reads the vault's memory"
}

@test "the vault's pages are locked, and its credentials are in no core dump" {
  (($(status_line "$(vault_pid)" VmLck | cut -d' ' -f1) > 0)) || fail "nothing is locked"
  run awk '/memfd:sandbox-credentials/ {found = 1} found && /^VmFlags/ {print; exit}' "/proc/$(vault_pid)/smaps"
  says " lo"
  says " dd"
}

@test "an aborting vault leaves nothing behind" {
  local vault
  vault=$(vault_pid)
  kill -ABRT "$vault"
  eventually another_vault_than "$vault"
  run grep -rlaF --exclude=disk.raw --exclude=Docker.raw "$kValue" "$SANDBOXES_HOME/vm" "$WORLD/ws-box"
  equal "$output" ""
}

@test "only the user's daemon may set credentials" {
  run setpriv --reuid 65534 --regid 65534 --clear-groups "$SANDBOXD_BIN/set_credentials" "$SANDBOXES_HOME/vm/box" <<<'{"credentials": []}'
  ((status != 0)) || fail "anybody may"
  equal "$(stat -c %a "$SANDBOXES_HOME/vm/box/vault.sock")" 600
}
