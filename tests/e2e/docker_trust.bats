#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Programs in nested containers and builds trust the sandbox's authority, though their image has no certificate at all: the
# host's own wget (GnuTLS), curl (OpenSSL), git, python3 and node.

load upstreams

setup_file() {
  export SANDBOX_TIMEOUT=400  # a build in an emulated machine, whose image is of 200 MB
  world_up
  upstreams_up
  mkdir -p "$WORLD/project"
  sandbox create -q --name box --memory 2g --add-host up.test:127.0.0.1 claude "$WORLD/project" >/dev/null
  sandbox network proxy box --allow-host up.test >/dev/null
  make_tree
  tar -C "$WORLD/tree" -c . | docker_of box import - clients >/dev/null
}

docker_of() { timeout 400 docker --host "unix://$SANDBOXES_HOME/vm/$1/docker.sock" "${@:2}"; }

# A root with these programs at the paths that they have on the host, and what they need.
make_tree() {
  local name program
  mkdir -p "$WORLD/tree"/{bin,tmp}
  cp /bin/busybox "$WORLD/tree/bin/sh"
  for name in wget curl git node python3; do
    program=$(PATH=/usr/bin:$PATH command -v "$name") || continue
    echo "$program"
    libraries_of "$program"
  done | put_into_tree
  program=$(git --exec-path)/git-remote-http
  { echo "$program"; echo "${program}s"; libraries_of "$program"; } | put_into_tree
  program=$(/usr/bin/python3 -c 'import os; print(os.path.dirname(os.__file__))')
  { find "$program" \( -name test -o -name __pycache__ -o -name dist-packages \) -prune -o -type f -print
    libraries_of "$program"/lib-dynload/*.so; } | put_into_tree
}

libraries_of() { ldd "$@" 2>/dev/null | grep -oE '/[^ :]+\.so[^ :]*' | sort -u; }
# By their names, what those lead to, and without words about the first slash.
put_into_tree() { tar -P -ch -T - 2>/dev/null | tar -C "$WORLD/tree" -x 2>/dev/null; }

# trusts COMMAND: whether it gets what the server says, in a container and in both kinds of builds.
trusts() {
  local kit
  run -0 docker_of box run --rm clients sh -c "$1"
  says hello
  printf 'FROM clients\nRUN ["sh", "-c", %s]\n' "$(jq -n --arg command "$1" '$command')" >"$WORLD/project/Dockerfile"
  for kit in 0 1; do
    run -0 sandbox exec -e DOCKER_BUILDKIT=$kit box docker build --no-cache "$WORLD/project"
  done
}

@test "wget, with GnuTLS" {
  [[ $(ldd "$(command -v wget)") == *libgnutls* ]] || skip "this host's wget is not made with GnuTLS"
  trusts "/usr/bin/wget -nv -O- https://up.test:$TLS_PORT/"
}

@test "curl" { trusts "curl -sSf https://up.test:$TLS_PORT/"; }

@test "python3" {
  trusts "python3 -c 'import urllib.request; print(urllib.request.urlopen(\"https://up.test:$TLS_PORT/\").read())'"
}

@test "node" {
  trusts "node -e 'require(\"https\").get(\"https://up.test:$TLS_PORT/\", (answer) => answer.pipe(process.stdout))'"
}

@test "git" {
  git init -q --bare "$UPSTREAMS/git/repo.git"
  git config --global --add safe.directory "$UPSTREAMS/git/repo.git"
  trusts "git ls-remote https://up.test:$TLS_PORT/git/repo.git && echo hello"
}

@test "the proxy has its name in them, and keeps to the policy" {
  through_proxy() { docker_of box run --rm clients curl -sS -x http://host.docker.internal:3128 "$1"; }
  run -0 through_proxy "https://up.test:$TLS_PORT/"
  says hello
  run -0 through_proxy "http://up.test:$HTTP_PORT/"
  says hello
  sandbox network proxy box --block-host other.test >/dev/null
  run -0 through_proxy http://other.test/
  says "Blocked by network policy: other.test:80"
}

@test "what an unknown authority has signed is refused" {
  run ! docker_of box run --rm clients /usr/bin/wget -qO- "https://up.test:$STRANGER_PORT/"
}
