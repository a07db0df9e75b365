#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# gRPC as programs use it: the host's own Python and grpcio, run in the guest, against a server of the same.

load upstreams

setup_file() {
  [[ -d /usr/lib/python3/dist-packages/grpc ]] || skip "there is no grpcio here: packages/install test"
  world_up
  upstreams_up
  /usr/bin/python3 "$kSource/tests/e2e/grpc_echo.py" serve "$UPSTREAMS" </dev/null >"$UPSTREAMS/grpc.log" 2>&1 3>&- &
  remember_upstream $!
  bring_python grpc six.py
  cp "$kSource/tests/e2e/grpc_echo.py" "$TOOLS"
  eventually test -s "$UPSTREAMS/grpc-ports"
  set -a
  # shellcheck disable=SC1091
  source "$UPSTREAMS/grpc-ports"
  set +a
  netbox box -- "$TOOLS:ro"
  policy --policy deny --allow-host up.test
}

kAnswers=$'unary olleh OK yes\nrefused NOT_FOUND no such thing\ndown 1000\nup 5000000\nboth 0 1 2 3 4'

# ask KIND HOST:PORT [VARIABLE=VALUE...]
ask() { guest env "${@:3}" "$TOOLS/python3" "$TOOLS/grpc_echo.py" ask "$1" "$2" 2>&1; }

@test "gRPC in TLS: every kind of call, by the proxy and past it" {
  run -0 ask secure "up.test:$GRPC_SECURE_PORT"
  equal "$output" "$kAnswers"
  run -0 ask secure "up.test:$GRPC_SECURE_PORT" no_proxy=up.test
  equal "$output" "$kAnswers"
}

@test "gRPC without TLS: every kind of call, by the proxy and past it" {
  run -0 ask insecure "up.test:$GRPC_INSECURE_PORT"
  equal "$output" "$kAnswers"
  run -0 ask insecure "up.test:$GRPC_INSECURE_PORT" no_proxy=up.test
  equal "$output" "$kAnswers"
}

@test "each call is inspected, with TLS and without" {
  local port
  sandbox network log --follow --limit 1000 --json box >"$WORLD/followed" 3>&- &
  local follower=$!
  told() { grep -F "\"up.test:$port\"" "$WORLD/followed" | grep -F '"method":"POST"' | grep -qF '"path":"/Echo/Total"'; }
  for port in "$GRPC_SECURE_PORT" "$GRPC_INSECURE_PORT"; do eventually told; done
  kill "$follower"
}

@test "a host that is not allowed is refused in gRPC's own words" {
  run ask insecure other.test:80
  ((status != 0)) || fail "it went through"
  says PERMISSION_DENIED
  run ask secure other.test:443
  ((status != 0)) || fail "it went through"
  says PERMISSION_DENIED
}
