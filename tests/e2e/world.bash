# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The world of one bats file: a home of its own, a daemon of its own (started by the first command that needs it) and
# directories to work in. `load world` at the top is enough; a file that wants more defines its own setup_file, with
# world_up, or teardown_file, with world_down, which fails if anything is left on the host: a process, a mount, a control
# group, a directory.
#
# SANDBOXD_BIN_DIR    where the programs are                (build/release/bin)
# SANDBOXD_TEMPLATES  a template cache that the files share  (/tmp/sandboxd-e2e-cache/0)
# SANDBOXD_TEST_BACKEND  of sandboxes that do not say theirs (container)
# ctest sets them; by hand: SANDBOXD_BIN_DIR=build/dev/bin bats tests/e2e/exec.bats
#
# A test that holds for one backend only has its name as a tag (# bats test_tags=container), and one that would say
# nothing new on another has the tag "once". Others than the first backend leave them out:
#   SANDBOXD_TEST_BACKEND=microvm bats --filter-tags '!container,!once' tests/e2e/exec.bats

bats_require_minimum_version 1.5.0

kSource=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export SANDBOXD_TEST_BACKEND=${SANDBOXD_TEST_BACKEND:-container}
on_microvm() { [[ $SANDBOXD_TEST_BACKEND == microvm ]]; }
# Seconds until something that must happen is held not to. Emulated machines take their time.
kPatience=${SANDBOXD_TEST_PATIENCE:-$(on_microvm && echo 60 || echo 20)}
# The grade of this world's sandboxes, as a pattern: what microVMs are worth depends on the host.
kIsolation=$(on_microvm && echo 'microvm(-emulated)?' || echo container)
export SANDBOXD_BIN=$(readlink -f "${SANDBOXD_BIN_DIR:-$kSource/build/release/bin}")

# --- what a file has that does not say otherwise ---------------------------------------------------------------------

setup_file() { world_up; }
teardown_file() { world_down; }
# What a test left running in the background of its shell ends with it.
teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
}

# --- the world -------------------------------------------------------------------------------------------------------

world_up() {
  export WORLD=$(mktemp -d /tmp/sbx-e2e.XXXXXX)
  [[ -x $SANDBOXD_BIN/sandbox ]] || fail "no $SANDBOXD_BIN/sandbox: build first, or set SANDBOXD_BIN_DIR"
  [[ $EUID == 0 ]] || fail "these tests need root: they also act as other users and make mounts"
  chmod 755 "$WORLD"
  export HOME=$WORLD/user SANDBOXES_HOME=$WORLD/user/.docker/sandboxes
  export SANDBOXD_CONFIG=$WORLD/config.json
  echo "{\"backend\": \"$SANDBOXD_TEST_BACKEND\"}" >"$SANDBOXD_CONFIG"
  unset SANDBOXD_FAULT
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
}

# Puts the shared template cache into the home.
share_templates() {
  mkdir -p "$1" "$SANDBOXES_HOME"
  chmod 700 "$SANDBOXES_HOME"
  ln -sfn "$1" "$SANDBOXES_HOME/templates"
  fill_templates "$1" sandbox
}

# copy_templates FROM TO: by links, where both are on one file system. Another suite may use FROM, and what it is just
# writing may be gone when cp comes to it: what is finished has its name, and stays.
copy_templates() {
  local links=-l
  ln "$1/lock" "$WORLD/link" 2>/dev/null && rm "$WORLD/link" || links=--reflink=auto
  cp -a $links "$1" "$2" 2>"$WORLD/vanished" || ! grep -v 'No such file or directory' "$WORLD/vanished" >&2
}

# fill_templates CACHE COMMAND...: a cache that is empty is filled first, because that takes more than a command may.
fill_templates() {
  [[ -z $(ls -A "$1/names" 2>/dev/null) ]] || return 0
  mkdir -p "$WORLD/first"
  SANDBOX_TIMEOUT=900 "${@:2}" create -q --name first shell "$WORLD/first" >/dev/null
  "${@:2}" rm first >/dev/null
}

