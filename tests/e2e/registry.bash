# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A registry on the host's loopback, in a world (world.bash). registry_up after world_up sets REGISTRY, host:port.

source "$(dirname "${BASH_SOURCE[0]}")/world.bash"

# serve_registry DIRECTORY HOST:PORT [YAML...]: with these lines added to its configuration.
serve_registry() {
  mkdir -p "$1"
  cat >"$1/config.yml" <<END
version: 0.1
storage: {filesystem: {rootdirectory: $1/data}, delete: {enabled: true}}
http: {addr: $2, secret: test}
END
  printf '%s\n' "${@:3}" >>"$1/config.yml"
  docker-registry serve "$1/config.yml" >"$1/log" 2>&1 3>&- &
  echo $! >"$1/pid"
  kPatience=60 eventually curl -s "http://$2/v2/" >/dev/null || { tail -20 "$1/log" >&2; return 1; }
}

registry_up() {
  export REGISTRY=127.0.0.1:$(free_port)
  serve_registry "$WORLD/registry" "$REGISTRY"
}

# One that knows nobody but user, whose password is "word". Sets PRIVATE.
private_registry_up() {
  export PRIVATE=127.0.0.1:$(free_port)
  # By the C library's own: Python 3.13 has no crypt any more.
  python3 -c 'import ctypes
library = ctypes.CDLL("libcrypt.so.1")
library.crypt.restype = ctypes.c_char_p
print("user:" + library.crypt(b"word", b"$2b$05$" + b"a" * 22).decode())' >"$WORLD/htpasswd"
  serve_registry "$WORLD/private" "$PRIVATE" "auth: {htpasswd: {realm: test, path: $WORLD/htpasswd}}"
}

registry_down() {
  local pid
  for pid in "$WORLD"/registry/pid "$WORLD"/private/pid; do
    [[ ! -e $pid ]] || kill "$(<"$pid")" 2>/dev/null || true
  done
}

# push NAME image.py's ARGUMENTS...
push() {
  local layout=$WORLD/layout.$RANDOM
  python3 "$kSource/tests/e2e/image.py" "$layout" "${@:2}"
  skopeo --insecure-policy copy -q --dest-tls-verify=false "oci:$layout" "docker://$REGISTRY/$1"
  rm -rf "$layout"
}

# push_index NAME LAYOUT...: an image for several platforms, one of each layout.
push_index() {
  local layout=$WORLD/layout.$RANDOM one
  mkdir -p "$layout"
  for one in "${@:2}"; do cp -a "$one/." "$layout"; done
  for one in "${@:2}"; do
    jq --slurpfile config "$one/blobs/sha256/$(jq -r '.manifests[0].digest[7:]' "$one/index.json" \
      | xargs -I{} jq -r '.config.digest[7:]' "$one/blobs/sha256/{}")" \
      '.manifests[0] + {platform: {os: "linux", architecture: $config[0].architecture}}' "$one/index.json"
  done | jq -s '{schemaVersion: 2, manifests: .}' >"$layout/all.json"
  local digest
  digest=$(sha256sum "$layout/all.json" | cut -d' ' -f1)
  cp "$layout/all.json" "$layout/blobs/sha256/$digest"
  jq -n --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$layout/all.json")" '{schemaVersion: 2, manifests:
    [{mediaType: "application/vnd.oci.image.index.v1+json", digest: $digest, size: $size}]}' >"$layout/index.json"
  skopeo --insecure-policy copy -q --all --dest-tls-verify=false "oci:$layout" "docker://$REGISTRY/$1"
  rm -rf "$layout"
}

# Trees for layers.
busybox_tree() {
  mkdir -p "$1/bin" "$1/etc"
  cp /bin/busybox "$1/bin/"
  local program
  for program in sh ls cat echo id env; do ln -sf busybox "$1/bin/$program"; done
  echo 'root:x:0:0:root:/root:/bin/sh' >"$1/etc/passwd"
}

# The templates of this world alone: a copy, so that what is removed here is missed nowhere.
own_templates() {
  local shared
  shared=$(readlink -f "$SANDBOXES_HOME/templates")
  rm "$SANDBOXES_HOME/templates"
  copy_templates "$shared" "$SANDBOXES_HOME/templates"
}
