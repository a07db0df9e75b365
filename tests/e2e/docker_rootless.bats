#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# A Docker daemon in a sandbox of an ordinary user without any privilege (uid 4242).

load ordinary_user

setup_file() {
  world_up
  users_up
  make_user 4242
  template_with_docker
  as 4242 create -q --name box --docker on-demand -t org/docker:1 shell "$(workspace_for 4242)" >/dev/null
  busybox_archive | docker_as_user import - small >/dev/null
}

# The cache of templates is not of this world alone.
teardown_file() {
  as 4242 rm -f box >/dev/null && as 4242 template rm org/docker:1 >/dev/null && as 4242 template prune -f >/dev/null
  users_down
}

# org/docker:1 of the user's: the shell's template, with the Docker of the agents' templates, which are root's.
template_with_docker() {
  local layer context=$WORLD/build-4242 part
  layer=$(echo "$SANDBOXD_TEMPLATES"/layers/*/root/usr/sbin/dockerd)
  layer=${layer%/usr/sbin/dockerd}
  [[ -d $layer ]] || fail "no template in $SANDBOXD_TEMPLATES has dockerd"
  for part in usr/sbin usr/bin usr/lib etc/alternatives; do mkdir -p "$context/tree/$part"; done
  cp -a "$layer"/usr/sbin/{dockerd,docker-proxy,runc,xtables-nft-multi,ip{,6}tables{,-nft}} "$context/tree/usr/sbin"
  cp -a "$layer"/usr/bin/{containerd,containerd-shim-runc-v2,docker,docker-init,tini-static} "$context/tree/usr/bin"
  cp -a "$layer"/etc/alternatives/ip{,6}tables "$context/tree/etc/alternatives"
  (cd "$layer" && find usr/lib/*-linux-gnu -maxdepth 1 -name '*.so*' && find usr/lib/*-linux-gnu/xtables) |
    tar -C "$layer" --no-recursion -c -T - | tar -C "$context/tree" -x
  printf '%s\n' 'FROM shell' 'USER root' 'COPY tree /' 'RUN ldconfig' 'USER agent' >"$context/Dockerfile"
  chown -hR 4242 "$context"
  as 4242 template build -q -t org/docker:1 "$context" >/dev/null
}

busybox_archive() {
  mkdir -p "$WORLD/busybox/bin"
  cp /bin/busybox "$WORLD/busybox/bin/"
  local name
  for name in sh cat id sleep wget true; do ln -s busybox "$WORLD/busybox/bin/$name"; done
  tar -C "$WORLD/busybox" -c .
}

docker_as_user() { as_user 4242 timeout 120 docker --host "unix://$WORLD/user-4242/.docker/sandboxes/vm/box/docker.sock" "$@"; }

@test "a container runs, and root in it is nobody's root" {
  run -0 docker_as_user run --rm small sh -c 'id -u; echo out'
  equal "$output" $'0\nout'
  run -3 docker_as_user run --rm small sh -c 'exit 3'
  docker_as_user run -d --name sleeper small sleep 600 >/dev/null
  local pid
  for pid in $(pgrep -f '^sleep 600$'); do
    (($(stat -c %u "/proc/$pid") >= 100000)) || fail "$pid runs as $(stat -c %u "/proc/$pid")"
  done
  docker_as_user rm -f sleeper >/dev/null
}

@test "the workspace, a build, and the sandbox's authority are there" {
  echo original >"$WORLD/ws-4242/file"
  run -0 docker_as_user run --rm -v "$WORLD/ws-4242:/x" small cat /x/file
  equal "$output" original
  mkdir -p "$WORLD/ws-4242/kit"
  printf 'FROM small\nRUN cat /dev/.sandbox/proxy-ca.crt >/authority\n' >"$WORLD/ws-4242/kit/Dockerfile"
  chmod -R a+rX "$WORLD/ws-4242/kit"
  local kit
  for kit in 0 1; do
    as 4242 exec -e DOCKER_BUILDKIT=$kit box docker build -q -t made "$WORLD/ws-4242/kit" >/dev/null
    run -0 docker_as_user run --rm made cat /authority
    equal "$output" "$(cat "$WORLD/user-4242/.docker/sandboxes/vm/box/proxy_cacerts/proxy-ca.crt")"
  done
}

@test "the policy holds in a container, on its own network and with every right" {
  as 4242 network proxy box --policy deny >/dev/null
  local flags
  for flags in '' '--privileged --net=host --pid=host -v /:/guest'; do
    # shellcheck disable=SC2086
    run -1 docker_as_user run --rm $flags small wget -qO- http://198.51.100.7/
    says "403 Forbidden"
  done
  as 4242 network proxy box --policy allow >/dev/null
}

@test "a published port is reached in the sandbox" {
  docker_as_user run -d --name web -p 8080:80 small \
    sh -c 'while :; do printf "HTTP/1.0 200 OK\r\n\r\nup\n" | busybox nc -l -p 80; done' >/dev/null
  serves() { [[ $(as 4242 exec box curl -sS --max-time 5 http://127.0.0.1:8080/) == up ]]; }
  eventually serves
  docker_as_user rm -f web >/dev/null
}

@test "where the host gives an ordinary user no control groups, limits of a container are warned of" {
  run -0 docker_as_user info --format '{{.CgroupDriver}}'
  [[ $output == none ]] || skip "this host gives them: $output"
  run -0 docker_as_user run --rm -m 100m small true
  says "Limitation discarded"
  run -0 as 4242 exec box cat /var/log/sandbox-dockerd.log
  says "containers get no limits of their own"
}

@test "images survive a stop" {
  as 4242 stop box >/dev/null
  run -0 docker_as_user run --rm small sh -c 'echo again'
  equal "$output" again
}
