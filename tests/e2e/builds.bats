#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Templates from Dockerfiles: built step by step in sandboxes, without Docker.

load registry

setup_file() {
  world_up
  own_templates
}

setup() {
  DIR=$WORLD/dir-$BATS_TEST_NUMBER
  mkdir -p "$DIR"
}

# dockerfile LINE...: into the directory of this test.
dockerfile() { printf '%s\n' "$@" >"$DIR/Dockerfile"; }
build() { sandbox template build -t "$1" "${@:2}" "$DIR"; }
no_benches() { ! sandbox ls -q | grep -q '^build-'; }

@test "a Dockerfile is a template: what it installs, copies and sets is there in its sandboxes" {
  echo 'int main(void) { return 0; }' >"$DIR/a.c"
  mkdir -p "$DIR/tools/deep"
  echo one >"$DIR/tools/one"
  echo two >"$DIR/tools/deep/two"
  dockerfile 'FROM shell' 'USER root' 'ARG WHO=nobody' 'ENV GREETING="hello $WHO"' \
    'RUN echo "made by $(id -un) for $WHO" > /made && mkdir -p /opt/x && rm -f /etc/issue' \
    'WORKDIR /srv/app' 'COPY a.c .' 'COPY --chown=agent:agent tools /opt/tools/' 'COPY --chmod=755 tools/one /usr/local/bin/' \
    'RUN <<EOF' 'echo from a heredoc > here' 'EOF' "COPY --chown=agent <<'END' /home/agent/.config/thing.json" '{"a": "$HOME"}' 'END' 'USER agent'
  run -0 build mine:1 --build-arg WHO=you
  says "Built template mine:1"
  box mine -t mine:1
  run -0 sandbox exec mine sh -c 'cat /made; echo $GREETING; ls /srv/app; stat -c "%U %a" /opt/tools/deep/two /usr/local/bin/one /home/agent/.config; cat /home/agent/.config/thing.json; test -e /etc/issue || echo gone'
  equal "$output" $'made by root for you\nhello you\na.c\nhere\nagent 644\nroot 755\nagent 755\n{"a": "$HOME"}\ngone'
  no_benches
}

# bats test_tags=once
@test "a step that was run is not run again, until what it stands on or copies is another" {
  echo 1 >"$DIR/file"
  dockerfile 'FROM shell' 'USER root' 'RUN head -c 16 /dev/urandom | base64 > /first' 'COPY file /file' 'RUN head -c 16 /dev/urandom | base64 > /second'
  random() { sandbox create -q --name "$1" -t "$1:1" shell "$DIR" >/dev/null && sandbox exec "$1" cat /first /second; }
  build aa:1 2>/dev/null
  run -0 build bb:1
  says "taken from the cache"
  equal "$(random aa)" "$(random bb)"
  echo 2 >"$DIR/file"
  build cc:1 2>/dev/null
  equal "$(random cc | head -1)" "$(sandbox exec aa head -1 /first)"
  [[ $(sandbox exec cc cat /second) != "$(sandbox exec aa cat /second)" ]]
  build dd:1 --no-cache 2>/dev/null
  [[ $(random dd | head -1) != "$(sandbox exec aa cat /first)" ]]
}

# bats test_tags=once
@test "stages: what one has made another copies, and a target is built alone" {
  dockerfile 'ARG BASE=shell' 'FROM $BASE AS maker' 'USER root' 'RUN mkdir -p /out/sub && echo made > /out/sub/file && ln -s sub/file /out/link' \
    'FROM shell' 'USER root' 'COPY --from=maker /out /in' 'COPY --from=0 /out/sub/file /copied'
  build staged:1 2>/dev/null
  box staged -t staged:1
  run -0 sandbox exec staged sh -c 'cat /in/link /copied; ls /out 2>&1 || true'
  says $'made\nmade'
  says "No such file"
  build maker:1 --target maker 2>/dev/null
  box maker -t maker:1
  equal "$(sandbox exec maker cat /out/link)" made
}

# bats test_tags=once
@test "ADD unpacks archives of the directory, by their content, and copies what is none" {
  mkdir -p "$DIR/tree/sub"
  echo one >"$DIR/tree/one"; echo two >"$DIR/tree/sub/two"; ln -s sub/two "$DIR/tree/link"
  tar -C "$DIR/tree" -czf "$DIR/a.tgz" .
  tar -C "$DIR/tree" --zstd -cf "$DIR/odd.name" sub
  tar -C "$DIR/tree" -cf "$DIR/c.tar" one
  echo plain | gzip >"$DIR/text.gz"
  echo BZhtml >"$DIR/words"
  dockerfile 'FROM shell' 'USER root' 'ADD a.tgz /a' 'ADD odd.name c.tar /b/' 'ADD --chown=agent *.gz words /c/' 'COPY c.tar /d/' \
    'ADD tree /e'
  build added:1 2>/dev/null
  box added -t added:1
  run -0 sandbox exec added sh -c 'cat /a/one /a/link; cd /b && find . -type f | sort; zcat /c/text.gz; cat /c/words; stat -c %U /c/words; ls /d; cat /e/link'
  equal "$output" $'one\ntwo\n./one\n./sub/two\nplain\nBZhtml\nagent\nc.tar\ntwo'
  head -c 100 "$DIR/a.tgz" >"$DIR/broken.gz"
  dockerfile 'FROM shell' 'ADD broken.gz /'
  run --separate-stderr build broken:1
  is_error "line 2: ADD: broken.gz"
  no_benches
}

