#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The HTTP API as curl sees it: the vendor's three endpoints, ours, and what it refuses.

load world

setup_file() {
  world_up
  sandbox daemon start
  box box
  mkdir -p "$WORLD/vendor"
  # Says half a request and waits for the answer; the last test of this file looks at it.
  python3 - >"$WORLD/slow-client" 3>&- <<'PY' &
import os, socket
s = socket.socket(socket.AF_UNIX)
s.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
s.settimeout(120)
s.sendall(b"POST /vm HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
said = b""
while chunk := s.recv(4096): said += chunk
print("closed after saying", said, flush=True)
PY
  echo $! >"$WORLD/slow-client.pid"
}

teardown_file() {
  kill "$(cat "$WORLD/slow-client.pid")" 2>/dev/null || true
  world_down
}

# call METHOD PATH STATUS [BODY]: checks the status and leaves the body in $output.
call() {
  local arguments=(-o "$WORLD/body" -w '%{http_code}')
  [[ -z ${4-} ]] || arguments+=(-H 'Content-Type: application/json' -d "$4")
  local code
  code=$(api "$1" "$2" "${arguments[@]}")
  output=$(cat "$WORLD/body")
  equal "$code" "$3"
}

is_error_body() {
  equal "$(jq -c '.error | (.code | type), (.message | type), (.hint // "" | type)' <<<"$output" | tr '\n' ' ')" '"string" "string" "string" '
  [[ -z ${1-} ]] || says "$1" "$(jq -r .error.message <<<"$output")"
}

@test "POST /vm makes <agent_name>-vm for any agent name, with exactly the vendor's answer" {
  call POST /vm 201 "{\"agent_name\": \"sandbox-agent\", \"workspace_dir\": \"$WORLD/vendor\"}"
  equal "$(jq -c keys <<<"$output")" '["ca_cert_data","ca_cert_path","vm_config","vm_id","vm_name"]'
  equal "$(jq -r .vm_name <<<"$output")" sandbox-agent-vm
  equal "$(jq -c '.vm_config | keys' <<<"$output")" '["assetDir","fileSharingDirectories","socketPath","stateDir"]'
  equal "$(jq -r .vm_config.stateDir <<<"$output")" "$SANDBOXES_HOME/vm/sandbox-agent-vm"
  equal "$(jq -r .vm_config.socketPath <<<"$output")" "$SANDBOXES_HOME/vm/sandbox-agent-vm/docker.sock"
  equal "$(jq -c .vm_config.fileSharingDirectories <<<"$output")" "[\"$WORLD/vendor\"]"
  equal "$(jq -r .ca_cert_path <<<"$output")" "$SANDBOXES_HOME/vm/sandbox-agent-vm/proxy_cacerts/proxy-ca.crt"
  jq -r .ca_cert_data <<<"$output" | base64 -d | cmp - "$(jq -r .ca_cert_path <<<"$output")"
  openssl x509 -in "$(jq -r .ca_cert_path <<<"$output")" -noout -text | grep -q 'CA:TRUE'
}

@test "GET /vm lists exactly the vendor's fields" {
  call GET /vm 200
  equal "$(jq -c 'type' <<<"$output")" '"array"'
  equal "$(jq -c '.[] | select(.vm_name == "sandbox-agent-vm") | keys' <<<"$output")" \
    '["agent_name","vm_id","vm_name","workspace_dir"]'
  equal "$(jq -r '.[] | select(.vm_name == "sandbox-agent-vm") | .agent_name, .workspace_dir' <<<"$output")" \
    "sandbox-agent"$'\n'"$WORLD/vendor"
  equal "$(jq -r '.[] | select(.vm_name == "box") | .vm_id' <<<"$output")" "$(inspect box .id)"
}

@test "a sandbox of the API's is one of the CLI's" {
  run -0 sandbox exec sandbox-agent-vm pwd
  equal "$output" "$WORLD/vendor"
}

@test "DELETE /vm/{name} removes it, and then it is not there" {
  call DELETE /vm/sandbox-agent-vm 204
  [[ ! -e $SANDBOXES_HOME/vm/sandbox-agent-vm && -d $WORLD/vendor ]]
  call DELETE /vm/sandbox-agent-vm 404
  is_error_body sandbox-agent-vm
}

@test "POST /vm wants both fields, of the right type, and no others: the answer names what is wrong" {
  call POST /vm 400 '{"agent_name": "x"}'
  is_error_body workspace_dir
  call POST /vm 400 "{\"agent_name\": 7, \"workspace_dir\": \"$WORLD/vendor\"}"
  is_error_body agent_name
  call POST /vm 400 "{\"agent_name\": \"x\", \"workspace_dir\": \"$WORLD/vendor\", \"surprise\": 1}"
  is_error_body surprise
  call POST /vm 400 '{"agent_name": "x", "workspace_dir": "/no/such/dir"}'
  is_error_body /no/such/dir
  call POST /vm 400 '{"agent_name": "../../x", "workspace_dir": "/tmp"}'
  is_error_body
  call POST /vm 400 '{not json'
  is_error_body
  call POST /vm 400 '[1, 2]'
  is_error_body
}

@test "unknown paths are 404, wrong methods 405 with Allow" {
  call GET /nonsense 404
  is_error_body
  call GET /vm/a/b/c 404
  call PUT /vm 405
  is_error_body
  call GET /shutdown 405
  matches 'Allow: .*POST' "$(api PUT /vm -i)"
}

@test "a body over the bound is 413, and the daemon lives" {
  head -c 30000000 /dev/zero | tr '\0' ' ' >"$WORLD/large"
  local code
  code=$(api POST /vm -o "$WORLD/body" -w '%{http_code}' -H 'Expect:' -H 'Content-Type: application/json' --data-binary "@$WORLD/large" || true)
  equal "$code" 413
  call GET /version 200
}

@test "deeply nested JSON, wrong UTF-8 and NULs are 400s" {
  python3 -c 'print("[" * 100000)' >"$WORLD/deep"
  equal "$(api POST /vm -o /dev/null -w '%{http_code}' -d "@$WORLD/deep")" 400
  printf '{"agent_name": "\xff\xfe", "workspace_dir": "/tmp"}' >"$WORLD/bytes"
  equal "$(api POST /vm -o /dev/null -w '%{http_code}' --data-binary "@$WORLD/bytes")" 400
  call POST /vm 400 '{"agent_name": "a\u0000b", "workspace_dir": "/tmp"}'
  call GET /version 200
}

@test "requests that are no HTTP are answered with 400 or hung up on, and the daemon lives" {
  timeout 60 python3 - <<'PY'
import os, socket
def ask(text):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(45)
    s.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
    try:
        s.sendall(text)
        s.shutdown(socket.SHUT_WR)
    except BrokenPipeError:
        pass
    said = b""
    try:
        while chunk := s.recv(65536): said += chunk
    except ConnectionResetError:
        pass
    return said
for text in (b"\x00\x01\x02\x03", b"GET\r\n\r\n", b"GET /vm HTTP/9.9\r\n\r\n", b"GET /vm HTTP/1.1\r\nbad header\r\n\r\n",
             b"GET /vm HTTP/1.1\r\nX: " + b"a" * 1000000 + b"\r\n\r\n",
             b"POST /vm HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
             b"POST /vm HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
             b"POST /vm HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             b"GET /vm/%2e%2e%2f%2e%2e HTTP/1.1\r\nHost: x\r\n\r\n", b""):
    said = ask(text)
    first = said.split(b"\r\n")[0]
    assert said == b"" or first.split()[1][:1] == b"4" or first.split()[1] == b"505", (text[:60], first)
assert b"200" in ask(b"GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").split(b"\r\n")[0]
PY
}

@test "our own resources: list, get, stop, start, and their errors" {
  call GET /sandboxes 200
  equal "$(jq -r '.sandboxes[0].name' <<<"$output")" box
  call GET /sandboxes/box 200
  equal "$(jq -r '.name, .status, .isolation' <<<"$output")" $'box\nrunning\ncontainer'
  call GET /sandboxes/nosuch 404
  is_error_body nosuch
  call POST /sandboxes/box/stop 200 '{}'
  equal "$(jq -r .status <<<"$output")" stopped
  call POST /sandboxes/box/start 200 '{}'
  equal "$(jq -r .status <<<"$output")" running
  call POST /sandboxes/nosuch/start 404 '{}'
  call POST /sandboxes/box/stop 400 '{"grace": 1}'
  is_error_body grace
}

@test "POST /sandboxes is 201 for a new one, 200 for one reused, 409 for a name that is taken" {
  mkdir -p "$WORLD/made" "$WORLD/made-other"
  local request="{\"agent\":\"shell\",\"name\":\"made\",\"workspaces\":[{\"source\":\"$WORLD/made\",\"target\":\"$WORLD/made\",\"readonly\":false}]"
  call POST /sandboxes 201 "$request}"
  equal "$(jq -r .name <<<"$output")" made
  call POST /sandboxes 200 "$request,\"reuse\":true}"
  call POST /sandboxes 409 "$request}"
  is_error_body made
  call POST /sandboxes 400 "$request,\"colour\":\"red\"}"
  is_error_body colour
  call DELETE /sandboxes/made 204
}

@test "exec without an upgrade is refused, a detached one answers with its pid" {
  call POST /sandboxes/box/exec 400 '{"command":["true"]}' || call POST /sandboxes/box/exec 426 '{"command":["true"]}'
  is_error_body
  call POST /sandboxes/box/exec 200 '{"command":["true"],"detach":true}'
  matches '^[0-9]+$' "$(jq -r .pid <<<"$output")"
}

@test "an upgraded exec speaks frames, and wrong ones end it without ending anything else" {
  timeout 60 python3 - <<'PY'
import json, os, socket, struct
def exec_(command, **more):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
    body = json.dumps({"command": command, **more}).encode()
    s.sendall(b"POST /sandboxes/box/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: sandbox-exec\r\n"
              b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    return s
def read_all(s):
    said = b""
    try:
        while chunk := s.recv(65536): said += chunk
    except ConnectionResetError:
        pass
    return said
said = read_all(exec_(["echo", "hi"]))
head, _, frames = said.partition(b"\r\n\r\n")
assert b"101" in head.split(b"\r\n")[0] and b"sandbox-exec" in head.lower(), head
kinds = {}
while frames:
    length, stream, kind = struct.unpack("<IIB3x", frames[:12])
    kinds.setdefault(kind, b"")
    kinds[kind] += frames[12:12 + length]
    assert stream == 1
    frames = frames[12 + length:]
assert kinds[20] == b"hi\n", kinds
assert json.loads(kinds[22])["code"] == 0, kinds
for wrong in (struct.pack("<IIB3x", 0xffffffff, 1, 18), struct.pack("<IIB3x", 4, 99, 18) + b"abcd", b"\xff" * 4096,
              struct.pack("<IIB3x", 0, 1, 22), struct.pack("<IIB3x", 2, 0, 4) + b"{}", struct.pack("<IIB3x", 2, 1, 16) + b"{}"):
    s = exec_(["sleep", "5"], interactive=True)
    got = b""
    while b"\r\n\r\n" not in got: got += s.recv(4096)
    s.sendall(wrong)
    read_all(s)
    s.close()
    assert b"still" in read_all(exec_(["echo", "still"]))
PY
  equal "$(status_of box)" running
}

@test "the socket is the user's alone" {
  equal "$(stat -c %a "$SANDBOXES_HOME/sandboxd.sock")" 600
  equal "$(stat -c %a "$SANDBOXES_HOME")" 700
}

@test "another user is refused even where the file modes would let it in" {
  chmod 755 "$WORLD/user" "$WORLD/user/.docker" "$SANDBOXES_HOME"
  chmod 666 "$SANDBOXES_HOME/sandboxd.sock"
  run setpriv --reuid 65534 --regid 65534 --clear-groups curl -sS --max-time 10 --unix-socket "$SANDBOXES_HOME/sandboxd.sock" \
    -w '\n%{http_code}' http://localhost/vm 3>&-
  local verdict=$status answer=$output
  chmod 600 "$SANDBOXES_HOME/sandboxd.sock"
  chmod 700 "$SANDBOXES_HOME"
  says_not box "$answer"
  ((verdict != 0)) || matches '403$' "$answer"
  run -0 api GET /vm
  says box
}

@test "a hundred connections that say nothing do not keep others out" {
  timeout 60 python3 - <<'PY'
import os, socket, subprocess
idle = []
for _ in range(100):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(os.environ["SANDBOXES_HOME"] + "/sandboxd.sock")
    idle.append(s)
subprocess.run([os.environ["SANDBOXD_BIN"] + "/sandbox", "exec", "box", "true"], check=True, timeout=20)
PY
}

@test "a client that never finishes its request is hung up on" {
  eventually_slow
}
eventually_slow() { kPatience=60 eventually grep -q 'closed after saying' "$WORLD/slow-client"; }
