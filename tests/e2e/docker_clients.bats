#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Programs that people use with Docker, on a sandbox's docker.sock: the rest of the docker client, compose, BuildKit,
# dockerode and the devcontainer CLI of npm, and the vendor's own sequence of raw requests.

setup_file() {
  load world
  world_up
  mkdir -p "$WORLD/project" "$WORLD/busybox/bin" "$WORLD/busybox/tmp"
  cp "$(command -v busybox)" "$WORLD/busybox/bin/"
  local name
  for name in sh cat ls id true sleep wget nc httpd stty env touch test mkdir ps grep uname chmod printf; do
    ln -s busybox "$WORLD/busybox/bin/$name"
  done
  mkdir -p "$WORLD/busybox/etc"
  echo 'root:x:0:0:root:/root:/bin/sh' >"$WORLD/busybox/etc/passwd"
  tar -C "$WORLD/busybox" -cf "$WORLD/busybox.tar" .
  sandbox create -q --name box --memory 2g claude "$WORLD/project" >/dev/null
  docker_of box import - small <"$WORLD/busybox.tar" >/dev/null
}

teardown_file() {
  load world
  world_down
}

setup() { load world; }
teardown() {
  local left
  left=$(docker_of box ps -aq)
  # shellcheck disable=SC2086
  [[ -z $left ]] || docker_of box rm -f $left >/dev/null
}

socket_of() { echo "$SANDBOXES_HOME/vm/$1/docker.sock"; }
docker_of() { timeout 180 docker --host "unix://$(socket_of "$1")" "${@:2}" 3>&-; }
raw() { curl -sS --max-time 120 --unix-socket "$(socket_of box)" "$@" 3>&-; }
on_terminal() { PYTHONPATH=$BATS_TEST_DIRNAME timeout 120 python3 -B - "$@" 3>&-; }

@test "cp, both ways, and a directory as a stream" {
  docker_of box run -d --name copied small sleep 600 >/dev/null
  mkdir -p "$WORLD/in"
  head -c 1M /dev/urandom >"$WORLD/in/file"
  docker_of box cp "$WORLD/in" copied:/in
  docker_of box cp copied:/in/file "$WORLD/out"
  cmp "$WORLD/in/file" "$WORLD/out"
  docker_of box cp copied:/in - | tar -t | grep -qx in/file
}

@test "events tell what happens, as it happens" {
  docker_of box events --filter event=die --format '{{.Actor.Attributes.name}}' >"$WORLD/events" &
  local client=$!
  # Until the client listens there is nothing to hear: one container after the other, until one was heard of.
  heard() {
    docker_of box run --rm --name "seen-$RANDOM" small true
    [[ -s $WORLD/events ]]
  }
  eventually heard
  kill "$client"
  grep -q '^seen-' "$WORLD/events"
}

@test "run, exec and attach with a terminal, whose size is the user's" {
  on_terminal "$(socket_of box)" <<'PY'
from terminal import *
docker = ["docker", "--host", "unix://" + sys.argv[1]]
t = Terminal(*docker, "run", "-it", "--name", "screen", "small", "sh", rows=33, columns=111)
t.shell()
eventually(lambda: t.run("stty size") == "33 111", "the size is the terminal's")  # it comes after the start
e = Terminal(*docker, "exec", "-it", "screen", "sh")
e.shell()
equal(e.run("echo $((6 * 7))"), "42")
e.type("exit 5\n")
equal(e.wait(), 5)
a = Terminal(*docker, "attach", "screen")
a.type("echo from the other\n")
a.expect("from the other")
a.close()
t.type("exit 4\n")
equal(t.wait(), 4)
PY
}

@test "logs -f follows to the end" {
  docker_of box run -d --name talking small sh -c 'echo one; sleep 2; echo two' >/dev/null
  run -0 docker_of box logs -f talking
  equal "$output" $'one\ntwo'
}

