#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A sandbox's own Docker daemon, by the stock docker client of the host and from inside: the real dockerd of the agents'
# templates, on both backends.

setup_file() {
  load world
  world_up
  mkdir -p "$WORLD/project" "$WORLD/busybox/bin"
  cp "$(command -v busybox)" "$WORLD/busybox/bin/"
  local name
  for name in sh cat ls id true sleep wget stat; do ln -s busybox "$WORLD/busybox/bin/$name"; done
  tar -C "$WORLD/busybox" -cf "$WORLD/busybox.tar" .
  sandbox create -q --name box --memory 2g claude "$WORLD/project" >/dev/null
  docker_of box import - small <"$WORLD/busybox.tar" >/dev/null
}

teardown_file() {
  load world
  world_down
}

setup() { load world; }

socket_of() { echo "$SANDBOXES_HOME/vm/$1/docker.sock"; }
docker_of() { timeout 120 docker --host "unix://$(socket_of "$1")" "${@:2}"; }
daemon_runs() { sandbox exec -u root "$1" pidof dockerd >/dev/null; }

@test "docker.sock is there before the sandbox runs, and only for its user" {
  sandbox create -q --name idle claude "$WORLD/project" >/dev/null
  [[ -S $(socket_of idle) ]]
  equal "$(stat -c %a "$(socket_of idle)")" 600
  run -0 sandbox ls --json
  equal "$(jq -r '.vms[] | select(.name == "box").socket_path' <<<"$output")" "$(socket_of box)"
  sandbox rm idle >/dev/null
  [[ ! -e $(socket_of idle) ]]
}

@test "the daemon starts when its socket is first used" {
  sandbox create -q --name fresh claude "$WORLD/project" >/dev/null
  sandbox exec fresh true
  run ! daemon_runs fresh
  run -0 docker_of fresh version --format '{{.Server.Version}}'
  daemon_runs fresh
  sandbox rm fresh >/dev/null
}

@test "a container runs, with its output and exit code" {
  run -0 docker_of box run --rm small sh -c 'echo hello; id -u'
  equal "$output" $'hello\n0'
  run -3 docker_of box run --rm small sh -c 'exit 3'
}

@test "standard input reaches it, and its end" {
  equal "$(printf 'one\ntwo\n' | docker_of box run --rm -i small cat)" $'one\ntwo'
}

@test "the agent uses it, without sudo" {
  run -0 sandbox exec box docker run --rm small sh -c 'echo from inside'
  equal "$output" "from inside"
}

@test "the workspace is at its path, and what a container writes there is the user's" {
  echo original >"$WORLD/project/file"
  run -0 docker_of box run --rm -v "$WORLD/project:/x" small sh -c 'cat /x/file; echo new > /x/made'
  equal "$output" original
  equal "$(cat "$WORLD/project/made")" new
  # As the guest's user it is the user's own; root of the guest is nobody's root.
  run -0 docker_of box run --rm -u 1000 -v "$WORLD/project:/x" small sh -c 'stat -c %u /x /x/file; echo own > /x/own; stat -c %u /x/own'
  equal "$output" $'1000\n1000\n1000'
  equal "$(stat -c %u "$WORLD/project/own")" "$(stat -c %u "$WORLD/project")"
}

# bats test_tags=once
@test "a bind of a path that is not in the sandbox is the guest's own" {
  docker_of box run --rm -v "$WORLD/elsewhere:/x" small sh -c 'echo inside > /x/made'
  run -0 sandbox exec box cat "$WORLD/elsewhere/made"
  equal "$output" inside
  [[ ! -e $WORLD/elsewhere ]]
}

@test "an image is built, and what is added to containers is not in it" {
  mkdir -p "$WORLD/context"
  printf 'FROM small\nRUN echo built > /built && ls /dev/.sand*\n' >"$WORLD/context/Dockerfile"
  DOCKER_BUILDKIT=0 run -0 docker_of box build -q -t made "$WORLD/context"
  run -0 docker_of box run --rm made cat /built
  equal "$output" built
  docker_of box save made -o "$WORLD/made.tar"
  run ! grep -qa 'dev/.sandbox' "$WORLD/made.tar"
}

