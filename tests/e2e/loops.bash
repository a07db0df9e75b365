# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the tests of loops: each has a repository of its own in WS, a prompt, and ID, whose loop ends with the test.

load world

setup() {
  WS=$WORLD/ws-$BATS_TEST_NUMBER
  local world=${WORLD##*.}
  ID=t$BATS_TEST_NUMBER-${world,,}  # by which processes are found, also beside another run of these tests
  mkdir -p "$WS"
  git -C "$WS" init -q -b main
  git -C "$WS" config user.email me@example.test
  git -C "$WS" config user.name me
  echo begin >"$WS/tracked"
  printf 'agent.sh\nignored\n' >"$WS/.gitignore"
  git -C "$WS" add -A
  git -C "$WS" commit -q -m first
  echo 'Do the work.' >"$WORLD/prompt-$ID.md"
}

teardown() {
  local job
  for job in $(jobs -p); do kill -9 "$job" 2>/dev/null || true; done
  sandbox loop end "$ID" >/dev/null 2>&1 || true
}
