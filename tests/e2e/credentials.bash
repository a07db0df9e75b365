# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A sandbox with credentials, without a store of secrets: the tests tell its vault themselves, as the daemon would.

source "$(dirname "${BASH_SOURCE[0]}")/upstreams.bash"

kValue=sk-test-0123456789abcdefghijklmnopqrstuvwxyz  # of the credential; looked for where it must not be
kPlaceholder=proxy-managed

# credential NAME HOST HEADER [MORE]: one, as JSON; MORE are further members.
credential() {
  jq -nc --arg name "$1" --arg host "$2" --arg header "$3" --arg value "$kValue" --arg placeholder "$kPlaceholder" \
    "{name: \$name, hosts: [\$host], header: \$header, value: \$value, placeholders: [\$placeholder]} + ${4-null}"
}
# bind [CREDENTIAL...]: these are all that box has.
bind() { printf '%s\n' "$@" | jq -sc '{credentials: .}' | "$SANDBOXD_BIN/set_credentials" "$SANDBOXES_HOME/vm/box"; }
bind_times() { jq -sc '{credentials: .}' <<<"$2" | "$SANDBOXD_BIN/set_credentials" "$SANDBOXES_HOME/vm/box" "$1"; }

keeper_pid() { pgrep -P "$(shim_pid_of box)" -x sandbox-keeper; }
vault_pid() { pgrep -P "$(keeper_pid)" -x sandbox-vault; }
another_vault_than() { [[ -n $(vault_pid) && $(vault_pid) != "$1" ]]; }

forget_records() { : >"$UPSTREAMS/recorded"; }
recorded() { cat "$UPSTREAMS/recorded"; }
