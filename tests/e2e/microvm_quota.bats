#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Project quotas on a kernel that has them, whatever the host's kernel has: the unit tests of
# src/backends/oci/project_quota.cc, run in a microVM.

load world

setup_file() {
  world_up
  # What the template lacks: the programs, and some of their libraries.
  local programs=("${SANDBOXD_BUILD_DIR:-$kSource/build/release}/tests/backends_test")
  programs+=("$(command -v mkfs.ext4)" "$(command -v modprobe)")
  mkdir -p "$WORLD/ws-box/lib"
  cp -Lt "$WORLD/ws-box/" "${programs[@]}"
  ldd "${programs[@]}" | grep -oE '/[^ )]+\.so[^ )]*' | sort -u | xargs cp -Lt "$WORLD/ws-box/lib/"
  box box
}

@test "a project's quota holds bytes and files, and a guest's root cannot leave its project" {
  run -0 sandbox exec -u root --privileged box sh -c '
    cp -r . /tmp/tests && cd /tmp/tests || exit
    run="$(echo /tmp/tests/lib/ld-linux*) --library-path /tmp/tests/lib"
    mkdir lib/modules && ln -s /run/sandbox/modules "lib/modules/$(uname -r)" || exit
    $run ./modprobe -d . -a loop quota_v2 || exit
    printf "#!/bin/sh\nexec %s /tmp/tests/mkfs.ext4 \"\$@\"\n" "$run" >/usr/local/bin/mkfs.ext4
    chmod +x /usr/local/bin/mkfs.ext4
    PATH=/usr/local/bin:$PATH $run ./backends_test --gtest_filter="ProjectQuotaTest.*" 2>&1'
  says "[  PASSED  ] 7 tests."
  says_not SKIPPED
}
