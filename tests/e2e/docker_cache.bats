#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Images that one sandbox has pulled are not downloaded again by the next: the real dockerd of the agents' templates and
# the real docker-registry, which wants a login.

load upstreams

kWord=registry-word

setup_file() {
  export SANDBOX_TIMEOUT=400  # the first pull of an emulated machine starts its dockerd, too
  world_up
  upstreams_up
  private_registry_up
  registry_on_host
  redirecting_registry_up
  mkdir -p "$WORLD/project"
  sandbox_with first
  sandbox_with second
}

# sandbox_with NAME [FLAG...]
sandbox_with() {
  sandbox create -q --name "$1" --docker on-demand --add-host up.test:127.0.0.1 "${@:2}" claude "$WORLD/project" >/dev/null
  sandbox network proxy "$1" --allow-host up.test >/dev/null
}

# docker-registry in TLS, for `user`; it has the image `large`, of two layers. Sets REGISTRY.
private_registry_up() {
  export REGISTRY
  REGISTRY=up.test:$(free_port)
  local directory=$UPSTREAMS/registry address=127.0.0.1:${REGISTRY#*:}
  mkdir -p "$directory" "$WORLD/tree/bin" "$WORLD/data"
  python3 -c 'import ctypes, sys
library = ctypes.CDLL("libcrypt.so.1")
library.crypt.restype = ctypes.c_char_p
print("user:" + library.crypt(sys.argv[1].encode(), b"$2b$05$" + b"a" * 22).decode())' $kWord >"$directory/htpasswd"
  cat >"$directory/config.yml" <<END
version: 0.1
log: {accesslog: {disabled: false}, level: info}
storage: {filesystem: {rootdirectory: $directory/data}}
http: {addr: $address, secret: test, tls: {certificate: $UPSTREAMS/server.crt, key: $UPSTREAMS/server.key}}
auth: {htpasswd: {realm: test, path: $directory/htpasswd}}
END
  docker-registry serve "$directory/config.yml" </dev/null >"$directory/log" 2>&1 3>&- &
  remember_upstream $!
  eventually answers "${REGISTRY#*:}"
  cp /bin/busybox "$WORLD/tree/bin/sh"
  head -c 8M /dev/urandom >"$WORLD/data/random"
  python3 "$kSource/tests/e2e/image.py" "$WORLD/layout" --layer "$WORLD/tree" --layer "$WORLD/data"
  skopeo --insecure-policy copy -q --dest-tls-verify=false --dest-creds "user:$kWord" "oci:$WORLD/layout" \
    "docker://$address/large"
}

# The daemon, which pulls templates, reaches the same registry by the same name.
registry_on_host() {
  local address=127.0.0.1:${REGISTRY#*:}
  export REGISTRY_AUTH_FILE=$WORLD/auth.json
  mkdir -p "$HOME/.config/containers"
  printf '[[registry]]\nprefix = "%s"\nlocation = "%s"\ninsecure = true\n' "$REGISTRY" "$address" \
    >"$HOME/.config/containers/registries.conf"
  jq -n --arg address "$address" --arg auth "$(printf %s "user:$kWord" | base64)" '{auths: {($address): {auth: $auth}}}' \
    >"$REGISTRY_AUTH_FILE"
}

# A registry that sends its clients to its storage, or, without the login, to a page for logging in. It has the image of
# $WORLD/elsewhere. Sets REDIRECTING.
redirecting_registry_up() {
  export REDIRECTING
  head -c 2M /dev/urandom >"$WORLD/data/random"
  python3 "$kSource/tests/e2e/image.py" "$WORLD/elsewhere" --layer "$WORLD/data"
  python3 "$kSource/tests/e2e/redirecting_registry.py" "$UPSTREAMS" "$WORLD/elsewhere" "$(printf %s "user:$kWord" | base64)" \
    </dev/null >"$UPSTREAMS/redirecting-log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/redirecting-port"
  REDIRECTING=up.test:$(cat "$UPSTREAMS/redirecting-port")
}

# What the registry has sent of blobs, as bytes, since it was started.
sent() {
  sed -nE 's/.*"GET \/v2\/[^ ]*\/blobs\/[^ ]* HTTP[^"]*" 200 ([0-9]+) .*/\1/p' "$UPSTREAMS/registry/log" | awk '{ all += $1 } END { print all + 0 }'
}
pull() {
  sandbox exec "$1" sh -c "echo $kWord | docker login -u user --password-stdin $REGISTRY >/dev/null 2>&1 &&
    docker pull -q $REGISTRY/large"
}
kept() { sandbox system df --json | jq .docker_cache_bytes; }
# The digest of the larger layer, as it was pushed.
large_layer() {
  curl -sS --cacert "$UPSTREAMS/server.crt" --resolve "$REGISTRY:127.0.0.1" -u "user:$kWord" \
    -H 'Accept: application/vnd.oci.image.manifest.v1+json' "https://$REGISTRY/v2/large/manifests/latest" \
    | jq -r '.layers | max_by(.size).digest'
}
large_layer_url() { echo "https://$REGISTRY/v2/large/blobs/$(large_layer)"; }
cache_pid_of() { pgrep -P "$(shim_pid_of "$1")" -x sandbox-blobs; }

@test "what one sandbox has pulled is not downloaded by the next" {
  run -0 pull first
  local once
  once=$(sent)
  ((once > 8 * 1024 * 1024)) || fail "the registry has sent only $once bytes"
  has_all() { (($(kept) > 8 * 1024 * 1024)); }
  eventually has_all
  run -0 pull second
  equal "$(sent)" "$once"
  run -0 sandbox exec second docker run --rm "$REGISTRY/large" sh -c 'echo runs'
  equal "$output" runs
}

@test "a registry that does not let a sandbox have it is not overruled" {
  code() { sandbox exec second curl -sS --http1.1 --max-time "$kPatience" -o /dev/null -w '%{http_code}\n' "$@" "$(large_layer_url)"; }
  equal "$(code)" 401
  equal "$(code -u user:wrong)" 401
  local before
  before=$(sent)
  equal "$(code -u "user:$kWord")" 200
  equal "$(sent)" "$before"
}

@test "what comes from the cache is the blob" {
  run -0 sandbox exec second sh -c "curl -sS --http1.1 -u user:$kWord $(large_layer_url) | sha256sum"
  equal "sha256:${output%% *}" "$(large_layer)"
}

@test "what was pulled as a template is not downloaded by a sandbox's Docker" {
  head -c 4M /dev/urandom >"$WORLD/data/random"
  python3 "$kSource/tests/e2e/image.py" "$WORLD/template" --layer "$WORLD/data"
  skopeo --insecure-policy copy -q --dest-tls-verify=false --dest-creds "user:$kWord" "oci:$WORLD/template" \
    "docker://127.0.0.1:${REGISTRY#*:}/template"
  run -0 sandbox template pull "$REGISTRY/template"
  local once
  once=$(sent)
  run -0 sandbox exec second sh -c "echo $kWord | docker login -u user --password-stdin $REGISTRY >/dev/null 2>&1 &&
    docker pull -q $REGISTRY/template"
  (($(sent) < once + 65536)) || fail "$(sent) bytes instead of $once: it was downloaded again"  # its configuration was
  sandbox template rm "$REGISTRY/template" >/dev/null
}

@test "a registry that redirects: its storage decides, and a page for logging in allows nothing" {
  stored() { awk '{ all += $2 } END { print all + 0 }' "$UPSTREAMS/redirecting-sent"; }
  local before once digest url
  before=$(kept)
  REGISTRY=$REDIRECTING run -0 pull first
  once=$(stored)
  ((once > 2 * 1024 * 1024)) || fail "the storage has sent only $once bytes"
  has_more() { (($(kept) > before + 2 * 1024 * 1024)); }
  eventually has_more
  REGISTRY=$REDIRECTING run -0 pull second
  (($(stored) < once + 16)) || fail "$(stored) bytes instead of $once: it was downloaded again"

  digest=$(cd "$WORLD/elsewhere/blobs/sha256" && ls -S | head -n1)
  url=https://$REDIRECTING/v2/large/blobs/sha256:$digest
  fetch() { sandbox exec second curl -sSL --http1.1 --max-time "$kPatience" "$@" "$url"; }
  equal "$(fetch)" '<html>Who are you?</html>'
  equal "$(fetch -u user:wrong)" '<html>Who are you?</html>'
  equal "$(fetch -u "user:$kWord" | sha256sum)" "$digest  -"
  (($(stored) < once + 16)) || fail "$(stored) bytes instead of $once: it was downloaded again"
}

@test "a host that the policy forbids is forbidden, whatever is kept of it" {
  sandbox network proxy second --block-host up.test >/dev/null
  run ! sandbox exec second docker pull -q "$REGISTRY/large"
  says "Blocked by network policy: $REGISTRY"
  says "rule: "
  run -0 sandbox exec second curl -sS --max-time "$kPatience" -o /dev/null -w '%{http_code}' -u "user:$kWord" "$(large_layer_url)"
  equal "$output" 403
  sandbox network proxy second --allow-host up.test >/dev/null
}

@test "--no-docker-cache: downloaded again" {
  sandbox_with without --no-docker-cache
  local before
  before=$(sent)
  run -0 pull without
  (($(sent) > before + 8 * 1024 * 1024)) || fail "nothing was downloaded"
  run ! cache_pid_of without
  equal "$(inspect without .features.docker_cache)" false
  equal "$(inspect first .features.docker_cache)" true
  sandbox rm without >/dev/null
}

@test "system df shows what is kept, and system prune removes it" {
  run -0 sandbox system df
  matches 'docker cache +\(all\) +[0-9.]+ ?M'
  run -0 sandbox system prune
  matches '^Reclaimed [0-9.]+ ?M'
  (($(kept) < 1024 * 1024)) || fail "$(kept) bytes are still there"
  sandbox exec first docker rmi -f "$REGISTRY/large" >/dev/null
  local before
  before=$(sent)
  run -0 pull first
  (($(sent) > before)) || fail "nothing was downloaded"
}

@test "a pull goes on without the cache when its process is killed" {
  kill -9 "$(cache_pid_of first)"
  sandbox exec first docker rmi -f "$REGISTRY/large" >/dev/null
  run -0 pull first
  run ! cache_pid_of first
}

@test "the process that keeps them has no right to anything else" {
  local pid
  pid=$(cache_pid_of second)
  equal "$(status_line "$pid" CapEff)" 0000000000000000
  equal "$(status_line "$pid" CapBnd)" 0000000000000000
  equal "$(status_line "$pid" NoNewPrivs)" 1
  equal "$(status_line "$pid" Seccomp)" 2
  [[ $(status_line "$pid" Uid | cut -d' ' -f1) != 0 ]]
  equal "$(ls "/proc/$pid/root")" network
  run ! ls "/proc/$pid/root/network/../../etc"
}

@test "a cache that is full keeps what was used last, and never more than it may" {
  sandbox stop second >/dev/null
  jq '. + {dockerCache: "9m"}' "$SANDBOXD_CONFIG" >"$WORLD/small.json" && mv "$WORLD/small.json" "$SANDBOXD_CONFIG"
  head -c 8M /dev/urandom >"$WORLD/data/random"
  python3 "$kSource/tests/e2e/image.py" "$WORLD/layout2" --layer "$WORLD/tree" --layer "$WORLD/data"
  skopeo --insecure-policy copy -q --dest-tls-verify=false --dest-creds "user:$kWord" "oci:$WORLD/layout2" \
    "docker://127.0.0.1:${REGISTRY#*:}/large"
  run -0 pull second
  keeps_one() { (($(kept) > 8 * 1024 * 1024 && $(kept) < 10 * 1024 * 1024)); }
  eventually keeps_one
}
