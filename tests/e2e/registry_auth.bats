#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# --registry-auth: the user's docker and npm logins are used for pulls from inside, at their registries only, and are not
# in the sandbox. The real dockerd of the agents' templates, the real docker-registry and the real npm.

load upstreams

kWord='registry-word-0123456789abcdef'
kToken='npm-token-0123456789abcdef'
kLogin=$(printf 'user:%s' "$kWord" | base64 -w0)

setup_file() {
  world_up
  upstreams_up
  registry_up
  python3 "$kSource/tests/e2e/npm_registry.py" "$UPSTREAMS" "$kToken" </dev/null >"$UPSTREAMS/npm.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/npm-port"
  export NPM_PORT
  NPM_PORT=$(cat "$UPSTREAMS/npm-port")
  python3 "$kSource/tests/e2e/token_registry.py" "$UPSTREAMS" "$WORLD/layout" "$kLogin" </dev/null >"$UPSTREAMS/token.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/token-port"
  log_in
  local name
  mkdir -p "$WORLD/project"
  for name in box plain; do
    local flags=()
    [[ $name == plain ]] || flags=(--registry-auth)
    sandbox create -q --name "$name" "${flags[@]}" --add-host up.test:127.0.0.1 --add-host other.test:127.0.0.1 \
      --docker on-demand claude "$WORLD/project" >/dev/null
    sandbox network proxy "$name" --allow-host up.test --allow-host other.test >/dev/null
  done
}

