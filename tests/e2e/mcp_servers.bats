#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# MCP servers in sandboxes of their own, for agents in others: with a real server and the official client, both from npm.

load world

setup_file() {
  command -v npm >/dev/null || skip "npm is not installed"
  world_up
  export SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  export MCP_SDK=$SDK_BUILD/mcp
  package_of "$MCP_SDK" @modelcontextprotocol/sdk@1.32.2
  local node everything=$SDK_BUILD/mcp-everything
  package_of "$everything" @modelcontextprotocol/server-everything@2026.8.31
  node=$(node_from_npm 20.20.2)
  # Where every user may read it, and no sandbox's directories are.
  mkdir -p "$WORLD/server"
  cp "$node" "$WORLD/server/node"
  cp -r "$everything/node_modules" "$WORLD/server/"
  sandbox mcp add -q everything -v "$WORLD/server:/server:ro" -e KEY=of-the-server -- \
    /server/node /server/node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio >/dev/null
  sandbox mcp add -q echo --command 'echo begun >&2; exec cat' >/dev/null
  box agent --mcp everything --mcp echo
  box other
}

# mcp SANDBOX SERVER: the lines of standard input, by the official client, to a server that a program in the sandbox uses.
mcp() {
  timeout "$((kPatience * 3))" node "$kSource/tests/e2e/mcp_client.mjs" -- \
    "$SANDBOXD_BIN/sandbox" exec -i "$1" /run/sandbox/bin/sandbox-mcp "$2"
}
speak() { sandbox exec -i "$1" /run/sandbox/bin/sandbox-mcp "$2"; }
servers_in() { sandbox exec "mcp-$1" pgrep -cx "$2"; }
has_servers() { [[ $(servers_in "$1" "$2") == "$3" ]]; }

@test "a real server works for the official client, and each client has a server of its own" {
  run -0 mcp agent everything <<<$'plain echo {"message": "through two walls"}\ntools'
  says "through two walls"
  (($(jq -s '.[1].tools | length' <<<"$output") > 5))
  equal "$(status_of mcp-everything)" running
  coproc first { speak agent echo; }
  local to=${first[1]} from=${first[0]} line
  echo one >&"$to"
  read -r line <&"$from"
  equal "$line" one
  has_servers echo cat 1
  run -0 speak agent echo <<<two
  equal "$output" two
  exec {to}>&-
  eventually has_servers echo cat 0
}

@test "what is said on standard error is in the log of the server's sandbox, and nowhere else" {
  run -0 --separate-stderr speak agent echo <<<hello
  equal "$output$stderr" hello
  run -0 sandbox logs mcp-echo
  says begun
}

@test "bytes are passed on as they are, as many as come, while both sides speak" {
  head -c 8000000 /dev/urandom >"$WORLD/bytes"
  equal "$(speak agent echo <"$WORLD/bytes" | md5sum)" "$(md5sum <"$WORLD/bytes")"
}

# bats test_tags=once
@test "a server's sandbox has no workspace, reaches nothing, and is shown with whom it serves" {
  equal "$(inspect mcp-echo '.mounts | length')" 0
  equal "$(sandbox network proxy mcp-echo --json | jq -r .policy.default)" deny
  run -0 sandbox mcp ls
  says "everything   mcp-everything"
  equal "$(sandbox mcp ls --json | jq -c '.servers | map([.name, .granted])')" '[["echo",["agent"]],["everything",["agent"]]]'
  run -0 sandbox mcp inspect echo
  equal "$(jq -c '[.sandbox, .command[2]]' <<<"$output")" '["mcp-echo","echo begun >&2; exec cat"]'
  run -125 --separate-stderr sandbox mcp inspect none
  is_error 'there is no MCP server "none"'
}

@test "neither side has files or variables of the other" {
  echo mine >"$(workspace_of agent)/secret"
  run ! sandbox exec mcp-everything cat "$(workspace_of agent)/secret"
  run ! sandbox exec agent ls /server
  run -0 sandbox exec agent sh -c 'env; cat ~/.claude.json /run/sandbox/mcp.json 2>/dev/null; true'
  [[ $output != *of-the-server* ]]
}

@test "a sandbox that was not granted a server cannot reach it" {
  run -127 speak other echo <<<hello
  run ! sandbox exec other ls /run/sandbox/mcp
  run -127 speak mcp-echo everything </dev/null
  sandbox mcp add -q private --command cat
  run -1 --separate-stderr speak agent private <<<hello
  says "no MCP server of this name was granted to this sandbox" "$stderr"
  says "try: on the host: sandbox run --mcp NAME" "$stderr"
  run -1 speak agent ../ssh-agent </dev/null
  equal "$(status_of mcp-private)" stopped
  sandbox mcp rm private
}

