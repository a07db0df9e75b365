#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Programs that people use, in a guest: each by the forward proxy if it knows of it, and past it. All is inspected unless
# a test says otherwise, so each of them trusts the sandbox's authority.

load upstreams

setup_file() {
  world_up
  upstreams_up
  nginx_up
  grpc_up
  ssh_up
  make_repository
  bring wget node nghttp
  netbox box -- "$TOOLS:ro"
  policy --policy deny --allow-host up.test
}

make_repository() {
  mkdir -p "$UPSTREAMS/git"
  git init -q -b main "$WORLD/source"
  seq 20000 >"$WORLD/source/numbers"
  git -C "$WORLD/source" add numbers
  git -C "$WORLD/source" -c user.name=a -c user.email=a@b.test commit -q -m first
  git clone -q --bare "$WORLD/source" "$UPSTREAMS/git/numbers.git"
  git -C "$UPSTREAMS/git/numbers.git" config http.receivepack true
}

# Both ways to the proxy, one after the other.
both_curls() {
  forward_curl "$@"
  captured_curl "$@"
}

# --- curl ------------------------------------------------------------------------------------------------------------

@test "curl: HTTP and HTTPS, by the proxy and past it" {
  run -0 both_curls "http://up.test:$HTTP_PORT/"
  equal "$output" $'hello\nhello'
  run -0 both_curls "https://up.test:$TLS_PORT/"
  equal "$output" $'hello\nhello'
  run -0 both_curls --http1.1 "https://up.test:$H2_PORT/protocol"
  equal "$output" $'HTTP/1.1 GET\nHTTP/1.1 GET'
  run -0 both_curls --tls-max 1.2 "https://up.test:$TLS_PORT/"
  equal "$output" $'hello\nhello'
}

@test "curl: HTTP/2 on both sides" {
  run -0 both_curls --http2 -w '%{http_version}\n' "https://up.test:$H2_PORT/protocol"
  equal "$output" $'HTTP/2.0 GET\n2\nHTTP/2.0 GET\n2'
  run -0 both_curls --http2 -w '%{http_version}\n' "https://up.test:$TLS_PORT/"  # whose server has only 1.1
  equal "$output" $'hello\n1.1\nhello\n1.1'
}

# bats test_tags=once
@test "curl: HEAD has no body, and the connection goes on" {
  run -0 both_curls -I -w '%{http_code} %{num_connects}\n' "https://up.test:$TLS_PORT/" "https://up.test:$TLS_PORT/echo"
  equal "$(grep -c '^200 1' <<<"$output")" 2
  equal "$(grep -c '^200 0' <<<"$output")" 2
  run -0 both_curls --http2 -I "https://up.test:$H2_PORT/protocol"
  equal "$(grep -c '^HTTP/2 200' <<<"$output")" 2
}

@test "curl: uploads with a length, in chunks and after Expect arrive whole" {
  guest sh -c 'head -c 3000000 /dev/urandom >~/upload'
  local sum
  sum=$(guest sha256sum /home/agent/upload | cut -d' ' -f1)
  for words in "-T /home/agent/upload" "-T /home/agent/upload -H Transfer-Encoding:chunked" \
    "--data-binary @/home/agent/upload -H Expect:100-continue"; do
    # shellcheck disable=SC2086
    run -0 both_curls $words "https://up.test:$TLS_PORT/echo"
    equal "$(grep -c "^sha256 $sum" <<<"$output")" 2
    [[ $words != *chunked* ]] || says "transfer-encoding: chunked"
    [[ $words != *Expect* ]] || says "expect: 100-continue"
  done
  run -0 both_curls --http2 -T /home/agent/upload "https://up.test:$H2_PORT/back/echo"
  equal "$(grep -c "^sha256 $sum" <<<"$output")" 2
}

# bats test_tags=once
@test "curl: trailers and chunks arrive as they were sent" {
  run -0 both_curls --raw "https://up.test:$TLS_PORT/trailers"
  equal "$(tr -d '\r' <<<"$output" | grep -c '^X-Sum: 5$')" 2
}

# bats test_tags=once
@test "curl: many requests over one connection, many at once over HTTP/2" {
  run -0 captured_curl -w '%{num_connects}\n' "https://up.test:$TLS_PORT/[1-20]" -o /dev/null
  equal "$(tr -d '\n' <<<"$output")" 10000000000000000000
  run -0 captured_curl -s --no-progress-meter --http2 --parallel --parallel-max 50 -w '%{http_code}\n' "https://up.test:$H2_PORT/protocol?[1-100]" \
    -o /dev/null
  equal "$(sort <<<"$output" | uniq -c | xargs)" "100 200"
}

