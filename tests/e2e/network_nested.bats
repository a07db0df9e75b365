#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Networks that the guest makes for itself, and what runs in them: by hand on both backends, and by a real dockerd in a
# microVM, whose kernel gets the modules for it when it asks. A container is not given what dockerd needs.

setup_file() {
  load world
  load upstreams
  world_up
  upstreams_up
  bring ip
  cp "$kSource/tests/e2e/nested.py" "$TOOLS/"
  local flags=()
  if on_microvm; then
    bring_docker
    flags=(--memory 1g)
  fi
  netbox box "${flags[@]}" -- "$TOOLS:ro"
  policy --policy deny --allow-host up.test
}

teardown_file() {
  load world
  load upstreams
  upstreams_down
  world_down
}

setup() {
  load world
  load upstreams
}

privileged() { sandbox exec -u root --privileged "$@"; }

# The host's Docker and iptables in $TOOLS/docker, and a system for containers that is a shell: the guest finds them with
# its variables set as in_docker does. Not by bring(), because dockerd and runc start themselves anew.
bring_docker() {
  local place=$TOOLS/docker program
  mkdir -p "$place/lib" "$WORLD/busybox/bin"
  for program in dockerd containerd containerd-shim-runc-v2 runc docker docker-proxy iptables busybox; do
    program=$(readlink -f "$(command -v "$program" || echo "/usr/sbin/$program")")
    cp "$program" "$place/"
    ldd "$program" 2>/dev/null | grep -oE '/[^ ]+' | xargs -r cp -nt "$place/lib"
  done
  rm -f "$place"/lib/{ld-linux*,libc.so.*,libm.so.*,libpthread.so.*,libdl.so.*}  # the guest has its own
  ln -s xtables-nft-multi "$place/iptables"
  ln -s xtables-nft-multi "$place/ip6tables"
  cp -r "$(dirname "$(find /usr/lib -path '*/xtables/libxt_addrtype.so')")" "$place/lib/xtables"
  mv "$place/busybox" "$WORLD/busybox/bin/"
  ln -s busybox "$WORLD/busybox/bin/sh"
  ln -s busybox "$WORLD/busybox/bin/chroot"
  tar -C "$WORLD/busybox" -cf "$TOOLS/busybox.tar" .
}

in_docker() {
  privileged "${@:2}" box env PATH="$TOOLS/docker:/usr/sbin:/usr/bin:/sbin:/bin" LD_LIBRARY_PATH="$TOOLS/docker/lib" \
    XTABLES_LIBDIR="$TOOLS/docker/lib/xtables" sh -c "$1"
}

findings() {
  cat <<FINDINGS
allowed: hello hello
refused: 403 Blocked by network policy: other.test:$HTTP_PORT
refused in TLS: 403 Blocked by network policy: other.test:$TLS_PORT
name: True
udp: No route to host
icmp: No route to host
serving
FINDINGS
}

serves() { [[ $("$@") == *serving* ]]; }

# What the policy decided about it is in the log, as for any program.
is_logged() {
  run -0 sandbox network log box
  says "up.test:$HTTP_PORT"
  says "other.test:$TLS_PORT"
  run -0 sandbox network log --hosts --blocked box
  says "other.test:$HTTP_PORT"
  says_not "up.test"
}

@test "a namespace behind a bridge: TCP is decided, names resolve, the rest fails at once" {
  privileged -d box sh -c "unshare -n sh -c 'echo \$\$ >/tmp/nested.pid; until [ -e /tmp/nested.up ]; do sleep 0.1; done
    exec env -u HTTPS_PROXY -u https_proxy python3 $TOOLS/nested.py $HTTP_PORT $TLS_PORT' >/tmp/nested.log 2>&1"
  eventually guest test -s /tmp/nested.pid
  privileged -i box sh -es "$TOOLS/ip" <<'SH'
nested=$(cat /tmp/nested.pid)
within() { nsenter -n -t "$nested" "$@"; }
"$1" link add br0 type bridge
"$1" addr add 172.30.0.1/24 dev br0
"$1" link set br0 up
"$1" link add v0 master br0 type veth peer name v1 netns "$nested"
"$1" link set v0 up
within "$1" addr add 172.30.0.2/24 dev v1
within "$1" link set v1 up
within "$1" route add default via 172.30.0.1
touch /tmp/nested.up
SH
  eventually serves guest cat /tmp/nested.log
  equal "$(guest cat /tmp/nested.log)" "$(findings)"
  equal "$(captured_curl http://172.30.0.2/)" nested
  is_logged
  privileged box sh -c 'kill "$(cat /tmp/nested.pid)"'
}

# Its directory is in memory, because the root is an overlay, on which Docker can lay no other.
# bats test_tags=microvm
@test "a real dockerd: a container on its bridge, with a published port" {
  in_docker 'mount -t cgroup2 none /sys/fs/cgroup && mkdir -p /var/lib/docker && mount -t tmpfs none /var/lib/docker'
  in_docker 'exec dockerd >/tmp/dockerd.log 2>&1' -d
  docker_answers() { in_docker 'docker version' >/dev/null 2>&1; }
  eventually docker_answers || { guest cat /tmp/dockerd.log >&2; return 1; }
  run -0 in_docker "docker import '$TOOLS/busybox.tar' small &&
    docker run -d --name nested -p 127.0.0.1:8080:80 -v /:/guest small chroot /guest python3 $TOOLS/nested.py $HTTP_PORT $TLS_PORT"
  eventually serves in_docker 'docker logs nested 2>&1'
  equal "$(in_docker 'docker logs nested 2>&1')" "$(findings)"
  equal "$(captured_curl http://127.0.0.1:8080/)" nested
  equal "$(captured_curl http://172.17.0.2/)" nested
  is_logged
  run -0 guest cat /proc/modules
  says "veth "
  says "bridge "
  in_docker 'kill "$(cat /var/run/docker.pid)"'
}
