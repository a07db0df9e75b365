# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A registry on the host's loopback, in a world (world.bash). registry_up after world_up sets REGISTRY, host:port.

source "$(dirname "${BASH_SOURCE[0]}")/world.bash"

free_port() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }

registry_up() {
  export REGISTRY=127.0.0.1:$(free_port)
  mkdir -p "$WORLD/registry"
  cat >"$WORLD/registry/config.yml" <<END
version: 0.1
storage: {filesystem: {rootdirectory: $WORLD/registry/data}, delete: {enabled: true}}
http: {addr: $REGISTRY, secret: test}
END
  docker-registry serve "$WORLD/registry/config.yml" >"$WORLD/registry/log" 2>&1 3>&- &
  echo $! >"$WORLD/registry/pid"
  eventually curl -sf "http://$REGISTRY/v2/"
}

registry_down() { kill "$(<"$WORLD/registry/pid")" 2>/dev/null || true; }

# push NAME image.py's ARGUMENTS...
push() {
  local layout=$WORLD/layout.$RANDOM
  python3 "$kSource/tests/e2e/image.py" "$layout" "${@:2}"
  skopeo --insecure-policy copy -q --dest-tls-verify=false "oci:$layout" "docker://$REGISTRY/$1"
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
  cp -al "$shared" "$SANDBOXES_HOME/templates"
}
