#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The TypeScript package as its users have it: packed by npm, compiled against its types, on the oldest Node.js that it
# promises, with the real daemon. typescript/*.test.ts are the tests; each bats test here is one such file.

load ../e2e/registry

kOldestNode=20.20.2

setup_file() {
  command -v npm >/dev/null || skip "npm is not installed"
  world_up
  own_templates
  registry_up
  busybox_tree "$WORLD/busybox"
  push busy:1 --layer "$WORLD/busybox" --env PATH=/bin --gzip
  export PATH=$SANDBOXD_BIN:$PATH
  export SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  NODE_PROGRAM=$(node_from_npm "$kOldestNode")
  export NODE_PROGRAM
  pack_sdk
  compile_tests
}

teardown_file() {
  registry_down
  world_down
}

# The package is built by npm pack, and unpacked where the tests' compiler and node find it.
pack_sdk() {
  from_npm "$SDK_BUILD/typescript" "$kSource/sdk/typescript/package.json" "$kSource/sdk/typescript/package-lock.json"
  export PACKAGE=$WORLD/package CONSUMER=$WORLD/consumer
  mkdir -p "$PACKAGE" "$CONSUMER/node_modules/@sandboxd/sdk"
  cp -r "$kSource/sdk/typescript/"{src,package.json,tsconfig.json,README.md} "$PACKAGE"
  ln -s "$SDK_BUILD/typescript/node_modules" "$PACKAGE/node_modules"
  (cd "$PACKAGE" && npm pack --silent >/dev/null) || return 1
  tar -xzf "$PACKAGE"/sandboxd-sdk-*.tgz -C "$CONSUMER/node_modules/@sandboxd/sdk" --strip-components 1
  ln -s "$SDK_BUILD/typescript/node_modules/@types" "$CONSUMER/node_modules/@types"
  ln -s "$SDK_BUILD/typescript/node_modules/undici-types" "$CONSUMER/node_modules/undici-types"
}

compile_tests() {
  cp "$kSource/tests/sdk/typescript/"*.ts "$CONSUMER"
  echo '{"type": "module", "private": true}' >"$CONSUMER/package.json"
  (cd "$CONSUMER" && "$PACKAGE/node_modules/.bin/tsc" --target es2022 --module nodenext --strict --noUncheckedIndexedAccess \
    --types node --outDir . ./*.ts)
}

run_tests() {
  mkdir -p "$WORLD/ws"
  (cd "$CONSUMER" && timeout 120 "$NODE_PROGRAM" --test --test-reporter=tap "$1.test.js" 3>&-)
}

@test "the committed types are those of docs/openapi.yaml" {
  python3 "$kSource/sdk/typescript/generate_types.py" "$kSource/docs/openapi.yaml" "$WORLD/generated"
  diff -r "$WORLD/generated" "$kSource/sdk/typescript/src/generated" \
    || fail "npm run generate in sdk/typescript, and commit what it makes"
}

@test "the package has what it needs, needs nothing else, and has no word of its tests" {
  run -0 tar -tzf "$PACKAGE"/sandboxd-sdk-*.tgz
  says package/dist/index.js
  says package/dist/index.d.ts
  says package/README.md
  says_not test
  equal "$(jq -r '.dependencies // {} | length' "$PACKAGE/package.json")" 0
  equal "$(tar -xzOf "$PACKAGE"/sandboxd-sdk-*.tgz --wildcards 'package/dist/*.js' | grep -oE 'from "[^."][^"]*"' | grep -v '"node:' || true)" ""
}

@test "every operation of the API has a method" {
  local operation
  for operation in $(grep -oE '^      operationId: .*' "$kSource/docs/openapi.yaml" | cut -d: -f2); do
    case $operation in
      listVms | createVm | deleteVm) continue ;;  # the vendor's: by call()
    esac
    grep -qE "\.(call|work|stream|events|upgrade)\(\"$operation\"" "$kSource"/sdk/typescript/src/*.ts || fail "none for $operation"
  done
}

@test "a daemon that breaks off, lies or is not there" { run_tests transport; }
@test "programs: streams, signals, terminals, sessions" { run_tests exec; }
@test "sandboxes, files, logs and events" { run_tests sandboxes; }
@test "network, ports, templates and secrets" { run_tests resources; }
@test "the functions of the agent loop" { run_tests loop; }