# bats test_tags=once
@test "ADD fetches addresses in a sandbox, under its policy, with the digest that is asked for" {
  mkdir -p "$WORLD/www"
  echo fetched >"$WORLD/www/file.txt"
  local port sum
  port=$(free_port)
  (cd "$WORLD/www" && exec python3 -m http.server --bind 127.0.0.1 "$port") >/dev/null 2>&1 3>&- &
  local server=$!
  answers() { (exec 9<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
  eventually answers
  echo '{"policy": {"default": "deny"}, "network": {"allowedDomains": ["localhost:'"$port"'"]}}' >"$WORLD/proxy-config.json"
  sum=$(sha256sum <"$WORLD/www/file.txt" | cut -d' ' -f1)
  dockerfile 'FROM shell' 'USER root' "ADD http://host.docker.internal:$port/file.txt /in/" "ADD --chmod=644 --checksum=sha256:$sum http://host.docker.internal:$port/file.txt /as"
  run -0 build fetched:1
  echo newer >"$WORLD/www/file.txt"
  dockerfile 'FROM shell' 'USER root' "ADD http://host.docker.internal:$port/file.txt /in/"
  run -0 build newer:1
  dockerfile 'FROM shell' "ADD --checksum=sha256:$sum http://host.docker.internal:$port/file.txt /"
  run --separate-stderr build wrong:1
  is_error "instead of sha256:$sum"
  dockerfile 'FROM shell' "ADD http://host.docker.internal:$port/nosuch /"
  run -125 --separate-stderr build missing:1
  is_error "404"
  dockerfile 'FROM shell' 'ADD http://example.com/x /'
  run -125 --separate-stderr build blocked:2
  is_error "403"
  kill "$server"
  rm "$WORLD/proxy-config.json"
  box fetched -t fetched:1
  run -0 sandbox exec -u root fetched sh -c 'cat /in/file.txt /as; stat -c %a /in/file.txt /as'
  equal "$output" $'fetched\nfetched\n600\n644'
  box newer -t newer:1
  equal "$(sandbox exec -u root newer cat /in/file.txt)" newer
  no_benches
}

# bats test_tags=once
@test "what .dockerignore names is not sent, and a link in the directory is a link" {
  mkdir -p "$DIR/node_modules" "$DIR/src"
  echo secret >"$DIR/.env"; echo x >"$DIR/node_modules/x"; echo y >"$DIR/src/y"; echo z >"$DIR/src/y.tmp"
  printf '.env\nnode_modules\n**/*.tmp\n' >"$DIR/.dockerignore"
  ln -s /etc/shadow "$DIR/src/link"
  dockerfile 'FROM shell' 'USER root' 'COPY . /all'
  build ignoring:1 2>/dev/null
  box ignoring -t ignoring:1
  run -0 sandbox exec ignoring sh -c 'cd /all && find . -type f -o -type l | sort; readlink src/link'
  equal "$output" $'./.dockerignore\n./Dockerfile\n./src/link\n./src/y\n/etc/shadow'
}

# bats test_tags=once
@test "what fails says the line and the last words, and leaves no sandbox and no template" {
  dockerfile 'FROM shell' 'RUN echo first; echo the last word >&2; exit 3'
  run -125 --separate-stderr build failing:1
  is_error "line 2: RUN: the command ended with status 3"
  says "the last word" "$stderr"
  dockerfile 'FROM shell' 'COPY nosuch /'
  run -125 --separate-stderr build failing:1
  is_error "line 2: COPY: nothing is called nosuch"
  dockerfile 'FROM shell' 'COPY ../../../../etc/passwd /'
  run -125 --separate-stderr build failing:1
  is_error "nothing is called etc/passwd"
  dockerfile 'FROM shell' 'COPY *a*a*a*a /'
  run --separate-stderr build failing:1
  is_error "a pattern has at most three *"
  dockerfile 'FROM shell' 'ENV A=$A$A${A:-0123456789abcdef}' 'RUN true'
  printf 'ENV A=$A$A\n%.0s' {1..60} >>"$DIR/Dockerfile"
  run --separate-stderr build failing:1
  is_error "larger than 256 KiB"
  dockerfile 'FROM shell' 'FETCH x'
  run --separate-stderr build failing:1
  is_error "line 2: unknown instruction FETCH"
  rm "$DIR/Dockerfile"
  run --separate-stderr build failing:1
  is_error "there is no Dockerfile in"
  dockerfile 'FROM shell'
  run --separate-stderr build claude
  is_error "is a template of our own"
  run -0 sandbox template ls -q
  says_not failing
  no_benches
}

# bats test_tags=once
@test "a build is under the network policy of new sandboxes" {
  echo '{"policy": {"default": "deny"}, "network": {}}' >"$WORLD/proxy-config.json"
  dockerfile 'FROM shell' 'RUN curl -sS http://example.com/; curl -sS --fail http://example.com/'
  run -125 --separate-stderr build blocked:1
  says "Blocked by network policy: example.com" "$stderr"
  rm "$WORLD/proxy-config.json"
}

# bats test_tags=once
@test "a daemon that is killed in the middle of a step leaves no sandbox of it, and the next build goes through" {
  dockerfile 'FROM shell' 'RUN test -e /run/sandbox-slow || sleep 612'
  "$SANDBOXD_BIN/sandbox" template build -t killed:1 "$DIR" >/dev/null 2>&1 3>&- &
  local client=$! daemon
  sleeping() { pgrep -f '^sleep 612$' >/dev/null; }
  eventually sleeping
  daemon=$(daemon_pid)
  kill -9 "$client" "$daemon"
  eventually is_gone "$daemon"
  wait || true
  eventually no_benches
  dockerfile 'FROM shell' 'RUN true'
  build killed:1 2>/dev/null
}
