#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# What goes wrong around us: full disks, damaged records, vanished directories, impossible names. A clear error each,
# nothing damaged.

load world

setup_file() {
  world_up
  box good
}

teardown_file() {
  if mountpoint -q "$WORLD/user-full"; then  # its test has failed
    SANDBOXES_HOME=$WORLD/user-full/.docker/sandboxes
    rm -f "$WORLD/user-full/filler"
    leave_home || true
    umount -l "$WORLD/user-full"
    SANDBOXES_HOME=$WORLD/user/.docker/sandboxes
  fi
  world_down
}

# Another home of this world, with a daemon of its own. Ended by leave_home.
enter_home() {
  export SANDBOXES_HOME=$1
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
}

leave_home() {
  remember_ids
  sandbox reset -f >/dev/null
  sandbox daemon stop 2>/dev/null
}

# bats test_tags=container
@test "a full disk: create says so and leaves nothing; with space again it works" {
  mkdir -p "$WORLD/user-full" "$WORLD/ws-tight"
  mount -t tmpfs -o size=160m,mode=755 tmpfs "$WORLD/user-full"
  enter_home "$WORLD/user-full/.docker/sandboxes"
  sandbox daemon start
  dd if=/dev/zero of="$WORLD/user-full/filler" bs=4096 2>/dev/null || true
  run -125 --separate-stderr sandbox create --name tight shell "$WORLD/ws-tight"
  is_error "No space left"
  run -0 sandbox ls -q
  equal "$output" ""
  [[ ! -e $SANDBOXES_HOME/vm/tight ]]
  rm "$WORLD/user-full/filler"
  box tight
  run -0 sandbox exec tight echo works
  equal "$output" works
}

# bats test_tags=container
@test "a disk that fills up under a running sandbox: the guest's writes fail, records and other commands do not" {
  enter_home "$WORLD/user-full/.docker/sandboxes"
  is_there tight || box tight
  head -c 200m /dev/zero >"$WORLD/user-full/filler" || true
  run ! sandbox exec tight dd if=/dev/zero of=/home/agent/big bs=1M count=48 conv=fsync
  matches 'No space left|Input/output error|Read-only file system'
  equal "$(status_of tight)" running
  sandbox stop tight
  jq -e . "$SANDBOXES_HOME/vm/tight/metadata.json" >/dev/null
  run sandbox start tight
  ((status == 0)) || is_error "start tight: "
  run -0 sandbox rm tight
  [[ ! -e $SANDBOXES_HOME/vm/tight ]]
  leave_home
  umount "$WORLD/user-full"
}

# A daemon reads the record anew.
with_damaged_record() {
  local name=$1
  sandbox stop "$name" >/dev/null
  sandbox daemon stop 2>/dev/null
  cp "$SANDBOXES_HOME/vm/$name/metadata.json" "$WORLD/record"
  "${@:2}" "$SANDBOXES_HOME/vm/$name/metadata.json"
  cp -r "$SANDBOXES_HOME/vm/$name/metadata.json" "$WORLD/damaged"

  run -0 sandbox ls -q
  says good
  run -0 sandbox exec good echo fine
  run -125 --separate-stderr sandbox exec "$name" true
  is_error "$name"
  says metadata.json "$stderr"
  echo "$stderr" >"$WORLD/refusal"
  run --separate-stderr sandbox create --name "$name" shell "$(workspace_of "$name")"
  equal "$status" 125
  is_error "$name"
  diff -r "$WORLD/damaged" "$SANDBOXES_HOME/vm/$name/metadata.json"
  rm -rf "$WORLD/damaged"

  sandbox daemon stop 2>/dev/null
  rm -rf "$SANDBOXES_HOME/vm/$name/metadata.json"
  cp "$WORLD/record" "$SANDBOXES_HOME/vm/$name/metadata.json"
  run -0 sandbox exec "$name" cat /home/agent/mark
  equal "$output" kept
}

damaged_box() {
  box "$1"
  sandbox exec "$1" sh -c 'echo kept >~/mark'
}

truncate_record() { truncate -s 40 "$1"; }
empty_record() { truncate -s 0 "$1"; }
garble_record() { head -c 300 /dev/urandom >"$1"; }
future_record() { jq '.version = 9999 | .minimum_reader = 9999' "$1" >"$1.new" && mv "$1.new" "$1"; }
unreadable_record() { rm "$1" && mkdir "$1"; }
extend_record() { sed -i 's/^{/{"member_of_tomorrow": 1,/' "$1"; grep -q tomorrow "$1"; }