@test "containers reach each other by name, and a published port is reached from the host through sandbox ports" {
  docker_of box network create together >/dev/null
  docker_of box run -d --name server --network together -p 8080:80 small \
    sh -c 'mkdir /www; echo hello > /www/index.html; httpd -f -p 80 -h /www' >/dev/null
  fetched() { [[ $(docker_of box run --rm --network together small wget -qO- http://server/) == hello ]]; }
  eventually fetched
  local published
  published=$(sandbox ports box --publish 8080 | grep -oE '127\.0\.0\.1:[0-9]+' | head -1)
  eventually curl -sSf --max-time 10 "http://$published/" -o "$WORLD/page"
  equal "$(cat "$WORLD/page")" hello
  sandbox ports box --unpublish 8080 >/dev/null
  docker_of box rm -f server >/dev/null
  docker_of box network rm together >/dev/null
}

@test "compose: two services, a health check, a volume that outlives them" {
  local compose
  compose=$(command -v docker-compose) || skip "docker-compose is not installed"
  mkdir -p "$WORLD/compose"
  cat >"$WORLD/compose/docker-compose.yml" <<'YAML'
version: "2.4"
services:
  database:
    image: small
    command: sh -c 'touch /data/kept-$$(ls /data | grep -c .); touch /tmp/ready; httpd -f -p 5432 -h /data'
    volumes: ["data:/data"]
    healthcheck: {test: ["CMD", "test", "-e", "/tmp/ready"], interval: 1s, retries: 60}
  web:
    image: small
    command: sh -c 'ls /data; mkdir /www; echo up > /www/index.html; httpd -f -p 80 -h /www'
    depends_on: {database: {condition: service_healthy}}
    volumes: ["data:/data"]
volumes: {data: {}}
YAML
  compose() { (cd "$WORLD/compose" && DOCKER_HOST=unix://$(socket_of box) timeout 170 "$compose" -p shop "$@" 3>&-); }
  compose up -d
  equal "$(docker_of box inspect -f '{{.State.Health.Status}}' "$(compose ps -q database)")" healthy
  run -0 compose exec -T web wget -qO- http://web/
  equal "$output" up
  compose exec -T web wget -qO- http://database:5432/kept-0
  run -0 compose logs web
  says kept-0
  compose down
  compose up -d
  shows_both() { compose logs web | grep -q kept-1; }
  eventually shows_both
  compose down -v
  equal "$(docker_of box volume ls -q | grep -c shop || true)" 0
}

@test "compose from inside, by the name that the distribution has for it" {
  mkdir -p "$WORLD/project/inside"
  cat >"$WORLD/project/inside/docker-compose.yml" <<'YAML'
version: "2.4"
services:
  web:
    image: small
    command: sh -c 'mkdir /www; cat /x/page > /www/index.html; httpd -f -p 80 -h /www'
    volumes: [".:/x"]
YAML
  echo 'from the workspace' >"$WORLD/project/inside/page"
  run -0 --separate-stderr sandbox exec -w "$WORLD/project/inside" box sh -ec '
    compose() { if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi; }
    compose up -d >&2
    until compose exec -T web wget -qO- http://web/ 2>/dev/null; do :; done
    compose down >&2'
  equal "$output" 'from the workspace'
}

@test "BuildKit, where the daemon has it" {
  mkdir -p "$WORLD/project/kit"
  cat >"$WORLD/project/kit/Dockerfile" <<'END'
FROM small AS first
RUN --mount=type=cache,target=/cache echo one > /one && ls /dev/.sandbox/proxy-ca.crt
FROM small
COPY --from=first /one /two
END
  run sandbox exec -e DOCKER_BUILDKIT=1 box docker build -q -t kit "$WORLD/project/kit"
  [[ $output != *"buildx component is missing"* ]] || skip "the guest's docker client has no BuildKit (docker-buildx)"
  equal "$status" 0
  equal "$(docker_of box run --rm kit cat /two)" one
}

# The vendor's users drive a sandbox like this (the sandboxd API, then the Docker API on its socket).
@test "the vendor's raw requests: list, create, load, run -d with the proxy's variables, exec, delete" {
  equal "$(api GET /vm | jq -r '.[] | select(.vm_name == "box").agent_name')" claude
  mkdir -p "$WORLD/raw"
  local vm socket
  vm=$(api POST /vm -H 'Content-Type: application/json' -d "{\"agent_name\": \"sandbox-agent\", \"workspace_dir\": \"$WORLD/raw\"}")
  socket=$(jq -r .vm_config.socketPath <<<"$vm")
  [[ -S $socket ]]
  on_socket() { curl -sS --max-time 120 --unix-socket "$socket" "$@" 3>&-; }
  docker_of box save small -o "$WORLD/small.tar"
  on_socket -X POST -H 'Content-Type: application/x-tar' --data-binary "@$WORLD/small.tar" http://localhost/images/load >"$WORLD/loaded"
  grep -q 'Loaded image' "$WORLD/loaded"
  local id
  id=$(on_socket -X POST -H 'Content-Type: application/json' 'http://localhost/containers/create?name=agent' -d '{
    "Image": "small", "Cmd": ["sleep", "600"],
    "Env": ["HTTP_PROXY=http://host.docker.internal:3128", "HTTPS_PROXY=http://host.docker.internal:3128"],
    "HostConfig": {"Binds": ["'"$WORLD/raw:$WORLD/raw"'"]}}' | jq -r .Id)
  on_socket -X POST "http://localhost/containers/$id/start"
  local exec
  exec=$(on_socket -X POST -H 'Content-Type: application/json' "http://localhost/containers/$id/exec" \
    -d '{"AttachStdout": true, "Tty": true, "Cmd": ["sh", "-c", "echo made > '"$WORLD"'/raw/made; env | grep ^HTTP_PROXY"]}' | jq -r .Id)
  run -0 on_socket -X POST -H 'Content-Type: application/json' "http://localhost/exec/$exec/start" -d '{"Tty": true}'
  says HTTP_PROXY=http://host.docker.internal:3128
  equal "$(on_socket "http://localhost/exec/$exec/json" | jq .ExitCode)" 0
  equal "$(cat "$WORLD/raw/made")" made
  equal "$(on_socket -X DELETE -o /dev/null -w '%{http_code}' "http://localhost/containers/$id?force=1")" 204
  api DELETE "/vm/$(jq -r .vm_name <<<"$vm")" >/dev/null
  [[ ! -e $socket ]]
}

# from_npm NAME PACKAGE@VERSION: installs it once for all runs; sets PACKAGES.
npm_package() {
  command -v npm >/dev/null || skip "npm is not installed"
  export SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  PACKAGES=$SDK_BUILD/$1/node_modules
  [[ -d $PACKAGES ]] || {
    mkdir -p "$SDK_BUILD/$1"
    echo '{"private": true}' >"$SDK_BUILD/$1/package.json"
    (cd "$SDK_BUILD/$1" && npm_quietly install "$2") || { rm -rf "${SDK_BUILD:?}/$1"; fail "npm has no $2"; }
  }
}

# bats test_tags=once
@test "dockerode: containers, streams, exec, images, events" {
  npm_package dockerode dockerode@5.0.1
  NODE_PATH=$PACKAGES run -0 timeout 170 node "$kSource/tests/e2e/dockerode_client.cjs" "$(socket_of box)"
  equal "$output" $'pinged\nran: hello from dockerode, status 7\nexec: in the container\nimage: small\nevent: die\nstats: yes\nbuilt: built by dockerode'
}

# bats test_tags=once
@test "devcontainer up and exec, with a local image" {
  npm_package devcontainers @devcontainers/cli@0.89.0
  mkdir -p "$WORLD/project/app/.devcontainer"
  echo '{"image": "small", "remoteUser": "root", "updateRemoteUserUID": false, "overrideCommand": true}' \
    >"$WORLD/project/app/.devcontainer/devcontainer.json"
  devcontainer() {
    DOCKER_HOST=unix://$(socket_of box) timeout 170 node "$PACKAGES/@devcontainers/cli/devcontainer.js" "$1" \
      --workspace-folder "$WORLD/project/app" "${@:2}" 3>&-
  }
  run -0 devcontainer up
  says '"outcome":"success"'
  echo content >"$WORLD/project/app/file"
  run -0 devcontainer exec cat file
  says content
}
