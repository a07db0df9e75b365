# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The far side of a sandbox's network: servers on the host's loopback, in a world (world.bash). upstreams_up after world_up.
# What they set is exported, and so there in each test of the file:
#   UPSTREAMS                 their directory: certificates, logs, files to serve
#   HTTP_PORT TLS_PORT        tests/e2e/upstream.py, plainly and in TLS
#   STRANGER_PORT             the same, with a certificate that nobody trusts
# The certificate is good for up.test, other.test and *.wild.test; the daemon of this world trusts it.

source "$(dirname "${BASH_SOURCE[0]}")/world.bash"

teardown_file() {
  upstreams_down
  world_down
}

upstreams_up() {
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS/www"
  trust_upstreams
  python3 "$kSource/tests/e2e/upstream.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/ports"
  set -a
  # shellcheck disable=SC1091
  source "$UPSTREAMS/ports"
  set +a
}

upstreams_down() {
  local pid pids=()
  mapfile -t pids < <(cat "$WORLD/upstreams/pids" 2>/dev/null)
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do eventually is_gone "$pid"; done
}

remember_upstream() { echo "$1" >>"$UPSTREAMS/pids"; }

# make_certificate NAME SUBJECT_ALTERNATIVE_NAMES
make_certificate() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \
    -addext "subjectAltName=$2" -keyout "$UPSTREAMS/$1.key" -out "$UPSTREAMS/$1.crt" 2>/dev/null
}

# The host's roots are what the daemon's SSL_CERT_FILE says, for sandboxes that start from now on.
trust_upstreams() {
  local names='DNS:up.test,DNS:other.test,DNS:*.wild.test,IP:127.0.0.1'
  make_certificate server "$names"
  make_certificate stranger "$names"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/server.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  sandbox daemon stop 2>/dev/null || true
}

