#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
#
# ./sandbox, ./test and packages/install: what a fresh clone is used through.

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$SANDBOXD_SOURCE_DIR
  mkdir -p "$BATS_TEST_TMPDIR/bin"
}

# A program that is first in PATH and does what standard input says, after noting its arguments.
fake() {
  { printf '#!/bin/sh\necho "%s $*" >> "%s/calls"\n' "$1" "$BATS_TEST_TMPDIR"; cat; } > "$BATS_TEST_TMPDIR/bin/$1"
  chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

# A dpkg that has everything but the packages named.
dpkg_without() {
  fake dpkg-query <<DPKG
for argument; do
  case \$argument in
    -*|'<'*) ;;
    $1) ;;
    *) printf '<%s installed>' "\$argument" ;;
  esac
done
DPKG
}

with_fakes() {
  PATH="$BATS_TEST_TMPDIR/bin:$PATH" "$@"
}

@test "packages/install does nothing when nothing is missing" {
  dpkg_without nothing-at-all
  fake apt-get < /dev/null
  run with_fakes "$ROOT/packages/install" build run test
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  run ! grep apt-get "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install installs what is missing, in one call and without recommended packages" {
  dpkg_without 'cmake|runc'
  fake apt-get < /dev/null
  fake id <<< 'echo 0'
  run with_fakes "$ROOT/packages/install" build run
  [ "$status" -eq 0 ]
  [[ "$output" == *"installing: cmake runc"* ]]
  [ "$(grep -c 'apt-get install' "$BATS_TEST_TMPDIR/calls")" -eq 1 ]
  grep -x 'apt-get install -y -qq --no-install-recommends cmake runc' "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install looks only at the sections that it is asked for" {
  dpkg_without podman
  fake apt-get < /dev/null
  run with_fakes "$ROOT/packages/install" build run test
  [ "$status" -eq 0 ]
  run ! grep apt-get "$BATS_TEST_TMPDIR/calls"
}

# A copy of the script beside another list.
install_from() {
  mkdir -p "$BATS_TEST_TMPDIR/packages"
  cp "$ROOT/packages/install" "$BATS_TEST_TMPDIR/packages/"
  { echo '[run]'; printf '%s\n' "$@"; } > "$BATS_TEST_TMPDIR/packages/debian.txt"
}

@test "packages/install takes the first of a|b that the distribution has" {
  install_from 'new|old' plain
  dpkg_without 'new|old|plain'
  fake apt-get < /dev/null
  fake id <<< 'echo 0'
  fake apt-cache <<< '[ "$2" = old ]'
  with_fakes "$BATS_TEST_TMPDIR/packages/install" run
  grep -x 'apt-get install -y -qq --no-install-recommends old plain' "$BATS_TEST_TMPDIR/calls"
  fake apt-cache < /dev/null
  with_fakes "$BATS_TEST_TMPDIR/packages/install" run
  grep -x 'apt-get install -y -qq --no-install-recommends new plain' "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install wants a of a|b where the distribution has it, although b is there" {
  install_from 'new|old'
  dpkg_without new
  fake apt-get < /dev/null
  fake id <<< 'echo 0'
  fake apt-cache < /dev/null
  with_fakes "$BATS_TEST_TMPDIR/packages/install" run
  grep -x 'apt-get install -y -qq --no-install-recommends new' "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install is content with b of a|b where there is no a" {
  install_from 'new|old'
  dpkg_without new
  fake apt-get < /dev/null
  fake apt-cache <<< '[ "$2" = old ]'
  run with_fakes "$BATS_TEST_TMPDIR/packages/install" run
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  run ! grep apt-get "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install asks what the distribution has when apt has been updated" {
  install_from 'new|old'
  dpkg_without 'new|old'
  fake apt-get <<< '[ "$1" != update ] || touch "'"$BATS_TEST_TMPDIR"'/updated"'
  fake id <<< 'echo 0'
  fake apt-cache <<< '[ "$2" = old ] && [ -e "'"$BATS_TEST_TMPDIR"'/updated" ]'
  with_fakes "$BATS_TEST_TMPDIR/packages/install" run
  grep -x 'apt-get install -y -qq --no-install-recommends old' "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install asks an ordinary user's sudo" {
  dpkg_without cmake
  fake apt-get < /dev/null
  fake id <<< 'echo 1000'
  fake sudo <<< 'exec "$@"'
  with_fakes "$ROOT/packages/install" build
  grep -x 'sudo apt-get update -qq' "$BATS_TEST_TMPDIR/calls"
  grep 'apt-get install .* cmake' "$BATS_TEST_TMPDIR/calls"
}

@test "packages/install without root and sudo names the command" {
  dpkg_without cmake
  fake apt-get < /dev/null
  fake id <<< 'echo 1000'
  for program in sed sort sh; do ln -s "$(command -v "$program")" "$BATS_TEST_TMPDIR/bin/$program"; done
  run env PATH="$BATS_TEST_TMPDIR/bin" "$ROOT/packages/install" build
  [ "$status" -eq 1 ]
  [[ "$output" == *"try, as root: apt-get update && apt-get install --no-install-recommends cmake"* ]]
}

@test "./sandbox runs the client from another directory and through a link, and says nothing of its own" {
  [ "$SANDBOXD_BUILD_DIR" = "$ROOT/build/release" ] || skip "this is not the build that ./sandbox runs"
  "$ROOT/sandbox" version
  ln -s "$ROOT/sandbox" "$BATS_TEST_TMPDIR/link"
  cd "$BATS_TEST_TMPDIR"
  run --separate-stderr ./link version
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 1 ]
  [ -z "$stderr" ]
}

# A copy of the script in a tree whose build is a fake: what it asks for is what counts.
fake_clone() {
  CLONE="$BATS_TEST_TMPDIR/clone"
  mkdir -p "$CLONE/packages" "$CLONE/src/room" "$CLONE/cmake"
  cp "$ROOT/sandbox" "$CLONE/"
  touch "$CLONE/CMakeLists.txt" "$CLONE/CMakePresets.json" "$CLONE/src/room/x.cc"
  printf '#!/bin/sh\n' | tee "$CLONE/packages/install" > "$CLONE/packages/kernel"
  chmod +x "$CLONE/packages/install" "$CLONE/packages/kernel"
  fake cmake <<CMAKE
case \$1 in
  -S) touch "$CLONE/build/release/build.ninja" ;;
  --build)
    mkdir -p "$CLONE/build/release/bin"
    printf '#!/bin/sh\necho "\$(pwd): \$*"\n' > "$CLONE/build/release/bin/sandbox"
    chmod +x "$CLONE/build/release/bin/sandbox" ;;
esac
CMAKE
}

builds() {
  grep -c -e --build "$BATS_TEST_TMPDIR/calls"
}

@test "./sandbox builds once, and again only when a source has changed" {
  fake_clone
  with_fakes "$CLONE/sandbox" a
  with_fakes "$CLONE/sandbox" b
  [ "$(builds)" -eq 1 ]
  touch "$CLONE/src/room/x.cc"
  with_fakes "$CLONE/sandbox" c
  [ "$(builds)" -eq 2 ]
  rm "$CLONE/src/room/x.cc"
  with_fakes "$CLONE/sandbox" d
  [ "$(builds)" -eq 3 ]
}

@test "./sandbox leaves the client in the caller's directory, with the caller's arguments" {
  fake_clone
  cd "$BATS_TEST_TMPDIR/bin"
  run --separate-stderr with_fakes "$CLONE/sandbox" run shell "a b"
  [ "$output" = "$BATS_TEST_TMPDIR/bin: run shell a b" ]
}

@test "two ./sandbox at once build once" {
  fake_clone
  with_fakes "$CLONE/sandbox" one &
  with_fakes "$CLONE/sandbox" two
  wait
  [ "$(builds)" -eq 1 ]
}

@test "./sandbox does not run an old client when the build fails" {
  fake_clone
  with_fakes "$CLONE/sandbox" a
  touch "$CLONE/src/room/x.cc"
  fake cmake <<< 'exit 1'
  run with_fakes "$CLONE/sandbox" b
  [ "$status" -ne 0 ]
  [[ "$output" != *": b" ]]
}

@test "./test counts each bats test, calls what cannot start a failure, and shows why others are skipped" {
  mkdir "$BATS_TEST_TMPDIR/project" && cd "$BATS_TEST_TMPDIR/project"
  # The inner bats must not think that it is part of this one: not its environment, nor the insides of bats in PATH.
  path=$(tr : '\n' <<< "$PATH" | grep -v bats | paste -sd :)
  cat > CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(sample NONE)
enable_testing()
add_test(NAME unit.passes COMMAND true)
add_test(NAME unit.cannot_start COMMAND /nonexistent)
add_test(NAME style.skips COMMAND sh -c "echo no such tool; exit 77")
set_tests_properties(style.skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME fixture.ready COMMAND true)
add_test(NAME e2e.two COMMAND env -i "PATH=$path" "$ROOT/tests/support/run_bats" "\${CMAKE_BINARY_DIR}/bats/e2e.two" "\${CMAKE_SOURCE_DIR}/two.bats")
CMAKE
  printf '@test "one" { true; }\n@test "two" { skip "not here"; }\n@test "three" { false; }\n' > two.bats
  cmake -B build . > /dev/null
  run python3 "$ROOT/tests/support/run_tests.py" build
  [ "$status" -ne 0 ]
  [ "${lines[-1]}" = "2 passed, 2 failed, 2 skipped" ]
  [[ "$output" == *"e2e: 1 passed, 1 failed, 1 skipped"* ]]
  [[ "$output" == *"skipped: e2e: two: not here"* ]]
  [[ "$output" == *"skipped: style: style.skips: no such tool"* ]]
  [[ "$output" == *"failed: unit: unit.cannot_start"* ]]
}

@test "packages/kernel does nothing when there is a kernel for machines" {
  mkdir -p "$BATS_TEST_TMPDIR/place/boot"
  touch "$BATS_TEST_TMPDIR/place/boot/vmlinuz-1-cloud-amd64"
  fake apt-get < /dev/null
  SANDBOXD_BOOT=/nonexistent run with_fakes "$ROOT/packages/kernel" "$BATS_TEST_TMPDIR/place"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  [ ! -e "$BATS_TEST_TMPDIR/calls" ]
}

@test "packages/kernel unpacks the distribution's, and installs nothing" {
  before=$(dpkg-query -W | sha256sum)
  SANDBOXD_BOOT=/nonexistent run "$ROOT/packages/kernel" "$BATS_TEST_TMPDIR/place"
  [ "$status" -eq 0 ]
  release=$(ls "$BATS_TEST_TMPDIR/place/lib/modules")
  [ -s "$BATS_TEST_TMPDIR/place/boot/vmlinuz-$release" ]
  grep -q virtiofs.ko "$BATS_TEST_TMPDIR/place/lib/modules/$release/modules.dep"
  [ "$(dpkg-query -W | sha256sum)" = "$before" ]
}
