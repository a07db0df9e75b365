# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Ordinary users in a world (world.bash): programs that they can read, accounts, homes with a template. users_up after
# world_up, users_down instead of world_down:
#   users_up; make_user 4242; as 4242 create ...; users_down

source "$(dirname "${BASH_SOURCE[0]}")/world.bash"

users_up() {
  export SANDBOXD_BIN_DIR=$WORLD/bin  # the build directory may be where a user cannot look
  cp -r "$SANDBOXD_BIN" "$SANDBOXD_BIN_DIR"
  chmod -R a+rX "$SANDBOXD_BIN_DIR"
  SANDBOXD_BIN=$SANDBOXD_BIN_DIR
}

# The accounts are made here if there are none with these uids, and then removed again.
users_down() {
  local uid failed=0
  for uid in 4242 1000; do
    [[ -d $WORLD/user-$uid ]] || continue
    as "$uid" reset -f >/dev/null || failed=1
    as "$uid" daemon stop 2>/dev/null || failed=1
  done
  world_down || failed=1
  for uid in 4242 1000; do
    [[ $(name_of "$uid") != sandboxd-e2e* ]] || userdel "$(name_of "$uid")" 2>/dev/null
  done
  sed -i '/^[0-9]*:1800000000:65536$/d' /etc/subuid /etc/subgid
  return $failed
}

name_of() { getent passwd "$1" | cut -d: -f1; }

# A home in this world for a user of that uid, who has subordinate ids and a template. An account is made only if there
# is none; one that has no subordinate ids gets them under its number, which nobody else writes.
make_user() {
  local uid=$1 cache
  getent passwd "$uid" >/dev/null || useradd --no-create-home --home-dir /nonexistent --uid "$uid" "sandboxd-e2e-$uid"
  [[ -n $(first_subid "$uid") ]] || for file in /etc/subuid /etc/subgid; do echo "$uid:1800000000:65536" >>"$file"; done
  make_home "$uid"
  [[ ! -e $WORLD/proxy-config.json ]] || chmod a+r "$WORLD/proxy-config.json"  # one that root's sandboxes have made
  cache=$(getent passwd "$uid" | cut -d: -f6)/template-cache
  [[ -d $cache ]] || cache=/tmp/sandboxd-e2e-cache/$uid-$(first_subid "$uid")
  install -d -o "$uid" -g "$(id -g "$uid")" "$cache"
  ln -s "$cache" "$WORLD/user-$uid/.docker/sandboxes/templates"
  fill_templates "$cache" as "$uid"
}

first_subid() { grep -E "^($1|$(name_of "$1")):" /etc/subuid | head -n 1 | cut -d: -f2; }
make_home() { install -d -m 700 -o "$1" -g "$(id -g "$1")" "$WORLD/user-$1" "$WORLD/user-$1"/.docker{,/sandboxes}; }

# The CLI as another user, with that user's home in this world.
as() {
  local uid=$1
  shift
  as_user "$uid" timeout --foreground "${SANDBOX_TIMEOUT:-120}" "$SANDBOXD_BIN/sandbox" "$@"
}

as_user() {
  local uid=$1
  shift
  setpriv --reuid "$uid" --regid "$(id -g "$uid")" --init-groups env -i PATH="$PATH" HOME="$WORLD/user-$uid" \
    SANDBOXES_HOME="$WORLD/user-$uid/.docker/sandboxes" SANDBOXD_CONFIG="$SANDBOXD_CONFIG" ${FAULT:+SANDBOXD_FAULT="$FAULT"} "$@" 3>&-
}

workspace_for() {
  install -d -o "$1" -g "$(id -g "$1")" "$WORLD/ws-$1"
  echo "$WORLD/ws-$1"
}