answers() { (exec 9<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# nginx: HTTP/1.1 and HTTP/2 in TLS on H2_PORT, HTTP/1.1 plainly on MANY_PORT, for many connections.
nginx_up() {
  export H2_PORT MANY_PORT
  H2_PORT=$(free_port)
  MANY_PORT=$(free_port)
  cat >"$UPSTREAMS/nginx.conf" <<NGINX
daemon off;
user root;
worker_processes 1;
pid $UPSTREAMS/nginx.pid;
error_log $UPSTREAMS/nginx-error.log;
events { worker_connections 4096; }
http {
  access_log $UPSTREAMS/nginx-access.log;
  client_body_temp_path $UPSTREAMS/nginx-temp;
  client_max_body_size 0;
  proxy_temp_path $UPSTREAMS/nginx-proxy;
  fastcgi_temp_path $UPSTREAMS/nginx-fastcgi;
  uwsgi_temp_path $UPSTREAMS/nginx-uwsgi;
  scgi_temp_path $UPSTREAMS/nginx-scgi;
  server {
    listen 127.0.0.1:$H2_PORT ssl http2;
    listen 127.0.0.1:$MANY_PORT backlog=4096;
    ssl_certificate $UPSTREAMS/server.crt;
    ssl_certificate_key $UPSTREAMS/server.key;
    root $UPSTREAMS/www;
    location /protocol { return 200 "\$server_protocol \$request_method\n"; }
    location /back/ { proxy_pass http://127.0.0.1:$HTTP_PORT/; proxy_http_version 1.1; proxy_request_buffering off; }
  }
}
NGINX
  nginx -p "$UPSTREAMS" -c "$UPSTREAMS/nginx.conf" </dev/null >/dev/null 2>&1 3>&- &
  remember_upstream $!
  eventually answers "$H2_PORT"
}

# A server of HTTP/2 that sends back what it gets, with the trailer of a gRPC server.
grpc_up() {
  export GRPC_PORT
  GRPC_PORT=$(free_port)
  nghttpd --address=127.0.0.1 --echo-upload --trailer 'grpc-status: 0' "$GRPC_PORT" "$UPSTREAMS/server.key" \
    "$UPSTREAMS/server.crt" </dev/null >"$UPSTREAMS/nghttpd.log" 2>&1 3>&- &
  remember_upstream $!
  eventually answers "$GRPC_PORT"
}

# IMAP in TLS on IMAPS_PORT, and what sends back what it gets on port 443 of ECHO_ADDRESS (for root).
other_protocols_up() {
  export IMAPS_PORT ECHO_ADDRESS=127.77.0.1
  IMAPS_PORT=$(free_port)
  python3 "$kSource/tests/e2e/other_protocols.py" "$UPSTREAMS" "$IMAPS_PORT" </dev/null >"$UPSTREAMS/other.log" 2>&1 3>&- &
  remember_upstream $!
  eventually answers "$IMAPS_PORT"
  if ((EUID == 0)); then ECHO_ADDRESS=$(cat "$UPSTREAMS/echo-address"); fi
}

# sshd: for whoever has $UPSTREAMS/key.
ssh_up() {
  export SSH_PORT
  SSH_PORT=$(free_port)
  ssh-keygen -q -t ed25519 -N '' -f "$UPSTREAMS/host_key"
  ssh-keygen -q -t ed25519 -N '' -f "$UPSTREAMS/key"
  mkdir -p /run/sshd  # sshd will not start without
  cat >"$UPSTREAMS/sshd_config" <<SSHD
ListenAddress 127.0.0.1:$SSH_PORT
HostKey $UPSTREAMS/host_key
AuthorizedKeysFile $UPSTREAMS/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
SSHD
  /usr/sbin/sshd -D -e -f "$UPSTREAMS/sshd_config" </dev/null >"$UPSTREAMS/sshd.log" 2>&1 3>&- &
  remember_upstream $!
  eventually answers "$SSH_PORT"
}

# --- who came --------------------------------------------------------------------------------------------------------

forget_visits() { : >"$UPSTREAMS/visits"; }
visits() { cat "$UPSTREAMS/visits"; }
nobody_came() { [[ ! -s $UPSTREAMS/visits ]] || fail "they came: $(visits)"; }

# --- the near side ---------------------------------------------------------------------------------------------------

# netbox NAME [FLAG...] [-- WORKSPACE...]: as box, and it knows the upstreams by name.
netbox() { box "$1" --add-host up.test:127.0.0.1 --add-host other.test:127.0.0.1 "${@:2}"; }

guest() { sandbox exec box "$@"; }
guest_root() { sandbox exec -u root box "$@"; }
guest_python() { sandbox exec -i box python3 - "$@"; }
policy() { sandbox network proxy box "$@" >/dev/null; }

# curl that does not hang, by the forward proxy of its environment; and past it, so that it is captured.
forward_curl() { guest curl -sS --max-time "$kPatience" "$@"; }
captured_curl() { guest curl -sS --max-time "$kPatience" --noproxy '*' "$@"; }

# bring PROGRAM...: a directory with programs of the host's and all that they need, which a guest can run whatever its own
# system is, when it is given $TOOLS as a further workspace. One that the host does not have is not there.
bring() {
  export TOOLS=$WORLD/tools
  mkdir -p "$TOOLS/lib"
  local name program
  for name; do
    program=$(readlink -f "$(command -v "$name" || true)")
    [[ -n $program ]] || continue
    cp -n "$program" "$TOOLS/lib/$name"
    ldd "$program" | grep -oE '/[^ ]+' | xargs cp -nt "$TOOLS/lib"
    printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "$TOOLS/lib/ld-linux-x86-64.so.2" "$TOOLS/lib" \
      "$TOOLS/lib/$name" >"$TOOLS/$name"
    chmod 755 "$TOOLS/$name"
  done
}

# bring_python MODULE...: the distribution's Python as $TOOLS/python3, with its standard library and these of its modules.
bring_python() {
  local version module
  version=$(/usr/bin/python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
  PATH=/usr/bin:$PATH bring python3
  cp -a "/usr/lib/$version" "$TOOLS/lib/"
  for module; do cp -aL "/usr/lib/python3/dist-packages/$module" "$TOOLS/lib/$version/"; done
  find "$TOOLS/lib/$version" -name '*.so' -print0 | xargs -0 ldd 2>/dev/null | grep -oE '/[^ :]+\.so[^ :]*' | sort -u |
    grep -v "^$TOOLS" | xargs cp -nt "$TOOLS/lib"
  sed -i "s|^exec |PYTHONHOME=$TOOLS exec |" "$TOOLS/python3"
}

# What the log of box says: `logged FILTER` is whether jq finds something in it.
log_json() { sandbox network log box --json; }
logged() { log_json | jq -e "$1" >/dev/null; }
