#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Templates from elsewhere than a registry: a real Docker, podman's storage, archives and root file systems.

load registry
load docker

setup_file() {
  world_up
  own_templates
  registry_up
  docker_up
  podman_storage
  busybox_tree "$WORLD/busybox"
  mkdir -p "$WORLD/ws" "$WORLD/more"
  echo more >"$WORLD/more/more"
  tar -C "$WORLD/busybox" --owner=0 --group=0 -cf "$WORLD/rootfs.tar" .
  tar -C "$WORLD/more" --owner=0 --group=0 -cf "$WORLD/more.tar" .
  python3 "$kSource/tests/e2e/image.py" "$WORLD/layout" --layer "$WORLD/busybox" --layer "$WORLD/more" --env PATH=/bin --gzip
  docker import -c 'ENV PATH=/bin' -c 'ENV FROM=docker' "$WORLD/rootfs.tar" "$REGISTRY/local:dev" >/dev/null
}

teardown_file() {
  docker_down
  registry_down
  world_down
}

# podman's, as skopeo and podman share it, in this world.
podman_storage() {
  export CONTAINERS_STORAGE_CONF=$WORLD/storage.conf
  printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' "$WORLD/podman" "$WORLD/podman-run" >"$CONTAINERS_STORAGE_CONF"
}

template() { sandbox template "$@"; }
# What a sandbox of the template finds in it.
found_in() {
  local name=try$RANDOM
  sandbox create -q --name "$name" --pull-template never -t "$1" shell "$WORLD/ws" >/dev/null || return
  sandbox exec "$name" "${@:2}"
  sandbox rm "$name" >/dev/null
}

@test "pull --from docker takes what only the local Docker has" {
  run -125 --separate-stderr template pull "$REGISTRY/local:dev"
  is_error "pull $REGISTRY/local:dev"
  run -0 template pull -q --from docker "$REGISTRY/local:dev"
  equal "$output" "$REGISTRY/local:dev"
  equal "$(template inspect --format '{{.Source}}' "$REGISTRY/local:dev" | cut -d@ -f1)" "docker-daemon:$REGISTRY/local:dev"
  equal "$(found_in "$REGISTRY/local:dev" sh -c 'echo $FROM')" docker
  run -125 --separate-stderr template pull --from docker "$REGISTRY/nosuch"
  is_error "pull $REGISTRY/nosuch:latest"
}

@test "a name that its registry does not have is looked for in the local Docker, and create says so" {
  template rm "$REGISTRY/local:dev"
  run -0 --separate-stderr sandbox create --name fallen -t "$REGISTRY/local:dev" shell "$WORLD/ws"
  [[ $stderr == *"Template $REGISTRY/local:dev is not in its registry: it was taken from the local Docker."* ]]
  equal "$(sandbox exec fallen sh -c 'echo $FROM')" docker
  sandbox rm fallen >/dev/null
  run -125 --separate-stderr sandbox create --name fallen -t "$REGISTRY/nosuch" shell "$WORLD/ws"
  is_error "pull $REGISTRY/nosuch:latest"
}

@test "--load-local-template takes Docker's, although the registry has another" {
  template rm "$REGISTRY/local:dev"
  push local:dev --layer "$WORLD/busybox" --env PATH=/bin --env FROM=registry
  sandbox create -q --name local --load-local-template -t "$REGISTRY/local:dev" shell "$WORLD/ws"
  equal "$(sandbox exec local sh -c 'echo $FROM')" docker
  sandbox rm local >/dev/null
  template pull -q "$REGISTRY/local:dev"
  equal "$(found_in "$REGISTRY/local:dev" sh -c 'echo $FROM')" registry
}

@test "pull --from podman takes what is in its storage" {
  skopeo --insecure-policy copy -q "oci:$WORLD/layout" containers-storage:localhost/mine:1
  run -0 template pull -q --from podman localhost/mine:1
  equal "$output" localhost/mine:1
  equal "$(found_in localhost/mine:1 cat /more)" more
}

@test "load takes every image of what docker save writes, with its names" {
  docker import -c 'ENV PATH=/bin' -c 'ENV FROM=second' "$WORLD/rootfs.tar" second:1 >/dev/null
  docker tag second:1 org/alias:2
  docker save -o "$WORLD/saved.tar" "$REGISTRY/local:dev" second:1 org/alias:2
  run -0 template load -q "$WORLD/saved.tar"
  equal "$(sort <<<"$output")" "$(printf '%s\n' "$REGISTRY/local:dev" org/alias:2 second:1 | sort)"
  equal "$(found_in org/alias:2 sh -c 'echo $FROM')" second
  equal "$(template inspect --format '{{.Digest}}' second:1)" "$(template inspect --format '{{.Digest}}' org/alias:2)"
}