# docker-registry in TLS, for `user` with the password above; it has the image `small`.
registry_up() {
  export REGISTRY
  REGISTRY=up.test:$(free_port)
  local directory=$UPSTREAMS/registry address=127.0.0.1:${REGISTRY#*:}
  mkdir -p "$directory"
  python3 -c 'import ctypes, sys
library = ctypes.CDLL("libcrypt.so.1")
library.crypt.restype = ctypes.c_char_p
print("user:" + library.crypt(sys.argv[1].encode(), b"$2b$05$" + b"a" * 22).decode())' "$kWord" >"$directory/htpasswd"
  cat >"$directory/config.yml" <<END
version: 0.1
storage: {filesystem: {rootdirectory: $directory/data}}
http: {addr: $address, secret: test, tls: {certificate: $UPSTREAMS/server.crt, key: $UPSTREAMS/server.key}}
auth: {htpasswd: {realm: test, path: $directory/htpasswd}}
END
  docker-registry serve "$directory/config.yml" </dev/null >"$directory/log" 2>&1 3>&- &
  remember_upstream $!
  eventually answers "${REGISTRY#*:}"
  mkdir -p "$WORLD/tree/bin"
  cp /bin/busybox "$WORLD/tree/bin/sh"
  python3 "$kSource/tests/e2e/image.py" "$WORLD/layout" --layer "$WORLD/tree"
  skopeo --insecure-policy copy -q --dest-tls-verify=false --dest-creds "user:$kWord" "oci:$WORLD/layout" \
    "docker://$address/small"
}

# As `docker login` and `npm login` would leave it.
log_in() {
  jq -n --arg host "$REGISTRY" --arg login "$kLogin" '{auths: {($host): {auth: $login}}}' >"$HOME/.docker/config.json"
  echo "//other.test:$NPM_PORT/:_authToken=$kToken" >"$HOME/.npmrc"
}

code() { sandbox exec "$1" curl -sS --max-time "$kPatience" -o /dev/null -w '%{http_code}\n' "${@:2}"; }
npm_install() {
  sandbox exec "$1" sh -c "rm -rf ~/try && mkdir ~/try && cd ~/try &&
    npm install --no-audit --no-fund --fetch-retries 0 --registry https://other.test:$NPM_PORT/ greeting &&
    node -p 'require(\"greeting\")'"
}

@test "the private Docker daemon pulls with the user's login, which it does not have" {
  run -0 sandbox exec box docker pull -q "$REGISTRY/small"
  run -0 sandbox exec box docker run --rm "$REGISTRY/small" sh -c 'echo pulled'
  equal "$output" pulled
  run -1 sandbox exec plain docker pull -q "$REGISTRY/small"
  says "no basic auth credentials"
}

@test "of a registry with tokens the login goes to where they are given out, and the token is the daemon's" {
  local registry
  registry=up.test:$(cat "$UPSTREAMS/token-port")
  run -0 sandbox exec box docker pull -q "$registry/small"
  run -0 grep -c "^/token?.*scope=repository%3Asmall%3Apull.* Basic $kLogin" "$UPSTREAMS/token-visits"
  run -0 grep -c '^/v2/small/manifests/.* Bearer token-of-a-moment' "$UPSTREAMS/token-visits"
  run -1 sandbox exec plain docker pull -q "$registry/small"
  equal "$(grep -c '^/token?.* none' "$UPSTREAMS/token-visits")" 1
}

@test "npm installs with the user's token, which it does not have" {
  run -0 npm_install box
  says "good day"
  : >"$UPSTREAMS/npm-visits"
  run ! npm_install plain
  says E401
  equal "$(cut -d' ' -f2- "$UPSTREAMS/npm-visits" | sort -u)" none
}

@test "inspect and network check say which login a request gets, and not its value" {
  run -0 sandbox inspect box
  says_not "$kWord"
  says_not "$kToken"
  equal "$(inspect box .features.registry_auth) $(inspect plain .features.registry_auth)" "true false"
  run -0 sandbox network check box "https://$REGISTRY/"
  says "docker login (of the host, at $REGISTRY)"
  run -0 sandbox network check plain "https://$REGISTRY/"
  says_not login
}

@test "no other host gets a login, and a login of the guest's own stays as it is" {
  : >"$UPSTREAMS/recorded"
  jq -n '{}' >"$HOME/.docker/config.json"  # up.test is no registry now
  sandbox stop box >/dev/null
  equal "$(code box "https://up.test:$TLS_PORT/record")" 200
  says_not "$kLogin" "$(cat "$UPSTREAMS/recorded")"
  says_not "authorization" "$(cat "$UPSTREAMS/recorded")"
  log_in
  sandbox stop box >/dev/null
  : >"$UPSTREAMS/recorded"
  equal "$(code box -u guest:own "https://up.test:$TLS_PORT/record")" 200
  says "authorization: Basic $(printf guest:own | base64)" "$(cat "$UPSTREAMS/recorded")"
  : >"$UPSTREAMS/recorded"
  equal "$(code box "http://up.test:$HTTP_PORT/record")" 200  # in the clear
  says_not "authorization" "$(cat "$UPSTREAMS/recorded")"
}

@test "a login comes from a credential helper, and is read anew at each start" {
  mkdir -p "$WORLD/bin"
  cat >"$WORLD/bin/docker-credential-test" <<END
#!/bin/sh
[ "\$1" = get ] && read -r server
echo "\$server" >>$WORLD/helper-asked
echo '{"ServerURL": "x", "Username": "user", "Secret": "$kWord"}'
END
  chmod 755 "$WORLD/bin/docker-credential-test"
  jq -n --arg host "$REGISTRY" '{credHelpers: {($host): "test"}}' >"$HOME/.docker/config.json"
  sandbox stop box >/dev/null
  equal "$(code box "https://$REGISTRY/v2/")" 401  # the daemon does not find the helper
  PATH=$WORLD/bin:$PATH sandbox daemon restart >/dev/null
  sandbox stop box >/dev/null
  equal "$(code box "https://$REGISTRY/v2/")" 200
  equal "$(sort -u "$WORLD/helper-asked")" "$REGISTRY"
  jq -n --arg host "$REGISTRY" '{auths: {($host): {auth: "dXNlcjp3cm9uZw=="}}}' >"$HOME/.docker/config.json"
  sandbox stop box >/dev/null
  equal "$(code box "https://$REGISTRY/v2/")" 401
  log_in
  sandbox stop box >/dev/null
  equal "$(code box "https://$REGISTRY/v2/")" 200
}

@test "run takes it up for a sandbox that is there, when it does not run" {
  run ! sandbox run -d --name plain --registry-auth claude "$WORLD/project"
  says "sandbox plain runs, and only its next start can give it --registry-auth yes (it has no)"
  sandbox stop plain >/dev/null
  sandbox run -d --name plain --registry-auth claude "$WORLD/project" >/dev/null
  equal "$(code plain "https://$REGISTRY/v2/")" 200
}

with_secret() { python3 "$kSource/tests/escape/secret_in_memory.py" "$@"; }
guest_pids() {
  local namespace process
  namespace=$(readlink "/proc/$(inspect box .pids.init)/ns/pid")
  for process in /proc/[0-9]*; do
    [[ $(readlink "$process/ns/pid" 2>/dev/null) != "$namespace" ]] || echo "${process#/proc/}"
  done
}

@test "nothing of it is in the sandbox: its memory, files and environments, and what we write" {
  sandbox stop box >/dev/null
  run -0 sandbox exec box docker pull -q "$REGISTRY/small"
  run -0 npm_install box
  local shim keeper value
  shim=$(shim_pid_of box)
  keeper=$(pgrep -P "$shim" -x sandbox-keeper)
  for value in "$kWord" "$kLogin" "$kToken"; do
    # shellcheck disable=SC2046
    equal "$(with_secret "$value" "$shim" "$keeper" "$(gate_pid_of box)" $(guest_pids))" ""
    equal "$(python3 "$kSource/tests/escape/secret_in_files.py" "$value" "$SANDBOXES_HOME/vm" "$SANDBOXES_HOME/sandboxd.log")" ""
  done
  equal "$(with_secret "$kToken" "$(pgrep -P "$keeper")")" "$(pgrep -P "$keeper")"  # so the search finds it where it is
  run sandbox exec -u root box sh -c "grep -rlaF -e '${kWord:0:20}' -e '${kLogin:0:20}' -e '${kToken:0:16}' \
    /home /etc /tmp /var /root /run 2>/dev/null; env | grep -F -e '${kWord:0:20}' -e '${kToken:0:16}'"
  equal "$output" ""
}