@test "curl: a large download arrives whole" {
  equal "$(forward_curl "https://up.test:$TLS_PORT/large?size=50000000" | wc -c)" 50000000
  head -c 20000000 /dev/urandom >"$UPSTREAMS/www/random"
  equal "$(captured_curl --http2 "https://up.test:$H2_PORT/random" | sha256sum)" "$(sha256sum <"$UPSTREAMS/www/random")"
}

# bats test_tags=once
@test "an upstream that the host does not trust is not trusted for the guest" {
  run -0 both_curls -w '%{http_code}\n' "https://up.test:$STRANGER_PORT/"
  equal "$(grep -c '^502' <<<"$output")" 2
  says "its certificate: self-signed certificate"
}

# --- streams of events -----------------------------------------------------------------------------------------------

# bats test_tags=once
@test "server-sent events arrive one by one" {
  for way in "" "--noproxy *"; do
    run -0 sandbox exec -i box bash -s "https://up.test:$TLS_PORT" "events-$RANDOM" "$way" <<'SH'
set -f
curl -sS --max-time 60 -N $3 "$1/events?name=$2" | while read -r line; do
  [[ $line ]] && echo "$line"
  [[ $line == *event* ]] && curl -sS $3 -o /dev/null "$1/acknowledge?name=$2&number=${line##* }"
done
true
SH
    equal "$output" $'data: event 1\ndata: event 2\ndata: event 3\ndata: end'
  done
}

@test "WebSocket: both sides speak when they like" {
  for proxy in "" "host.docker.internal 3128"; do
    # shellcheck disable=SC2086
    run -0 guest_python up.test "$TLS_PORT" $proxy <"$kSource/tests/e2e/websocket.py"
    equal "$output" $'HTTP/1.1 101 Switching Protocols\nwelcome\nTrue\nTrue\nclosed'
  done
}

# --- other clients ---------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "wget" {
  run -0 guest "$TOOLS/wget" -qO - "https://up.test:$TLS_PORT/"
  equal "$output" hello
  run -0 guest "$TOOLS/wget" --no-proxy -qO - "https://up.test:$TLS_PORT/"
  equal "$output" hello
}

# bats test_tags=once
@test "Python: urllib, with its own idea of certificates" {
  run -0 guest_python "https://up.test:$TLS_PORT/" <<'PY'
import sys, urllib.request
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for opener in (urllib.request.urlopen, direct.open):
    print(opener(sys.argv[1], timeout=60).read().decode(), end="")
PY
  equal "$output" $'hello\nhello'
}

@test "a client that says all it has to say, and half closes" {
  run -0 guest_python "$HTTP_PORT" <<'PY'
import socket, sys
request = "GET /%s HTTP/1.1\r\nHost: up.test:" + sys.argv[1] + "\r\n\r\n"
s = socket.create_connection(("up.test", int(sys.argv[1])), 60)
s.sendall((request % "one" + request % "two").encode())  # the second does not wait for the answer to the first
s.shutdown(socket.SHUT_WR)
print(s.makefile("rb").read().count(b"hello"))
PY
  equal "$output" 2
}

# bats test_tags=once
@test "Node: fetch, which does not look for a proxy unless it is told to" {
  [[ -x $TOOLS/node ]] || skip "there is no Node.js on this host"
  for use in 0 1; do
    run -0 sandbox exec -i -e NODE_USE_ENV_PROXY=$use box "$TOOLS/node" --no-warnings - "https://up.test:$TLS_PORT/" <<'JS'
fetch(process.argv[2]).then(answer => answer.text()).then(text => process.stdout.write(text));
JS
    equal "$output" hello
  done
}

# Java looks for neither proxy nor certificates where others do: it is captured, and has a store of its own.
make_java_client() {
  command -v javac >/dev/null || skip "there is no JDK on this host"
  cat >"$WORLD/Get.java" <<'JAVA'
public class Get {
  public static void main(String[] urls) throws Exception {
    for (String url : urls) System.out.print(new String(new java.net.URL(url).openStream().readAllBytes()));
  }
}
JAVA
  mkdir -p "$WORLD/java-client"
  javac --release 11 -d "$WORLD/java-client" "$WORLD/Get.java"
}