world_down() {
  is_world || return 1
  local failed=0 home
  remember_ids
  for home in "$WORLD"/user*/.docker/sandboxes; do  # a test that failed may have left others than the world's own
    [[ $home == "$SANDBOXES_HOME" || -S $home/sandboxd.sock ]] || continue
    SANDBOXES_HOME=$home sandbox reset -f >/dev/null || failed=1
    SANDBOXES_HOME=$home sandbox daemon stop 2>/dev/null || failed=1
  done
  eventually nothing_left || { failed=1; leftovers >&2; end_leftovers; }
  grep -qF "$WORLD/" /proc/self/mountinfo || rm -rf --one-file-system "$WORLD"
  return $failed
}

# The ids of the sandboxes that there are, so that their control groups can be looked for when they are gone.
remember_ids() {
  cat "$WORLD"/user*/.docker/sandboxes/vm/*/metadata.json 2>/dev/null \
    | grep -oE '"id": *"[^"]+"' | cut -d'"' -f4 >>"$WORLD/ids" || true
}

# Nothing is looked for, ended or removed for a world that was never made: an empty name would mean the whole machine.
is_world() { [[ ${WORLD-} =~ ^/tmp/sbx-e2e\.[A-Za-z0-9]{6}$ && -d $WORLD ]] || fail "there is no world: '${WORLD-}'"; }

# Processes of this world: those with a directory of it as a mount (the shim and all in the guest), those that stand in
# it, and our own programs that were told to use it. A mount *in* the world, which others may have inherited, is no sign.
world_processes() {
  is_world || return 1
  {
    grep -lsE "^[0-9]+ [0-9]+ [0-9:]+ [^ ]*/${WORLD##*/}[/ ]" /proc/[0-9]*/mountinfo | elsewhere
    find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' \( -lname "$WORLD" -o -lname "$WORLD/*" \) 2>/dev/null
    find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$SANDBOXD_BIN/*" 2>/dev/null | while read -r exe; do
      grep -lsaF "$WORLD/" "${exe%/exe}/environ"
    done
  } | cut -d/ -f3 | sort -un
}

# Of files in /proc/PID, those of processes that do not share our mounts: a mount that is left on the host (a dockerd makes
# one of its directory) is seen by every process of the machine, and none of them is the world's by that.
elsewhere() {
  local here file
  here=$(readlink /proc/self/ns/mnt)
  while read -r file; do [[ $(readlink "${file%/*}/ns/mnt") == "$here" ]] || echo "$file"; done
}

world_cgroups() {
  local id
  sort -u "$WORLD/ids" 2>/dev/null | while read -r id; do find /sys/fs/cgroup -type d -name "*$id*" 2>/dev/null; done
}

leftovers() {
  grep -F "$WORLD/" /proc/self/mountinfo | sed 's/^/mount left: /'
  world_cgroups | sed 's/^/cgroup left: /'
  local pid
  for pid in $(world_processes); do
    echo "process left: $pid $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline")"
  done
  grep -sF "$WORLD/" /sys/block/loop*/loop/backing_file | sed 's/^/loop device left: /'
  ls -d "$WORLD"/user*/.docker/sandboxes/vm/* 2>/dev/null | sed 's/^/directory left: /'
  true
}

nothing_left() { is_world && [[ -z $(leftovers) ]]; }

# Only ever processes of this world.
end_leftovers() {
  local pid
  for pid in $(world_processes); do kill -9 "$pid" 2>/dev/null || true; done
}

# --- programs --------------------------------------------------------------------------------------------------------

# The CLI. No command of these tests may take minutes: 124 means that it hung. Descriptor 3 is bats's own.
sandbox() { timeout --foreground "${SANDBOX_TIMEOUT:-120}" "$SANDBOXD_BIN/sandbox" "$@" 3>&-; }

# box NAME [FLAG...] [-- WORKSPACE...]: a sandbox by that name for a directory by that name, running; flags of create, and
# further workspaces.
box() {
  local name=$1 flags=()
  shift
  on_microvm && flags=(--cpus 1 --memory 512m)  # a small one boots faster
  while (($#)) && [[ $1 != -- ]]; do flags+=("$1"); shift; done
  mkdir -p "$WORLD/ws-$name"
  sandbox create -q --name "$name" "${flags[@]}" shell "$WORLD/ws-$name" "${@:2}" >/dev/null
  sandbox start "$name" >/dev/null
  remember_ids
}

workspace_of() { echo "$WORLD/ws-$1"; }
inspect() { sandbox inspect "$1" | jq -r ".[0]$2"; }
status_of() { sandbox ls --json | jq -r --arg name "$1" '.vms[] | select(.name == $name) | .status'; }
has_status() { [[ $(status_of "$1") == "$2" ]]; }
is_there() { [[ -n $(status_of "$1") ]]; }

# The daemon of the home that SANDBOXES_HOME names.
daemon_pid() {
  local exe
  find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -lname "$SANDBOXD_BIN/sandboxd" 2>/dev/null | while read -r exe; do
    tr '\0' '\n' 2>/dev/null <"${exe%/exe}/environ" | grep -qxF "SANDBOXES_HOME=$SANDBOXES_HOME" && cut -d/ -f3 <<<"$exe"
  done
  true
}
no_daemon() { [[ -z $(daemon_pid) ]]; }

api() {
  local method=$1 path=$2
  shift 2
  curl -sS --max-time 60 --unix-socket "$SANDBOXES_HOME/sandboxd.sock" -X "$method" "http://localhost$path" "$@" 3>&-
}

free_port() { python3 "$kSource/tests/e2e/free_port.py"; }
shim_pid_of() { inspect "$1" .pids.shim; }
gate_pid_of() { pgrep -P "$(shim_pid_of "$1")" -x sandbox-gate; }
# A line of a process's status: status_line PID NAME
status_line() { awk -v name="$2:" '$1 == name { $1 = ""; print }' "/proc/$1/status" | xargs; }
# The control group of a process for a controller, as a directory: group_of PID CONTROLLER
group_of() {
  local path
  path=$(awk -F: -v c="$2" 'index("," $2 ",", "," c ",") {print $3}' "/proc/$1/cgroup")
  if [[ -n $path ]]; then echo "/sys/fs/cgroup/$2$path"; else echo "/sys/fs/cgroup$(awk -F: '$1 == 0 {print $3}' "/proc/$1/cgroup")"; fi
}
# freeze PID: SIGSTOP, and every thread stands still: until one has taken the signal, the others go on.
freeze() {
  kill -STOP "$1" || return
  eventually stands_still "$1"
}
stands_still() { ! grep -qhs '^State:[[:space:]]*[^T[:space:]]' "/proc/$1/task/"*/status; }
is_gone() { ! grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; }

# --- claims ----------------------------------------------------------------------------------------------------------

fail() {
  echo "$*" >&2
  return 1
}

# Waits for a condition: a command that succeeds.
eventually() {
  local deadline=$((SECONDS + kPatience))
  until "$@"; do
    ((SECONDS < deadline)) || fail "never came true: $*" || return 1
    sleep 0.02
  done
}

equal() { [[ $1 == "$2" ]] || fail "expected: $2"$'\n'"but it is: $1"; }
says() { [[ ${2-$output} == *"$1"* ]] || fail "expected to read: $1"$'\n'"but it says: ${2-$output}"; }
says_not() { [[ ${2-$output} != *"$1"* ]] || fail "expected not to read: $1"$'\n'"but it says: ${2-$output}"; }
matches() { [[ ${2-$output} =~ $1 ]] || fail "expected to match: $1"$'\n'"but it is: ${2-$output}"; }

# Our own failures: "error: ..." on standard error, and the exit code that says whose failure it was.
is_error() {
  matches '(^|'$'\n'')error: ' "${stderr-$output}"
  [[ -z ${1-} ]] || says "$1" "${stderr-$output}"
}
