#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Sandboxes from images: of a registry, with any number of layers, from Linux distributions or from nothing but busybox.

load registry

setup_file() {
  world_up
  own_templates
  registry_up
  busybox_tree "$WORLD/busybox"
  push busy:1 --layer "$WORLD/busybox" --env PATH=/bin --env GREETING=hello --gzip
}

teardown_file() {
  registry_down
  world_down
}

layers_here() { find -L "$SANDBOXES_HOME/templates/layers" -mindepth 1 -maxdepth 1 | wc -l; }

@test "an image of a registry is a template: its files and environment are there, and an agent that it does not know" {
  mkdir -p "$WORLD/ws"
  run -0 --separate-stderr sandbox create --name busy -t "$REGISTRY/busy:1" shell "$WORLD/ws"
  run -0 sandbox exec busy sh -c 'id -u; echo $GREETING; echo $PATH; cat /etc/passwd | grep -c agent; echo made >made'
  equal "$output" $'1000\nhello\n/bin\n1'
  equal "$(stat -c %u "$WORLD/ws/made")" 0
  equal "$(inspect busy .template)" "$REGISTRY/busy:1"
}

# bats test_tags=once
@test "what an image does not have is said in one line: the agent, sudo, a directory" {
  run -127 --separate-stderr sandbox run -q --name busy
  equal "$stderr" 'error: agent binary "bash" not found in sandbox: verify this is the correct sandbox type
try: sandbox exec -it busy sh'
  run -127 --separate-stderr sandbox exec busy sudo id
  equal "$stderr" 'error: exec "sudo": executable file not found in $PATH'
  run -0 sandbox exec -u root busy id -u
  equal "$output" 0
  run --separate-stderr sandbox exec -w /nosuch busy id
  is_error "/nosuch"
}

# bats test_tags=once
@test "with an image of one's own any name is an agent: the program of that name in it" {
  mkdir -p "$WORLD/own"
  run -0 --separate-stderr sandbox create --name own -t "$REGISTRY/busy:1" echo "$WORLD/own"
  equal "$(inspect own .agent)" echo
  run -0 sandbox run -q --name own -- hello
  equal "$output" hello
  run -127 --separate-stderr sandbox run -q --name other -t "$REGISTRY/busy:1" nosuchagent "$WORLD/own"
  is_error 'agent binary "nosuchagent" not found in sandbox'
  sandbox rm own other >/dev/null
}

@test "an image of the shape of docker/sandbox-templates works as it is: agent 1000, labels, entrypoint, environment" {
  local tree=$WORLD/shaped
  busybox_tree "$tree"
  mkdir -p "$tree/home/agent/.claude" "$tree/usr/local/bin"
  echo 'agent:x:1000:1000::/home/agent:/bin/sh' >>"$tree/etc/passwd"
  echo 'agent:x:1000:' >"$tree/etc/group"
  echo '{"theme":"dark"}' >"$tree/home/agent/.claude/settings.json"
  printf '#!/bin/sh\necho agent "$@"\n' >"$tree/usr/local/bin/bash"
  chmod +x "$tree/usr/local/bin/bash"
  push docker/sandbox-templates:shaped --layer "$tree" --user agent --entrypoint /nosuch-entrypoint --entrypoint=--flag \
    --env PATH=/usr/local/bin:/bin --env IS_SANDBOX=1 --label com.docker.sandboxes=templates \
    --label com.docker.sandboxes.base=ubuntu:24.04 --label com.docker.sandboxes.flavor=claude-code --gzip
  box shaped -t "$REGISTRY/docker/sandbox-templates:shaped"
  run -0 sandbox exec shaped sh -c 'id -u; echo $HOME $IS_SANDBOX; cat ~/.claude/settings.json; echo 1 >~/.claude/mine; grep -c agent /etc/passwd'
  equal "$output" $'1000\n/home/agent 1\n{"theme":"dark"}\n1'
  run -0 sandbox run -q --name shaped -- --continue
  equal "$output" "agent -l --continue"
  equal "$(sandbox template inspect --format '{{index .Config.Labels "com.docker.sandboxes.flavor"}}' "$REGISTRY/docker/sandbox-templates:shaped")" claude-code
}

# bats test_tags=once
@test "what the user sets is stronger than what the image sets" {
  run -0 sandbox exec -e GREETING=bye busy sh -c 'echo $GREETING'
  equal "$output" bye
}

@test "layers lie on each other: what is above covers, removes and hides what is below" {
  local tree=$WORLD/trees
  mkdir -p "$tree/a/dir" "$tree/a/opaque" "$tree/b/dir" "$tree/b/opaque" "$tree/c/dir"
  echo below >"$tree/a/dir/covered"; echo below >"$tree/a/dir/gone"; echo below >"$tree/a/dir/kept"; echo below >"$tree/a/opaque/hidden"
  echo above >"$tree/b/dir/covered"; : >"$tree/b/dir/.wh.gone"; : >"$tree/b/opaque/.wh..wh..opq"; echo above >"$tree/b/opaque/own"
  echo top >"$tree/c/dir/top"
  push layered --layer "$WORLD/busybox" --layer "$tree/a" --layer "$tree/b" --layer "$tree/c" --env PATH=/bin
  box layered -t "$REGISTRY/layered"
  run -0 sandbox exec layered sh -c 'cat /dir/covered /dir/kept /dir/top; ls /dir; ls /opaque'
  equal "$output" $'above\nbelow\ntop\ncovered\nkept\ntop\nown'
}