# The host's, with its store where Debian's packages have it, and a first start to which all of that was there before.
# bats test_tags=once
@test "Java: one that was in the template trusts the authority from the first start" {
  make_java_client
  [[ -e /etc/ssl/certs/java/cacerts ]] || skip "this host's Java has no store of Debian's"
  jlink --add-modules java.base,jdk.crypto.ec --output "$WORLD/java"
  ln -sf /etc/ssl/certs/java/cacerts "$WORLD/java/lib/security/cacerts"
  netbox java -- "$WORLD/java:ro" "$WORLD/java-client:ro"
  sandbox network proxy java --policy deny --allow-host up.test
  sandbox cp /etc/ssl/certs/java/cacerts java:/home/agent/cacerts
  sandbox exec -u root java sh -ec 'mkdir -p /etc/ssl/certs/java; cp /home/agent/cacerts /etc/ssl/certs/java/
    rm /etc/ssl/certs/proxy-ca.pem'
  java_get() {
    sandbox exec java "$WORLD/java/bin/java" -cp "$WORLD/java-client" Get "http://up.test:$HTTP_PORT/" "https://up.test:$TLS_PORT/"
  }
  run ! java_get
  says "unable to find valid certification path"
  sandbox stop java >/dev/null
  sandbox start java >/dev/null
  run -0 java_get
  equal "$output" $'hello\nhello'
  run -0 sandbox exec java "$WORLD/java/bin/keytool" -list -cacerts -storepass changeit -alias debian:proxy-ca.pem
  says trustedCertEntry
  local before
  before=$(sandbox exec java sha256sum /etc/ssl/certs/java/cacerts)
  sandbox stop java >/dev/null
  sandbox start java >/dev/null
  equal "$(sandbox exec java sha256sum /etc/ssl/certs/java/cacerts)" "$before"
  sandbox rm -f java
}

# bats test_tags=once
@test "gRPC's way: HTTP/2 with bodies both ways and trailers" {
  guest sh -c 'head -c 200000 /dev/urandom >~/message'
  run -0 guest "$TOOLS/nghttp" -v --no-verify-peer -H 'te: trailers' -d /home/agent/message "https://up.test:$GRPC_PORT/service/Method"
  says "grpc-status: 0"
  says ":status: 200"
  run -0 guest sh -c "'$TOOLS/nghttp' -d ~/message 'https://up.test:$GRPC_PORT/service/Method' | cmp - ~/message"
  run -0 guest "$TOOLS/nghttp" -ns -m 50 "https://up.test:$GRPC_PORT/"
  equal "$(grep -c ' 404 ' <<<"$output")" 50
}

# --- git -------------------------------------------------------------------------------------------------------------

@test "git: clone and push over HTTPS" {
  for flags in "" "-c http.proxy="; do
    guest rm -rf /home/agent/clone
    # shellcheck disable=SC2086
    guest git $flags clone -q "https://up.test:$TLS_PORT/git/numbers.git" /home/agent/clone
    equal "$(guest sha256sum </dev/null /home/agent/clone/numbers | cut -d' ' -f1)" "$(sha256sum <"$WORLD/source/numbers" | cut -d' ' -f1)"
  done
  guest sh -c 'cd ~/clone && seq 100000 | shuf >pushed && git add pushed &&
    git -c user.name=a -c user.email=a@b.test commit -q -m pushed && git push -q'
  equal "$(git -C "$UPSTREAMS/git/numbers.git" log -1 --format=%s)" pushed
}

@test "git: clone over ssh, to a port that a rule names and to no other" {
  sandbox cp "$UPSTREAMS/key" box:/home/agent/key
  guest_root sh -c 'chown agent: /home/agent/key && chmod 600 /home/agent/key'
  ssh_clone() {
    guest rm -rf /home/agent/by-ssh
    sandbox exec -e GIT_SSH_COMMAND="ssh -i /home/agent/key -oIdentitiesOnly=yes -oStrictHostKeyChecking=no -oUserKnownHostsFile=/dev/null -oConnectTimeout=$kPatience" \
      box git clone -q "ssh://root@up.test:$SSH_PORT$UPSTREAMS/git/numbers.git" /home/agent/by-ssh
  }
  run ! ssh_clone  # up.test is allowed, but only for HTTP and HTTPS
  policy --allow-host "up.test:$SSH_PORT"
  run -0 ssh_clone
  guest test -s /home/agent/by-ssh/numbers
  policy --remove-host "up.test:$SSH_PORT" --allow-host "up.test:$((SSH_PORT ^ 1))"
  run ! ssh_clone
}