# bats test_tags=once
@test "containers are told where the sandbox's authority is, in exec too" {
  docker_of box run -d --name told small sleep 600 >/dev/null
  run -0 docker_of box exec told sh -c 'cat "$NODE_EXTRA_CA_CERTS"'
  equal "$output" "$(cat "$SANDBOXES_HOME/vm/box/proxy_cacerts/proxy-ca.crt")"
  # What reads only a store of its own is told by files that it knows.
  run -0 docker_of box exec told sh -c 'cat "$WGETRC" "$APT_CONFIG"; ls "${JAVA_TOOL_OPTIONS#*=}"'
  equal "$output" 'ca_certificate = /dev/.sandbox/ca-certificates.crt
Acquire::https::CAInfo "/dev/.sandbox/ca-certificates.crt";
/dev/.sandbox/cacerts'
  docker_of box rm -f told >/dev/null
}

@test "images and containers survive a stop, and a connection starts the sandbox" {
  docker_of box run --name kept small sh -c 'echo kept' >/dev/null
  sandbox stop box >/dev/null
  run -0 docker_of box logs kept
  equal "$output" kept
  docker_of box rm kept >/dev/null
}

# bats test_tags=once
@test "a killed daemon is started again by the next connection" {
  docker_of box version >/dev/null
  sandbox exec -u root box sh -c 'kill -9 $(pidof dockerd); while pidof dockerd; do :; done'
  answers() { docker_of box version >/dev/null 2>&1; }
  eventually answers
}

# bats test_tags=once
@test "a connection outlives the daemon of ours" {
  docker_of box run --rm small sh -c 'echo first; cat /dev/null; sleep 3; echo last' >"$WORLD/long" 2>&1 &
  local client=$!
  begun() { grep -q first "$WORLD/long"; }
  eventually begun
  kill -9 "$(sandbox daemon status --json | jq .pid)"
  wait "$client"
  equal "$(cat "$WORLD/long")" $'first\nlast'
  sandbox ls >/dev/null # starts the next one
  run -0 docker_of box run --rm small sh -c 'echo again'
  equal "$output" again
}

# bats test_tags=once
@test "sandbox docker is the short way" {
  run -0 sandbox docker box run --rm small sh -c 'echo short'
  equal "$output" short
}

# bats test_tags=once
@test "sandbox docker does not send the user's logins to a daemon that the agent has replaced" {
  local config=$WORLD/docker-config login secret=hunter2
  login=$(printf 'user:%s' "$secret" | base64)
  mkdir -p "$config"
  echo '{"auths": {"registry.test": {"auth": "'"$login"'"}, "https://index.docker.io/v1/": {"auth": "'"$login"'"}},
    "proxies": {"default": {"httpProxy": "http://user:'$secret'@proxy.test:1"}}}' >"$config/config.json"
  sandbox create -q --name thief claude "$WORLD/project" >/dev/null
  sandbox exec -i -u root thief sh -c 'rm -f /usr/bin/dockerd /usr/sbin/dockerd; cat > /usr/sbin/dockerd; chmod 755 /usr/sbin/dockerd' <<'PYTHON'
#!/usr/bin/python3
import socket, threading
def serve(client):
    data = b""
    while piece := client.recv(65536):
        data += piece
        while b"\r\n\r\n" in data:
            head, _, data = data.partition(b"\r\n\r\n")
            open("/tmp/heard", "ab").write(head + b"\n")
            body = b"" if head.startswith(b"HEAD") else b"{}"
            client.sendall(b"HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nOstype: linux\r\nContent-Type: application/json\r\n"
                           b"Content-Length: %d\r\n\r\n" % len(body) + body)