# bats test_tags=once
@test "layers that several images have are here once, and are not fetched again" {
  local before
  before=$(layers_here)
  mkdir -p "$WORLD/more"
  echo more >"$WORLD/more/more"
  push shared --layer "$WORLD/busybox" --layer "$WORLD/more" --env PATH=/bin --gzip
  box shared -t "$REGISTRY/shared"
  equal "$(layers_here)" $((before + 1))
  equal "$(sandbox exec shared cat /more)" more
}

# bats test_tags=once
@test "--pull-template: never asks no registry, missing takes what is here, always what is new" {
  mkdir -p "$WORLD/one" "$WORLD/two"
  echo one >"$WORLD/one/which"
  echo two >"$WORLD/two/which"
  run -125 --separate-stderr sandbox create --name pulled --pull-template never -t "$REGISTRY/moves" shell "$WORLD/one"
  is_error "is not here"
  push moves --layer "$WORLD/busybox" --layer "$WORLD/one" --env PATH=/bin
  box pulled -t "$REGISTRY/moves"
  push moves --layer "$WORLD/busybox" --layer "$WORLD/two" --env PATH=/bin
  box missing -t "$REGISTRY/moves" --pull-template missing
  box always -t "$REGISTRY/moves" --pull-template always
  box never -t "$REGISTRY/moves" --pull-template never
  equal "$(for one in pulled missing always never; do sandbox exec $one cat /which; done | xargs)" "one one two two"
}

# bats test_tags=once
@test "an image that is not there, a registry that is not there and a name that is none are said, and nothing is made" {
  run -125 --separate-stderr sandbox create --name none -t "$REGISTRY/nosuch" shell "$WORLD/ws"
  is_error "pull $REGISTRY/nosuch:latest"
  run -125 --separate-stderr sandbox create --name none -t 127.0.0.1:1/box shell "$WORLD/ws"
  is_error "pull 127.0.0.1:1/box:latest"
  run --separate-stderr sandbox create --name none -t 'Not A Name' shell "$WORLD/ws"
  is_error "is no name of an image"
  run -0 sandbox ls -q
  says_not none
}

# bats test_tags=once
@test "a hostile layer writes to nothing but itself, and says why it is refused" {
  mkdir -p "$WORLD/hostile" "$WORLD/victim"
  python3 - "$WORLD" <<'PY'
import io, sys, tarfile
world = sys.argv[1]
def layer(name, *entries):
    with tarfile.open(f"{world}/hostile/{name}.tar", "w") as tar:
        for entry, kind, target in entries:
            info = tarfile.TarInfo(entry)
            info.type = kind
            info.linkname = target
            info.size = 5 if kind == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(b"owned"))
layer("dots", ("../../../../../../../../" + world + "/victim/dots", tarfile.REGTYPE, ""))
layer("absolute", (world + "/victim/absolute", tarfile.REGTYPE, ""))
layer("link", ("way", tarfile.SYMTYPE, world + "/victim"), ("way/link", tarfile.REGTYPE, ""))
layer("up", ("way", tarfile.SYMTYPE, "../" * 12 + world + "/victim"), ("way/up", tarfile.REGTYPE, ""))
layer("hard", ("way", tarfile.LNKTYPE, "/etc/shadow"))
layer("twice", ("a", tarfile.REGTYPE, ""), ("a", tarfile.REGTYPE, ""))
PY
  local name before
  before=$(layers_here)
  for name in dots absolute link up hard twice; do
    push "hostile/$name" --layer "$WORLD/hostile/$name.tar"
    run -125 --separate-stderr sandbox create --name hostile -t "$REGISTRY/hostile/$name" shell "$WORLD/ws"
    is_error "the layer has"
  done
  equal "$(ls -A "$WORLD/victim")" ""
  equal "$(layers_here)" "$before"
  equal "$(find "$SANDBOXES_HOME/templates/" -maxdepth 1 -name 'tmp-*')" ""
}

# bats test_tags=once
@test "a blob that is changed on the way is refused" {
  local before
  before=$(layers_here)
  mkdir -p "$WORLD/changed"
  echo original >"$WORLD/changed/file"
  push changed --layer "$WORLD/changed"
  local digest
  digest=$(curl -sf -H 'Accept: application/vnd.oci.image.manifest.v1+json' "http://$REGISTRY/v2/changed/manifests/latest" \
    | jq -r '.layers[0].digest' | cut -d: -f2)
  gzip -c >"$WORLD/registry/data/docker/registry/v2/blobs/sha256/${digest:0:2}/$digest/data" < <(tar -C "$WORLD/busybox" -c bin)
  run -125 --separate-stderr sandbox create --name changed -t "$REGISTRY/changed" shell "$WORLD/ws"
  is_error "sha256:"
  equal "$(layers_here)" "$before"
}

# bats test_tags=once
@test "a daemon that is killed while it pulls leaves nothing that is taken for a template" {
  mkdir -p "$WORLD/big"
  head -c 60000000 /dev/urandom >"$WORLD/big/noise"
  push big --layer "$WORLD/busybox" --layer "$WORLD/big" --env PATH=/bin
  sandbox create --name big -t "$REGISTRY/big" shell "$WORLD/ws" >/dev/null 2>&1 &
  unpacking() { [[ -n $(find "$SANDBOXES_HOME/templates/" -maxdepth 1 -name 'tmp-*') ]]; }
  eventually unpacking
  kill -9 "$(daemon_pid)"
  wait
  run sandbox rm -f big
  box big -t "$REGISTRY/big"
  equal "$(sandbox exec big ls /noise)" /noise
  equal "$(find "$SANDBOXES_HOME/templates/" -maxdepth 1 -name 'tmp-*')" ""
}
