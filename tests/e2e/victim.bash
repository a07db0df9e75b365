# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A sandbox that is crashed, in a world (world.bash), and the promise that is checked afterwards: it is whole or gone, the
# workspace is untouched, ls tells the truth, rm works, and nothing is left.

source "$(dirname "${BASH_SOURCE[0]}")/world.bash"

step_arguments() {
  case $1 in
    create) echo create -q --name victim shell "$(workspace_of victim)" ;;
    exec) echo exec victim true ;;
    policy) echo network proxy victim --policy deny ;;
    *) echo "$1" victim ;;
  esac
}

# shellcheck disable=SC2046
do_step() { sandbox $(step_arguments "$1"); }

# In the background; $! is the client itself.
start_step() {
  # shellcheck disable=SC2046
  "$SANDBOXD_BIN/sandbox" $(step_arguments "$1") >/dev/null 2>&1 3>&- &
}

# Everything up to the step, and a daemon that dies at the point (if there is one).
prepare() {
  local step=$1 point=${2-}
  mkdir -p "$(workspace_of victim)/sub"
  echo precious >"$(workspace_of victim)/sub/file"
  if [[ $step != create ]]; then
    box victim
    sandbox exec victim sh -c 'echo kept >~/mark'
    remember_ids
    sandbox stop victim >/dev/null
  fi
  sandbox daemon stop 2>/dev/null
  SANDBOXD_FAULT=$point sandbox daemon start >/dev/null
  case $step in exec | stop | rm | policy) sandbox start victim >/dev/null ;; esac
}

# Whoever has its workspace as a mount, or a file of its state open: the shim, all of a container, QEMU and virtiofsd.
runs_in_world() {
  {
    grep -lsF "$(workspace_of victim)" /proc/[0-9]*/mountinfo
    find /proc -maxdepth 3 -path '/proc/[0-9]*/fd/*' -lname "$SANDBOXES_HOME/vm/victim/*" 2>/dev/null
  } | cut -d/ -f3 | sort -u
}
nothing_runs() { [[ -z $(runs_in_world) && -z $(in_its_directory) ]]; }

# The shim and, of a microVM, its warden.
in_its_directory() { find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -lname "$SANDBOXES_HOME/vm/victim" 2>/dev/null | cut -d/ -f3; }
shim_pid() {
  in_its_directory | grep -xF "$(cat "$SANDBOXES_HOME/vm/victim/shim.lock" 2>/dev/null)"
  true
}

# A process of the victim's by its name.
pids_named() {
  local pid
  for pid in $(runs_in_world); do [[ $(cat "/proc/$pid/comm" 2>/dev/null) == $1 ]] && echo "$pid"; done
  true
}

settled() {
  local status
  status=$(status_of victim)
  [[ -z $status || $status == running || $status == stopped || $status == failed ]]
}

# The promise of the first lines of this file. A clean daemon looks at what is left.
check_promise() {
  local step=$1 status
  sandbox daemon stop 2>/dev/null
  eventually settled
  status=$(status_of victim)
  remember_ids
  case $status in
    "") [[ $step == create || $step == rm ]] || fail "the sandbox is gone after $step" ;;
    running) kill -0 "$(inspect victim .pids.init)" ;;
    *) eventually nothing_runs ;;
  esac
  if [[ -n $status ]]; then
    equal "$(sandbox exec victim sh -c "cat '$(workspace_of victim)/sub/file'; echo whole")" $'precious\nwhole'
    [[ $step == create ]] || equal "$(sandbox exec victim cat /home/agent/mark)" kept
    sandbox rm victim >/dev/null
  fi
  equal "$(sandbox ls -q)" ""
  equal "$(find "$(workspace_of victim)" -type f -exec cat {} +)" precious
  [[ ! -e $SANDBOXES_HOME/vm/victim ]] || fail "left: $(ls -a "$SANDBOXES_HOME/vm/victim")"
  eventually nothing_runs
  eventually no_cgroups
}
no_cgroups() { [[ -z $(world_cgroups) ]]; }