# --- openssl s_client ------------------------------------------------------------------------------------------------

# bats test_tags=once
@test "openssl s_client: the name is the one that was asked for" {
  request() { printf 'GET / HTTP/1.1\r\nHost: up.test:%s\r\nConnection: close\r\n\r\n' "$TLS_PORT"; }
  run -0 sandbox exec -i box timeout "$kPatience" openssl s_client -connect "up.test:$TLS_PORT" -servername up.test \
    -verify_return_error -ign_eof < <(request)
  says "issuer=CN = sandboxd Proxy CA box"
  says "subject=CN = up.test"
  says hello
  for wrong in "-noservername" "-servername other.test" "-servername evil.up.test"; do
    forget_visits
    # shellcheck disable=SC2086
    run sandbox exec -i box timeout "$kPatience" openssl s_client -connect "up.test:$TLS_PORT" $wrong -ign_eof < <(request)
    says_not $'\nhello'
    says "Blocked by network policy"
    nobody_came
  done
}

# --- package managers, over the host's own configuration ------------------------------------------------------------------

# The hosts that these lines name in URLs.
hosts_of() { grep -oE 'https?://[^/ ]+' | sed -E 's,^https?://,,' | sort -u; }

allow_hosts_of() {
  local host
  while read -r host; do sandbox network proxy "$1" --allow-host "$host" >/dev/null; done
}

# bats test_tags=once
@test "npm: a package from the registry of the host's configuration" {
  local registry module
  [[ -x $TOOLS/node ]] && command -v npm >/dev/null || skip "there is no npm on this host"
  registry=$(npm config get registry)
  curl -sf --max-time 20 -o /dev/null "${registry%/}/is-number" || skip "npm's registry does not answer here"
  module=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  box npm -- "$TOOLS:ro" "$module:ro"
  sandbox network proxy npm --policy deny
  install() {
    sandbox exec npm sh -c "mkdir -p ~/p && cd ~/p && '$TOOLS/node' '$module/bin/npm-cli.js' pack --fetch-retries=0 --registry='$registry' is-number@7.0.0"
  }
  run ! install
  hosts_of <<<"$registry" | allow_hosts_of npm
  run -0 install
  sandbox exec npm tar -tzf /home/agent/p/is-number-7.0.0.tgz package/package.json
  sandbox rm -f npm
}

# The host's sources of packages, as a directory.
bring_sources() {
  export SOURCES=$WORLD/apt
  mkdir -p "$SOURCES"
  cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list "$SOURCES/" 2>/dev/null || true
  [[ -n $(hosts_of_sources) ]] || skip "the host has no sources of packages"
}
hosts_of_sources() { cat "$SOURCES"/* | grep -v '^#' | hosts_of; }

# apt_get SANDBOX WORD...
apt_get() {
  sandbox exec -u root -e DEBIAN_FRONTEND=noninteractive "$1" apt-get -qq -o Dir::Etc::SourceParts="$SOURCES" \
    -o Dir::Etc::SourceList=/dev/null -o Acquire::Retries=0 -o Acquire::Languages=none "${@:2}"
}

# bats test_tags=once
@test "apt-get: lists and a package from the sources of the host's configuration" {
  bring_sources
  box apt -- "$SOURCES:ro"
  sandbox network proxy apt --policy deny
  run apt_get apt update --error-on=any
  ((status != 0))
  says "403"
  hosts_of_sources | allow_hosts_of apt
  SANDBOX_TIMEOUT=300 run -0 apt_get apt update --error-on=any
  run -0 apt_get apt download hostname
  sandbox rm -f apt
}

# bats test_tags=once
@test "apt-get: a Java that is installed in the sandbox trusts the authority" {
  make_java_client
  bring_sources
  netbox later -- "$WORLD/java-client:ro" "$SOURCES:ro"
  sandbox network proxy later --policy deny --allow-host up.test >/dev/null
  hosts_of_sources | allow_hosts_of later
  SANDBOX_TIMEOUT=300 run -0 apt_get later update --error-on=any
  SANDBOX_TIMEOUT=600 run -0 apt_get later install -y --no-install-recommends default-jre-headless
  run -0 sandbox exec later java -cp "$WORLD/java-client" Get "http://up.test:$HTTP_PORT/" "https://up.test:$TLS_PORT/"
  equal "$output" $'hello\nhello'
  sandbox rm -f later
}