@test "a server that is killed, or its whole sandbox, is started again for the next client" {
  coproc held { speak agent echo; }
  local to=${held[1]} from line
  exec {from}<&"${held[0]}"  # our own: bash closes a coprocess' when it has ended
  echo one >&"$to"
  read -r line <&"$from"
  sandbox exec mcp-echo pkill -9 cat
  run ! read -r line <&"$from"
  exec {from}<&-
  run -0 speak agent echo <<<two
  equal "$output" two
  kill -9 "$(shim_pid_of mcp-echo)"
  eventually has_status mcp-echo stopped
  run -0 speak agent echo <<<three
  equal "$output" three
}

@test "a line survives the daemon, and a client that comes without one is served by the next" {
  coproc kept { speak agent echo; }
  local to=${kept[1]} from=${kept[0]} line
  echo one >&"$to"
  read -r line <&"$from"
  local go late=$WORLD/late
  mkfifo "$WORLD/go"
  sandbox exec -i agent sh -c 'echo ready; read -r go; echo late | /run/sandbox/bin/sandbox-mcp echo' \
    <"$WORLD/go" >"$late" 2>&1 &
  local client=$!
  exec {go}>"$WORLD/go"
  eventually grep -qx ready "$late"
  kill -9 "$(daemon_pid)"
  eventually no_daemon
  echo two >&"$to"
  read -r line <&"$from"
  equal "$line" two
  echo go >&"$go"
  sandbox ls >/dev/null  # the next daemon
  eventually is_gone "$client"
  equal "$(cat "$late")" $'ready\nlate'
}

@test "a server that is not there any more is an answer, and one that cannot be started, too" {
  sandbox mcp add -q gone --command cat
  box user --mcp gone
  sandbox mcp rm gone
  run -1 --separate-stderr speak user gone </dev/null
  says 'there is no MCP server "gone"' "$stderr"
  sandbox mcp add -q gone -- /no/such/program
  run -0 speak user gone </dev/null
  run -0 sandbox logs mcp-gone
  says "/no/such/program"
  sandbox rm user
  sandbox mcp rm gone
  run ! is_there mcp-gone
}

# bats test_tags=once
@test "run grants a server from the next start on, and says so of one that runs" {
  run -125 --separate-stderr sandbox run -q other --mcp echo -- -c true
  is_error "sandbox other runs, and only its next start can give it --mcp echo"
  sandbox stop other
  run -0 --separate-stderr sandbox run -q other --mcp echo -- -c 'echo granted | /run/sandbox/bin/sandbox-mcp echo'
  equal "$output" granted
  run -125 --separate-stderr sandbox create --mcp none shell "$(workspace_of agent)"
  is_error 'there is no MCP server "none"'
}

# Straight to init's socket, without the program that is there for it.
raw_line() {
  sandbox exec -u root "$1" python3 -c 'import socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect("/run/sandbox/mcp/" + sys.argv[1] + ".sock")
line.settimeout(30)
print("got", line.recv(100))' "$2"
}

@test "revoke cuts a running sandbox off at once, for good, and nothing that it tries reaches the server" {
  sandbox mcp add -q lent --command cat
  box borrower --mcp lent --mcp echo
  run -0 raw_line borrower lent
  equal "$output" "got b'ok\\n'"
  eventually has_servers lent cat 0
  coproc open { speak borrower lent; }
  local to=${open[1]} from line
  exec {from}<&"${open[0]}"  # our own: bash closes a coprocess' when it has ended
  echo one >&"$to"
  read -r line <&"$from"
  equal "$line" one
  run -0 sandbox mcp revoke borrower lent
  equal "$output" lent
  run ! read -r line <&"$from"
  exec {from}<&-
  eventually has_servers lent cat 0
  run -1 --separate-stderr speak borrower lent <<<two
  run raw_line borrower lent
  says_not ok
  run -0 speak borrower echo <<<three
  equal "$output" three
  equal "$(sandbox mcp inspect lent | jq -c .granted)" '[]'
  run -0 sandbox mcp revoke borrower lent
  run -125 --separate-stderr sandbox mcp revoke borrower everything
  is_error 'MCP server "everything" was not granted to this sandbox'
  kill -9 "$(daemon_pid)"
  run raw_line borrower lent
  says_not ok
  sandbox stop borrower
  run -1 speak borrower lent </dev/null
  run ! sandbox exec borrower ls /run/sandbox/mcp/lent.sock
}