# bats test_tags=once
@test "a truncated metadata.json" { damaged_box truncated; with_damaged_record truncated truncate_record; }
# bats test_tags=once
@test "an empty metadata.json" { damaged_box emptied; with_damaged_record emptied empty_record; }
# bats test_tags=once
@test "a garbled metadata.json" { damaged_box garbled; with_damaged_record garbled garble_record; }
# bats test_tags=once
@test "a metadata.json that only a later version can read" { damaged_box future; with_damaged_record future future_record; }
# bats test_tags=once
@test "a metadata.json of a later version that this one can read works, and what it has more is kept" {
  damaged_box newer
  sandbox stop newer >/dev/null
  sandbox daemon stop 2>/dev/null
  local record="$SANDBOXES_HOME/vm/newer/metadata.json"
  jq '.version = 9999 | .mood = {"of": "the day"} | .limits.network = 7' "$record" >"$record.new" && mv "$record.new" "$record"
  run -0 sandbox exec newer cat /home/agent/mark
  equal "$output" kept
  run -0 sandbox ports newer --publish 8080
  equal "$(jq -c '[.version, .mood.of, .limits.network, (.ports | length)]' "$record")" '[9999,"the day",7,1]'
  run -0 sandbox rm newer
}

# bats test_tags=once
@test "a metadata.json that cannot be read" { damaged_box unreadable; with_damaged_record unreadable unreadable_record; }

# set_in_record FILTER FILE: what a hand that should not be there would change in it.
set_in_record() { jq "$1" "$2" >"$WORLD/tampered" && cp "$WORLD/tampered" "$2"; }
# An id names control groups, which are emptied by killing what is in them: this one is that of all sandboxes.
foreign_id() { set_in_record '.id = "../sandboxd"' "$1"; }
host_ids() { set_in_record '.id_base = 0' "$1"; }
foreign_ids() { set_in_record '.id_base = 1000' "$1"; }
foreign_template() { set_in_record '.template.digest = "sha256:../../../.." | .template.root = "/"' "$1"; }

