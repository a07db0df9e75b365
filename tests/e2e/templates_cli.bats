#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The template commands: what is here, what uses it, and how it goes.

load registry

setup_file() {
  world_up
  own_templates
  registry_up
  busybox_tree "$WORLD/busybox"
  push busy:1 --layer "$WORLD/busybox" --env PATH=/bin --env GREETING=hello --user agent --label role=test --gzip
}

teardown_file() {
  registry_down
  world_down
}

template() { sandbox template "$@"; }
here() { template ls -q | grep -qxF "$1"; }

@test "pull fetches an image, says what it is doing, and prints what came" {
  run -0 --separate-stderr template pull "$REGISTRY/busy:1"
  says "Pulled template $REGISTRY/busy:1"
  [[ $stderr == *"reading the image"*"pulling layer 1 of 1"* ]]
  run -0 --separate-stderr template pull -q "$REGISTRY/busy:1"
  equal "$output" "$REGISTRY/busy:1"
  equal "$stderr" ""
  equal "$(template pull -q --json "$REGISTRY/busy:1" | jq -r .source | cut -d@ -f1)" "docker://$REGISTRY/busy:1"
}

@test "push sends a template to a registry, from where it comes back the same" {
  template pull -q "$REGISTRY/busy:1" >/dev/null
  template tag "$REGISTRY/busy:1" mine:1
  run -0 template push mine:1 "$REGISTRY/mine:2"
  says "Pushed $REGISTRY/mine:2"
  equal "$(template push --json mine:1 "$REGISTRY/mine:3" | jq -r .pushed)" "$REGISTRY/mine:3"
  template tag "$REGISTRY/busy:1" "$REGISTRY/mine:4"
  equal "$(template push -q "$REGISTRY/mine:4")" "$REGISTRY/mine:4"
  template rm mine:1 "$REGISTRY/mine:4" >/dev/null
  box back -t "$REGISTRY/mine:2"
  equal "$(sandbox exec back sh -c 'echo $GREETING')" hello
  sandbox rm back >/dev/null
  template rm "$REGISTRY/mine:2" >/dev/null
  run -125 --separate-stderr template push "$REGISTRY/busy:1" "127.0.0.1:$(free_port)/mine:1"
  is_error "skopeo has failed"
  run -125 --separate-stderr template push nosuch:1
  is_error "nosuch"
}

@test "ls has a line for each name, with sizes and what uses it; and JSON, names and a format of one's own" {
  box user -t "$REGISTRY/busy:1"
  run -0 template ls
  [[ ${lines[0]} =~ ^TEMPLATE\ +DIGEST\ +SIZE\ +CREATED\ +USED\ BY$ ]]
  [[ $output =~ $REGISTRY/busy:1\ +[0-9a-f]{12}\ +[0-9.]+MB\ +N/A\ +user ]]
  [[ $output =~ shell\ +[0-9a-f]{12}\ +[0-9.]+MB\ +[0-9]+\ [a-z]+\ ago ]]
  equal "$(template ls --json | jq -r '.templates[] | select(.used_by == ["user"]).names[0]')" "$REGISTRY/busy:1"
  equal "$(template ls --format '{{.Tag}} {{join .UsedBy ","}}' | grep '^1 ')" "1 user"
  template ls --no-trunc | grep -qE 'sha256:[0-9a-f]{64}'
}

@test "inspect shows layers, configuration and use, by name, digest or the first digits of one" {
  run -0 template inspect "$REGISTRY/busy:1"
  local digest
  digest=$(jq -r '.[0].digest' <<<"$output")
  equal "$(jq -c '.[0] | [.config.user, .config.environment, .config.labels, (.layers | length), .used_by]' <<<"$output")" \
    '["agent",["PATH=/bin","GREETING=hello"],{"role":"test"},1,["user"]]'
  equal "$(template inspect --format '{{.Digest}}' "${digest:7:8}")" "$digest"
  equal "$(inspect user .template_digest)" "$digest"
  equal "$(sandbox ls --json | jq -r '.vms[] | select(.name == "user") | .template + "@" + .template_digest')" "$REGISTRY/busy:1@$digest"
  run -125 --separate-stderr template inspect nosuch
  is_error "no template nosuch"
}

@test "history names the steps, and the layer of each" {
  run -0 template history shell
  says "mmdebstrap: recipe shell"
  equal "$(template history --json shell | jq -r '.steps[0].layer')" "$(template history -q shell)"
}