@test "grant counts from the next start on, and says so; rm says who still has it" {
  run -0 --separate-stderr sandbox mcp grant borrower lent
  says "from its next start on" "$stderr"
  run -1 speak borrower lent </dev/null
  sandbox stop borrower
  run -0 --separate-stderr sandbox mcp grant borrower lent
  equal "$stderr" ""
  run -0 speak borrower lent <<<again
  equal "$output" again
  run -0 --separate-stderr sandbox mcp rm lent
  says "still granted to borrower" "$stderr"
  run -125 --separate-stderr sandbox mcp grant borrower none
  is_error 'there is no MCP server "none"'
  run -0 sandbox mcp revoke borrower lent
  sandbox rm borrower
}

# bats test_tags=once
@test "what is taken back leaves the agent's configuration, and the policy has no rule for it any more" {
  mkdir -p "$WORLD/ws-taken"
  sandbox mcp add -q paper --url https://paper.example.test/mcp
  sandbox create -q --name taken --policy deny --template shell --mcp echo --mcp paper claude "$WORLD/ws-taken"
  run -0 sandbox exec taken jq -c '.mcpServers | keys' /home/agent/.claude.json
  equal "$output" '["echo","paper"]'
  sandbox network check taken https://paper.example.test >/dev/null
  sandbox mcp revoke taken echo paper
  run -1 sandbox network check taken https://paper.example.test
  sandbox stop taken
  run -0 sandbox exec taken jq -c '.mcpServers | keys' /home/agent/.claude.json
  equal "$output" '[]'
  sandbox rm taken
  sandbox mcp rm paper
}

# bats test_tags=once
@test "the agent's own configuration names its servers, besides the user's, and a file for all others does" {
  mkdir -p "$WORLD/ws-config"
  sandbox mcp add -q docs --url https://mcp.example.test/mcp
  sandbox create -q --name config --template shell --mcp echo --mcp docs claude "$WORLD/ws-config"
  run -0 sandbox exec config sh -c 'cat ~/.claude.json; stat -c %U ~/.claude.json >&2'
  says agent
  run -0 sandbox exec config cat /home/agent/.claude.json
  equal "$(jq -c .mcpServers.echo <<<"$output")" '{"type":"stdio","command":"/run/sandbox/bin/sandbox-mcp","args":["echo"]}'
  equal "$(jq -c .mcpServers.docs <<<"$output")" '{"type":"http","url":"https://mcp.example.test/mcp"}'
  run -0 sandbox exec config jq -c '.mcpServers | keys' /run/sandbox/mcp.json
  equal "$output" '["docs","echo"]'
  sandbox exec config sh -c 'jq ".mcpServers.mine = {command: \"x\"} | .theme = \"dark\"" ~/.claude.json >/tmp/c && cp /tmp/c ~/.claude.json'
  sandbox stop config
  run -0 sandbox exec config jq -c '[.theme, (.mcpServers | keys)]' /home/agent/.claude.json
  equal "$output" '["dark",["docs","echo","mine"]]'
  sandbox create -q --name config2 --template shell --mcp echo codex "$WORLD/ws-config"
  run -0 sandbox exec config2 cat /home/agent/.codex/config.toml
  says '[mcp_servers.echo]
command = "/run/sandbox/bin/sandbox-mcp"
args = ["echo"]'
  sandbox rm config config2
}

# bats test_tags=once
@test "a server on the network is reached by a rule for its host, and no other" {
  sandbox mcp add -q web --url https://web.example.test:8443/mcp
  sandbox create -q --name netted --policy deny --mcp web shell "$(workspace_of agent)"
  run -0 sandbox network check netted https://web.example.test:8443
  run -1 sandbox network check netted https://web.example.test
  equal "$(sandbox mcp inspect web | jq -c '[.url, .granted]')" '["https://web.example.test:8443/mcp",["netted"]]'
  sandbox rm netted
  sandbox mcp rm web
  run -125 sandbox mcp inspect web
}

# bats test_tags=once
@test "what cannot be meant is refused before anything is made" {
  run -2 --separate-stderr sandbox mcp add x
  is_error "which server?"
  run -2 --separate-stderr sandbox mcp add x --command cat --url https://a.test
  is_error "which server?"
  run -2 --separate-stderr sandbox mcp add X --command cat
  is_error "the name of an MCP server"
  run -2 --separate-stderr sandbox mcp add x --url https://a.test --allow-host b.test
  is_error "--allow-host is for a server that runs in a sandbox"
  run -2 --separate-stderr sandbox mcp add x --url ftp://a.test
  is_error "--url"
  run -125 --separate-stderr sandbox mcp add echo --command cat
  run -125 --separate-stderr sandbox mcp add echo --url https://a.test
  is_error "already"
  run ! is_there mcp-x
}