@test "an image of docker's has docker's id; its layers are read once, and have to be those that it names" {
  local id
  id=$(docker inspect --format '{{.Id}}' second:1)
  equal "$(template inspect --format '{{.Digest}}' second:1)" "$id"
  docker save -o "$WORLD/second.tar" second:1
  mkdir "$WORLD/second"
  tar -C "$WORLD/second" -xf "$WORLD/second.tar"
  find "$WORLD/second" -name layer.tar -exec sh -c 'echo none >"$1"' _ {} \;
  tar -C "$WORLD/second" -cf "$WORLD/hollow.tar" .
  template rm second:1 org/alias:2
  # The other image has the same layer.
  equal "$(template load -q "$WORLD/hollow.tar")" second:1
  equal "$(template inspect --format '{{.Digest}}' second:1)" "$id"
  equal "$(found_in second:1 sh -c 'echo $FROM')" second
  # Layers that are not here come from the archive, and only the right ones.
  docker import -c 'ENV FROM=third' "$WORLD/more.tar" third:1 >/dev/null
  docker save -o "$WORLD/third.tar" third:1
  mkdir "$WORLD/third"
  tar -C "$WORLD/third" -xf "$WORLD/third.tar"
  find "$WORLD/third" -name layer.tar -exec cp "$WORLD/rootfs.tar" {} \;
  tar -C "$WORLD/third" -cf "$WORLD/forged.tar" .
  run -2 --separate-stderr template load "$WORLD/forged.tar"
  is_error "the layer is not the one that was asked for"
  run -125 template inspect third:1
}

@test "load takes what is compressed, and standard input" {
  docker save second:1 | gzip -1 >"$WORLD/saved.tar.gz"
  template rm second:1
  equal "$(template load -q "$WORLD/saved.tar.gz")" second:1
  template rm second:1
  equal "$(docker save second:1 | sandbox template load -q -)" second:1
  equal "$(found_in second:1 sh -c 'echo $FROM')" second
}

@test "load takes OCI archives and directories, with the name that they have or are given" {
  skopeo --insecure-policy copy -q "oci:$WORLD/layout" "oci-archive:$WORLD/oci.tar:org/oci:1"
  equal "$(template load -q "$WORLD/oci.tar")" org/oci:1
  equal "$(found_in org/oci:1 cat /more)" more
  run -2 --separate-stderr template load "$WORLD/layout"
  is_error "the archive has no name for its image"
  equal "$(template load -q --tag from/directory "$WORLD/layout")" from/directory:latest
  equal "$(found_in from/directory cat /more)" more
}

@test "load --tag takes the root file system of a machine, however it is compressed" {
  local pack
  run -2 --separate-stderr template load "$WORLD/rootfs.tar"
  is_error "as a root file system it needs a name"
  [[ $stderr == *"--tag NAME"* ]]
  for pack in cat gzip xz zstd; do
    "$pack" <"$WORLD/rootfs.tar" >"$WORLD/packed"
    equal "$(template load -q --tag "root:$pack" "$WORLD/packed")" "root:$pack"
  done
  equal "$(template inspect --format '{{index .Layers 0 | json}}' root:cat)" "$(template inspect --format '{{index .Layers 0 | json}}' root:zstd)"
  equal "$(found_in root:xz /bin/busybox cat /etc/passwd | grep -c ^root:)" 1
}

@test "what is no archive, an empty one, and one that is cut off or hostile, are refused and leave nothing" {
  local before
  before=$(template ls --json)
  echo "no archive" >"$WORLD/text"
  tar -cf "$WORLD/empty.tar" -T /dev/null
  head -c 300000 "$WORLD/saved.tar" >"$WORLD/cut.tar"
  head -c 300000 "$WORLD/rootfs.tar" >"$WORLD/cutroot.tar"
  tar -C "$WORLD" --absolute-names -cf "$WORLD/absolute.tar" "$WORLD/text"
  for file in text empty.tar cut.tar cutroot.tar absolute.tar; do
    run --separate-stderr template load --tag bad "$WORLD/$file"
    [[ $status != 0 && $stderr == *error:* ]] || fail "$file was taken: $output"
  done
  run -125 --separate-stderr template load "$WORLD/nosuch.tar"
  is_error "nosuch.tar"
  run -2 --separate-stderr template load --tag one "$WORLD/saved.tar"
  is_error "the archive has 2 images, and --tag is one name"
  equal "$(template ls --json)" "$before"
  equal "$(find "$SANDBOXES_HOME/templates/" -maxdepth 1 -name 'tmp-*')" ""
}

@test "a client hands the daemon a file as a descriptor; what is no file that it may read is refused" {
  local daemon=$SANDBOXES_HOME/sandboxd.sock open
  attach() { python3 "$kSource/tests/e2e/attach.py" "$daemon" "$@"; }
  sandbox ls >/dev/null
  [[ $(attach "/templates/load?tag=handed:1" "$WORLD/rootfs.tar") == '200 '*handed:1* ]]
  equal "$(found_in handed:1 /bin/busybox cat /etc/passwd | grep -c ^root:)" 1
  # Of several only the first is taken, and none stays open.
  [[ $(attach "/templates/load?tag=handed:2" "$WORLD/rootfs.tar" "$WORLD/text" /etc/hostname) == '200 '* ]]
  [[ $(attach /templates/load) == '400 '*"no descriptor came with the request"* ]]
  [[ $(attach "/templates/load?tag=a" "$WORLD") == '400 '*"the archive is no file"* ]]
  [[ $(attach "/templates/load?tag=a" pipe) == '400 '*"the archive is no file"* ]]
  [[ $(attach "/templates/load?tag=a" /dev/zero) == '400 '*"the archive is no file"* ]]
  # What comes with another request is closed with it.
  for ((i = 0; i < 20; ++i)); do attach "/templates/prune" "$WORLD/rootfs.tar" >/dev/null; done
  open=$(find "/proc/$(daemon_pid)/fd" -lname "$WORLD/rootfs.tar")
  equal "$open" ""
}