# bats test_tags=once
@test "a metadata.json with an id, user ids or a template that are none of ours is refused, with the reason" {
  damaged_box tampered
  local change member init
  sandbox exec good true
  init=$(inspect good .pids.init)
  for change in foreign_id:id host_ids:id_base foreign_ids:id_base foreign_template:digest; do
    sandbox stop tampered >/dev/null
    member=${change#*:}
    with_damaged_record tampered "${change%:*}"
    says "\"$member\"" "$(cat "$WORLD/refusal")"
    equal "$(inspect good .pids.init)" "$init"
  done
}

# bats test_tags=once
@test "a shim of root's starts no machine whose user ids would be the host's own" {
  sandbox exec good true
  mkdir -p "$WORLD/lonely"
  jq --arg state "$WORLD/lonely" '{machine: (.id_base = 0 | .state_directory = $state), guest: {id: .id, name: .name, hostname: .hostname}}' \
    "$SANDBOXES_HOME/vm/good/machine.json" >"$WORLD/lonely.json"
  cd "$WORLD/lonely"
  run -1 timeout 60 "$SANDBOXD_BIN/sandbox-shim" <"$WORLD/lonely.json" 2>/dev/null 3>&-
  says "no ids of its own"
  equal "$(ls -A)" ""
}

# bats test_tags=once
@test "rm of a sandbox with a damaged record removes it, and its workspace stays" {
  damaged_box wreck
  echo keep >"$(workspace_of wreck)/file"
  sandbox stop wreck
  sandbox exec good true
  local others
  others=$(inspect good .pids.init)
  sandbox daemon stop 2>/dev/null
  garble_record "$SANDBOXES_HOME/vm/wreck/metadata.json"
  run -0 sandbox rm wreck
  [[ ! -e $SANDBOXES_HOME/vm/wreck ]]
  equal "$(cat "$(workspace_of wreck)/file")" keep
  equal "$(status_of good) $(inspect good .pids.init)" "running $others"
}

# bats test_tags=container
@test "leftovers that claim to be another sandbox's do not end that one" {
  damaged_box liar
  sandbox exec good true
  local others own
  others=$(inspect good .pids.init)
  own=$(inspect liar .pids.init)
  sandbox daemon stop 2>/dev/null
  kill -9 "$(cat "$SANDBOXES_HOME/vm/liar/shim.lock")"
  eventually is_gone "$own"
  sed -i "s/$(jq -r .id "$SANDBOXES_HOME/vm/liar/machine.json")/$(jq -r .id "$SANDBOXES_HOME/vm/good/machine.json")/" \
    "$SANDBOXES_HOME/vm/liar/machine.json"
  equal "$(jq -r .id "$SANDBOXES_HOME/vm/liar/machine.json")" "$(jq -r .id "$SANDBOXES_HOME/vm/good/machine.json")"
  run -0 sandbox exec liar cat /home/agent/mark
  equal "$output" kept
  equal "$(status_of good) $(inspect good .pids.init)" "running $others"
  sandbox rm liar
}

@test "rm of a running sandbox whose record was damaged leaves no process behind" {
  damaged_box running-wreck
  local init
  init=$(inspect running-wreck .pids.init)
  remember_ids
  sandbox daemon stop 2>/dev/null
  garble_record "$SANDBOXES_HOME/vm/running-wreck/metadata.json"
  run -0 sandbox rm running-wreck
  eventually is_gone "$init"
  [[ ! -e $SANDBOXES_HOME/vm/running-wreck ]]
}

# bats test_tags=once
@test "a directory in vm/ that is no sandbox, a file there, and a link out of it are not taken for one" {
  mkdir -p "$SANDBOXES_HOME/vm/stray/sub" "$WORLD/outside"
  echo keep >"$WORLD/outside/file"
  touch "$SANDBOXES_HOME/vm/a-file"
  ln -s "$WORLD/outside" "$SANDBOXES_HOME/vm/a-link"
  sandbox daemon restart
  run -0 sandbox ls -q
  says_not a-file
  says_not a-link
  run -0 sandbox exec good echo fine
  equal "$(cat "$WORLD/outside/file")" keep
  rm -rf "$SANDBOXES_HOME"/vm/{stray,a-file,a-link}
}

# bats test_tags=once
@test "a stale shim.sock and shim.lock are no obstacle" {
  box stale
  local shim
  shim=$(inspect stale .pids.shim)
  kill -9 "$shim"
  eventually has_status stale stopped
  sandbox daemon stop 2>/dev/null
  python3 -c 'import socket, sys, os
try: os.unlink(sys.argv[1])
except FileNotFoundError: pass
socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$SANDBOXES_HOME/vm/stale/shim.sock"
  echo 1 >"$SANDBOXES_HOME/vm/stale/shim.lock"
  equal "$(status_of stale)" stopped
  run -0 sandbox exec stale echo works
  equal "$output" works
}

@test "a workspace that has vanished: start names it, ls and rm work, and back again it starts" {
  box lost
  sandbox stop lost
  mv "$(workspace_of lost)" "$WORLD/moved"
  run -125 --separate-stderr sandbox start lost
  is_error "$(workspace_of lost)"
  run -125 --separate-stderr sandbox exec lost true
  is_error "$(workspace_of lost)"
  [[ ! -e $(workspace_of lost) ]]
  equal "$(sandbox ls --json | jq '.vms[] | select(.name == "lost") | .workspace_missing')" true
  mv "$WORLD/moved" "$(workspace_of lost)"
  run -0 sandbox exec lost echo back
  sandbox stop lost
  rmdir "$(workspace_of lost)"
  run -0 sandbox rm lost
}

@test "a workspace that vanishes under a running sandbox does no harm" {
  box vanishing
  mv "$(workspace_of vanishing)" "$WORLD/vanished"
  run -0 sandbox exec -w / vanishing echo alive
  run -0 sandbox ls
  run -0 sandbox stop vanishing
  run -0 sandbox rm vanishing
}

@test "a workspace that was replaced by a link is not followed to somewhere else" {
  box swapped
  sandbox stop swapped
  mkdir "$WORLD/elsewhere"
  rmdir "$(workspace_of swapped)"
  ln -s "$WORLD/elsewhere" "$(workspace_of swapped)"
  run sandbox exec swapped touch "$(workspace_of swapped)/made"
  [[ ! -e $WORLD/elsewhere/made ]]
  sandbox rm swapped
}

# bats test_tags=once
@test "a name of 200 characters is refused in words" {
  mkdir -p "$WORLD/names"
  local long
  long=$(printf 'n%.0s' {1..200})
  run -2 --separate-stderr sandbox create --name "$long" shell "$WORLD/names"
  is_error
  matches '6[0-9]|longer|long' "$stderr"
  [[ ! -e $SANDBOXES_HOME/vm/$long ]]
}

# bats test_tags=once
@test "names that are paths, flags, empty or control characters are refused, and nothing is made or removed" {
  mkdir -p "$WORLD/names"
  local before
  before=$(find "$SANDBOXES_HOME" -maxdepth 2 | sort)
  for name in ../x .. . a/b /etc '' ' ' $'a\nb' $'a\e[31m' 'a b' -x '~' '%2e%2e' 'a:b'; do
    run --separate-stderr sandbox create "--name=$name" shell "$WORLD/names"
    equal "$status" 2
    is_error
    says_not $'\e' "$stderr"
    for verb in rm stop start inspect logs; do
      run --separate-stderr sandbox "$verb" -- "$name"
      ((status == 2 || status == 125)) || fail "$verb '$name': $status"
    done
  done
  equal "$(find "$SANDBOXES_HOME" -maxdepth 2 | sort)" "$before"
  equal "$(status_of good)" running
}

# bats test_tags=once
@test "a directory name of 200 characters gives a sandbox with a shorter name" {
  local long
  long=$WORLD/$(printf 'd%.0s' {1..200})
  mkdir -p "$long"
  run -0 --separate-stderr sandbox create -q shell "$long"
  ((${#output} <= 63))
  run -0 sandbox exec "$output" pwd
  equal "$output" "$long"
}

@test "a home path of 120 characters works" {
  local long=$WORLD/user-
  while ((${#long} < 120)); do long+=x; done
  enter_home "$long/.docker/sandboxes"
  box far
  run -0 sandbox exec far echo reached
  equal "$output" reached
  sandbox daemon restart
  run -0 sandbox exec far echo again
  equal "$output" again
  sandbox stop far
  equal "$(status_of far)" stopped
  leave_home
}

@test "a home path of 120 characters and a name of 63 work together" {
  local long=$WORLD/user-
  while ((${#long} < 121)); do long+=y; done
  enter_home "$long/.docker/sandboxes"
  local name
  name=$(printf 'z%.0s' {1..63})
  box "$name"
  run -0 sandbox exec "$name" hostname
  leave_home
}

# bats test_tags=once
@test "two creates of one name at once: one is made, the other is told" {
  mkdir -p "$WORLD/twin-a" "$WORLD/twin-b"
  for _ in 1 2 3; do
    sandbox create -q --name twin shell "$WORLD/twin-a" >"$WORLD/twin-a.out" 2>&1 &
    local first=$! one=0 other=0
    sandbox create -q --name twin shell "$WORLD/twin-b" >"$WORLD/twin-b.out" 2>&1 || other=$?
    wait "$first" || one=$?
    equal "$(printf '%s\n' "$one" "$other" | sort -n | tr '\n' ' ')" "0 125 "
    says twin "$(cat "$WORLD"/twin-?.out)"
    says error: "$(cat "$WORLD"/twin-?.out)"
    run -0 sandbox exec twin true
    sandbox rm twin
  done
}

# bats test_tags=once
@test "a home that cannot be written to is an error that names it" {
  mkdir -p "$WORLD/user-ro"
  mount -t tmpfs -o ro,size=64k tmpfs "$WORLD/user-ro"
  SANDBOXES_HOME=$WORLD/user-ro/sandboxes SANDBOX_TIMEOUT=40 run -125 --separate-stderr sandbox ls
  umount "$WORLD/user-ro"
  is_error "$WORLD/user-ro"
}

# bats test_tags=container
@test "a missing runtime is an error that names the package" {
  enter_home "$WORLD/user-norunc/.docker/sandboxes"
  mkdir -p "$WORLD/ws-norunc"
  # Hidden from this one daemon only, which looks in more places than PATH.
  run -125 --separate-stderr unshare --mount --propagation private sh -c '
    mount --bind /dev/null "$(readlink -f "$(command -v runc)")" && exec "$SANDBOXD_BIN/sandbox" run --name norunc shell "$0" -- -c true' "$WORLD/ws-norunc" 3>&-
  is_error runc
  says "apt-get install" "$stderr"
  leave_home
}