@test "a tag is a second name; rm takes one name after the other, and what a sandbox uses only with the sandbox" {
  run -0 template tag "$REGISTRY/busy:1" org/second:2
  equal "$output" ""
  equal "$(template tag --json "$REGISTRY/busy:1" org/second:2 | jq -c '.names | sort')" \
    "$(jq -cn --arg first "$REGISTRY/busy:1" '[$first, "org/second:2"] | sort')"
  here org/second:2
  run -0 template rm "$REGISTRY/busy:1"
  equal "$output" "$REGISTRY/busy:1"
  run -125 --separate-stderr template rm org/second:2
  is_error "template org/second:2 is used by user"
  [[ $stderr == *"try: sandbox rm user"* ]]
  sandbox rm user >/dev/null
  template tag org/second:2 org/third:3
  run -125 --separate-stderr template rm --json org/third:3 nosuch org/second:2
  is_error "no template nosuch"
  equal "$(jq -c '[.names, (.digests | length), .bytes > 0]' <<<"$output")" '[["org/third:3","org/second:2"],1,true]'
  run ! here org/second:2
  run -125 --separate-stderr template rm org/second:2
  is_error "no template org/second:2"
  run -0 template rm -f org/second:2
  equal "$output" ""
}

@test "prune asks, says what was freed, and keeps what has a name or a sandbox" {
  mkdir -p "$WORLD/one" "$WORLD/two"
  echo one >"$WORLD/one/which"
  echo two >"$WORLD/two/which"
  push moves --layer "$WORLD/one"
  template pull -q "$REGISTRY/moves"
  push moves --layer "$WORLD/two"
  template pull -q "$REGISTRY/moves"
  template ls | grep -q '^<none>'
  run -1 --separate-stderr template prune <<<n
  says "(y/N)"
  template ls | grep -q '^<none>'
  run -0 template prune <<<y
  says "Removed template: "
  says "Freed "
  run ! grep -q '^<none>' <(template ls)
  box keeps -t "$REGISTRY/busy:1"
  run -0 template prune --all --force
  says "Removed name: $REGISTRY/moves:latest"
  says "Removed name: shell"
  equal "$(template ls -q)" "$REGISTRY/busy:1"
  equal "$(template prune -af --json | jq -c .)" '{"names":[],"digests":[],"bytes":0}'
  equal "$(sandbox exec keeps cat /etc/passwd | grep -c ^root)" 1
}

@test "a private registry takes the user's own login, and says what is missing without one" {
  private_registry_up
  local image=$PRIVATE/secret:1
  python3 "$kSource/tests/e2e/image.py" "$WORLD/secret" --layer "$WORLD/busybox" --env PATH=/bin
  skopeo --insecure-policy copy -q --dest-tls-verify=false --dest-creds user:word "oci:$WORLD/secret" "docker://$image"
  run -125 --separate-stderr template pull "$image"
  is_error "pull $image"
  [[ $stderr == *"docker login"* ]]
  mkdir -p "$HOME/.docker"
  echo "{\"auths\": {\"$PRIVATE\": {\"auth\": \"$(printf user:word | base64)\"}}}" >"$HOME/.docker/config.json"
  run -0 template pull -q "$image"
  equal "$output" "$image"
  rm "$HOME/.docker/config.json"
}

@test "an image of another platform is fetched on demand, and a sandbox of it says what it is" {
  python3 "$kSource/tests/e2e/image.py" "$WORLD/arm" --layer "$WORLD/one" --architecture arm64
  python3 "$kSource/tests/e2e/image.py" "$WORLD/amd" --layer "$WORLD/two" --layer "$WORLD/busybox" --env PATH=/bin
  push_index both "$WORLD/arm" "$WORLD/amd"
  template pull -q --platform linux/arm64 "$REGISTRY/both"
  equal "$(template inspect --format '{{.Architecture}}' "$REGISTRY/both")" arm64
  run -0 --separate-stderr sandbox create --name arm -t "$REGISTRY/both" shell "$WORLD/one"
  [[ $stderr == *"is for arm64, and this host is "* ]]
  run -0 --separate-stderr sandbox create --name amd -t "$REGISTRY/both" --platform linux/amd64 shell "$WORLD/two"
  [[ $stderr != *"is for"* ]]
  equal "$(template inspect --format '{{.Architecture}}' "$REGISTRY/both")" amd64
  equal "$(sandbox exec amd cat /which)" two
  run -2 --separate-stderr template pull --platform windows/amd64 "$REGISTRY/both"
  is_error "must be linux/ and an architecture"
}