listener = socket.socket(fileno=3)
while True:
    threading.Thread(target=serve, args=[listener.accept()[0]]).start()
PYTHON
  heard() { sandbox exec -u root thief cat /tmp/heard; }
  # Without us the client sends it: the thief works.
  DOCKER_CONFIG=$config docker_of thief pull -q registry.test/x >/dev/null 2>&1 || true
  run -0 heard
  says X-Registry-Auth
  sandbox exec -u root thief rm /tmp/heard
  DOCKER_CONFIG=$config sandbox docker thief pull -q registry.test/x >/dev/null 2>&1 || true
  DOCKER_CONFIG=$config sandbox docker thief pull -q small >/dev/null 2>&1 || true
  echo 'FROM scratch' | DOCKER_BUILDKIT=0 DOCKER_CONFIG=$config sandbox docker thief build - >/dev/null 2>&1 || true
  run -0 heard
  says images/create
  says /build
  # An empty login ("{}" or "e30") may be there.
  run ! grep -qE "$secret|$login|$(printf '%s' "$secret" | base64 | cut -c1-8)|[A-Za-z0-9+/=_-]{40}" <(grep -iE '^X-Registry|buildargs' <<<"$output")
  sandbox rm thief >/dev/null
}

# bats test_tags=once
@test "sandbox context makes a docker context, and removes it, also when the sandbox is gone" {
  sandbox context box >/dev/null
  run -0 timeout 120 docker --context sandbox-box run --rm small sh -c 'echo by context'
  equal "$output" "by context"
  sandbox context --remove box >/dev/null
  run ! docker --context sandbox-box ps
  sandbox create -q --name gone claude "$WORLD/project" >/dev/null
  sandbox context gone >/dev/null
  sandbox rm gone >/dev/null
  sandbox context --remove gone >/dev/null
  run -0 docker context ls -q
  equal "$output" default
}

# bats test_tags=once
@test "--docker on: the daemon runs before any connection" {
  sandbox create -q --docker on --name eager claude "$WORLD/project" >/dev/null
  sandbox start eager >/dev/null
  eventually daemon_runs eager
  sandbox rm eager >/dev/null
}

# bats test_tags=once
@test "--docker off: no socket, no daemon, and it is said" {
  sandbox create -q --docker off --name without claude "$WORLD/project" >/dev/null
  [[ ! -e $(socket_of without) ]]
  run -125 sandbox docker without ps
  says "sandbox without has no Docker daemon"
  run -0 sandbox inspect without
  says '"docker": "off"'
  sandbox rm without >/dev/null
}

# bats test_tags=once
@test "a template without dockerd says so to the client" {
  sandbox create -q --docker on-demand --name plain shell "$WORLD/project" >/dev/null
  run ! docker_of plain version
  says "this sandbox has no dockerd"
  sandbox rm plain >/dev/null
}

# bats test_tags=once
@test "a shell has none unless it is asked for" {
  sandbox create -q --name shell-box shell "$WORLD/project" >/dev/null
  [[ ! -e $(socket_of shell-box) ]]
  sandbox rm shell-box >/dev/null
}

@test "no directory is made for it in one of the user's" {
  mkdir -p "$WORLD/lib"
  sandbox create -q --name over -v "$WORLD/lib:/var/lib" claude "$WORLD/project" >/dev/null
  sandbox exec over true
  equal "$(ls -A "$WORLD/lib")" ""
  sandbox rm over >/dev/null
}

# bats test_tags=once
@test "--idle-stop: a client of docker.sock keeps the sandbox running, and its end does not" {
  sandbox create -q --name idle --idle-stop 1s claude "$WORLD/project" >/dev/null
  docker_of idle import - small <"$WORLD/busybox.tar" >/dev/null
  run -0 docker_of idle run --rm small sh -c 'echo first; sleep 6; echo last'
  equal "$output" $'first\nlast'
  eventually has_status idle stopped
  sandbox rm idle >/dev/null
}
