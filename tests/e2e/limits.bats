#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Memory, processes and processor time are bounded, and what goes over a bound is ended in the guest.

load world

setup_file() {
  world_up
  box small -m "${kMemory}m" --pids 64 --cpus 0.5
}

kMemory=$([[ ${SANDBOXD_TEST_BACKEND-} == microvm ]] && echo 256 || echo 128)  # a kernel of its own wants some, too

# The value of a sandbox's control group: value_of BOX V1_CONTROLLER V1_FILE V2_FILE
value_of() {
  local id directory
  id=$(inspect "$1" .id)
  directory=$(find "/sys/fs/cgroup/$2" -type d -name "$id" 2>/dev/null | head -n 1)
  if [[ -n $directory ]]; then cat "$directory/$3"; else cat "$(find /sys/fs/cgroup -type d -name "$id" | head -n 1)/$4"; fi
}

# In small pieces: a kernel that has less than that in all would refuse a large one.
kTakeMuch='x = [b"x" * (1 << 20) + bytes([i % 256]) for i in range(600)]'

@test "the limits are in inspect, and enforced" {
  local cpus=0.5
  if on_microvm; then cpus=1; fi  # a machine has whole processors
  equal "$(inspect small .limits | jq -c '[.cpus + 0, .memory, .pids, .enforced]')" "[$cpus,$((kMemory << 20)),64,true]"
}

@test "memory: the process that takes too much is killed, and not the host's or the sandbox" {
  run -137 sandbox exec small python3 -c "$kTakeMuch"
  run -0 sandbox exec small echo alive
  equal "$output" alive
  equal "$(status_of small)" running
}
# bats test_tags=container
@test "memory and pids: the bounds are those of its control group" {
  equal "$(value_of small memory memory.limit_in_bytes memory.max)" 134217728
  equal "$(value_of small pids pids.max pids.max)" 64
}

# Memory that is full of files is freed by no kill: the kernel may end the sandbox's own PID 1, and then it starts anew.
@test "memory: files in /tmp and /dev/shm count, too" {
  run sandbox exec small sh -c 'head -c 300000000 /dev/zero >/tmp/big && head -c 300000000 /dev/zero >/dev/shm/big'
  ((status != 0))
  emptied() { sandbox exec -u root small rm -f /tmp/big /dev/shm/big; }
  kPatience=120 eventually emptied  # programs are read from the disk again and again
  eventually sandbox exec small true
}

@test "pids: a bounded loop of forks meets EAGAIN, and the sandbox can still be used afterwards" {
  run -0 sandbox exec -i small python3 - <<'PY'
import errno, os, signal, time
children = []
try:
    for _ in range(200):
        pid = os.fork()
        if pid == 0: time.sleep(1000)
        children.append(pid)
    print("no bound")
except OSError as e:
    print(errno.errorcode[e.errno], len(children) < 64)
for pid in children: os.kill(pid, signal.SIGKILL)
for pid in children: os.waitpid(pid, 0)
PY
  equal "$output" "EAGAIN True"
  run -0 sandbox exec small echo fine
}

@test "pids: a full sandbox can still be stopped" {
  box full --pids 32
  sandbox exec -d full python3 -c '
import os, time
try:
    while True:
        if os.fork() == 0: time.sleep(1000)
except OSError:
    open(os.environ["WORKSPACE_DIR"] + "/full", "w").close()
time.sleep(1000)'
  eventually test -e "$(workspace_of full)/full"
  SANDBOX_TIMEOUT=$((2 * kPatience)) run -0 sandbox stop full
  run -0 sandbox exec full echo again
  equal "$output" again
}

# bats test_tags=container
@test "cpus: the quota is the share that was asked for" {
  local quota period
  if [[ -d /sys/fs/cgroup/cpu ]]; then
    quota=$(value_of small cpu cpu.cfs_quota_us -)
    period=$(value_of small cpu cpu.cfs_period_us -)
  else
    read -r quota period < <(value_of small - - cpu.max)
  fi
  equal "$((quota * 10))" "$((period * 5))"
}

# bats test_tags=container
@test "the guest sees its own control group and cannot raise its limits" {
  run ! sandbox exec -u root --privileged small sh -c '
    for f in $(find /sys/fs/cgroup -name memory.limit_in_bytes -o -name memory.max -o -name pids.max -o -name cpu.cfs_quota_us -o -name cpu.max); do
      echo -1 >$f && echo wrote $f; echo max >$f && echo wrote $f; done 2>/dev/null | grep wrote'
  equal "$(value_of small memory memory.limit_in_bytes memory.max)" 134217728
  equal "$(value_of small pids pids.max pids.max)" 64
}

@test "limits are there again after a stop and a start" {
  sandbox stop small
  sandbox start small
  run -137 sandbox exec small python3 -c "$kTakeMuch"
  on_microvm || equal "$(value_of small pids pids.max pids.max)" 64
}

@test "values that cannot be meant are refused" {
  mkdir -p "$WORLD/none"
  for flags in '--cpus -1' '--cpus many' '--cpus nan' '-m lots' '-m -5m' '--pids -3' '--pids x' '-m 99999999999999g' '--disk much'; do
    # shellcheck disable=SC2086
    run -2 --separate-stderr sandbox create $flags shell "$WORLD/none"
    is_error
  done
  run -0 sandbox ls -q
  says_not none
}

@test "/tmp holds no more than --tmp-size, after a restart, too" {
  box tmpsize --tmp-size 8m
  run sandbox exec tmpsize sh -c 'dd if=/dev/zero of=/tmp/big bs=1M count=16 2>&1'
  says "No space left"
  equal "$(sandbox exec tmpsize stat -c %s /tmp/big)" 8388608
  sandbox stop tmpsize >/dev/null
  equal "$(sandbox exec tmpsize sh -c 'df -k --output=size /tmp | tail -n 1' | tr -d ' ')" 8192
  run --separate-stderr sandbox run --name tmpsize --tmp-size 16m shell "$(workspace_of tmpsize)" -- true
  is_error "--tmp-size 16m (it has 8m)"
  sandbox rm tmpsize >/dev/null
}
