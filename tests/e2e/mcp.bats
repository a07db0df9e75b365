#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# `sandbox mcp` with the official client of the Model Context Protocol, and the official inspector, from npm.

load world

setup_file() {
  command -v npm >/dev/null || skip "npm is not installed"
  world_up
  export SDK_BUILD=${SANDBOXD_BUILD_DIR:-$kSource/build/release}/sdk
  # shellcheck source=tests/sdk/npm.bash
  source "$kSource/tests/sdk/npm.bash"
  export MCP_SDK=$SDK_BUILD/mcp
  [[ -d $MCP_SDK/node_modules/@modelcontextprotocol/sdk ]] || {
    mkdir -p "$MCP_SDK"
    echo '{"private": true}' >"$MCP_SDK/package.json"
    (cd "$MCP_SDK" && npm_quietly install @modelcontextprotocol/sdk@1.32.2)
  }
  package_of "$SDK_BUILD/mcp-inspector" @modelcontextprotocol/inspector-cli@0.15.0
  mkdir -p "$WORLD/project" "$WORLD/elsewhere"
  (cd "$WORLD/project" && mcp <<<'sandbox_create {"name": "box"}' >/dev/null)
  sandbox create -q --name foreign shell "$WORLD/elsewhere" >/dev/null
}

setup() { cd "$WORLD/project"; }

# mcp [--user accept|decline] [OPTION...]: the lines of standard input to a server with these options.
# shellcheck disable=SC2120
mcp() {
  local user=()
  if [[ ${1:-} == --user ]]; then user=(--user "$2"); shift 2; fi
  timeout "$kPatience" node "$kSource/tests/e2e/mcp_client.mjs" "${user[@]}" -- "$SANDBOXD_BIN/sandbox" mcp "$@"
}

# got FILTER: of the output's lines, as one array.
got() { jq -sc "$1" <<<"$output"; }

@test "its tools have a title, a schema, and a description of each argument" {
  run -0 mcp <<<tools
  equal "$(got '.[0].tools | length')" 17
  equal "$(got '[.[0].tools[] | select((.title and .description and .inputSchema.type == "object") | not) | .name]')" '[]'
  equal "$(got '[.[0].tools[] | .name as $t | .inputSchema.properties[] | select(.description == null) | $t]')" '[]'
  equal "$(got '[.[0].tools[] | select(.annotations.destructiveHint) | .name]')" '["sandbox_remove"]'
}

# What `npx @modelcontextprotocol/inspector --cli` runs.
inspector() {
  timeout "$kPatience" node "$SDK_BUILD/mcp-inspector/node_modules/.bin/mcp-inspector-cli" --cli "$SANDBOXD_BIN/sandbox" mcp "$@"
}

@test "the official inspector lists its tools and resources, and calls a tool" {
  run -0 --separate-stderr inspector --method tools/list
  equal "$(jq '.tools | length' <<<"$output")" 17
  run -0 --separate-stderr inspector --method tools/call --tool-name sandbox_exec --tool-arg name=box --tool-arg 'shell=echo inspected'
  equal "$(jq -c '[.isError, .structuredContent.data.stdout]' <<<"$output")" '[false,"inspected\n"]'
  run -0 --separate-stderr inspector --method resources/list
  says "sandbox://sandboxes/box" "$(jq -r '.resources[].uri' <<<"$output")"
}

@test "a command runs in the sandbox, in the workspace, with its exit code and both streams" {
  run -0 mcp <<<'sandbox_exec {"name": "box", "shell": "pwd; hostname; echo no >&2; exit 3"}'
  equal "$(got '.[0].data | [.exit_code, .stderr]')" '[3,"no\n"]'
  equal "$(got '.[0].data.stdout')" "\"$WORLD/project\\nbox\\n\""
}

@test "arguments are passed without a shell, and variables, input and the directory as asked" {
  run -0 mcp <<'END'
sandbox_exec {"name": "box", "argv": ["printf", "%s|", "a b", "$HOME", "*"]}
sandbox_exec {"name": "box", "shell": "cat; echo $X; pwd", "stdin": "input\n", "env": {"X": "y z"}, "cwd": "/tmp"}
END
  equal "$(got '[.[].data.stdout]')" '["a b|$HOME|*|","input\ny z\n/tmp\n"]'
}

@test "a command that takes too long is killed, with what it had printed" {
  run -0 mcp <<'END'
sandbox_exec {"name": "box", "shell": "echo first; sleep 1000 & wait", "timeout_ms": 3000}
sandbox_exec {"name": "box", "shell": "ps ax 2>/dev/null || cat /proc/[0-9]*/cmdline | tr '\\0' ' '"}
END
  equal "$(got '.[0].data | [.timed_out, .stdout, .signal]')" '[true,"first\n",9]'
  [[ $(got '.[1].data.stdout') != *'sleep 1000'* ]]
}

@test "a command that does not read its input is killed in time, by a signal and with the server all the same" {
  local stdin
  stdin=$(head -c 4000000 /dev/zero | tr '\0' i)
  cat >"$WORLD/lines" <<END
sandbox_exec {"name": "box", "shell": "echo first; sleep 1003 & wait", "timeout_ms": 3000, "stdin": "$stdin"}
exec_start {"name": "box", "shell": "echo first; sleep 1004 & wait", "stdin": "$stdin"}
exec_read {"id": "\$ID", "wait_ms": 10000}
exec_signal {"id": "\$ID", "signal": "KILL"}
exec_read {"id": "\$ID", "after": \$NEXT, "wait_ms": 60000}
exec_start {"name": "box", "argv": ["sleep", "1005"], "keep_stdin_open": true}
cancel written exec_write {"id": "\$ID", "data": "$stdin"}
END
  touch written
  run -0 mcp <"$WORLD/lines"
  equal "$(got '.[0].data | [.timed_out, .stdout, .signal]')" '[true,"first\n",9]'
  equal "$(got '.[4].data | [.running, .signal]')" '[false,9]'
  [[ $(got '.[6].thrown') == *abort* ]]
  gone() { ! sandbox exec box sh -c 'cat /proc/[0-9]*/cmdline' | tr '\0' ' ' | grep -q 'sleep 100[345]'; }
  eventually gone
}

@test "of long output the end is returned, and how much is missing" {
  run -0 mcp <<<'sandbox_exec {"name": "box", "shell": "seq 100000", "max_output_bytes": 1000}'
  equal "$(got '.[0].data | [.stdout | length, endswith("99999\n100000\n")]')" '[1000,true]'
  equal "$(got '.[0].data.lost_bytes')" "$(($(seq 100000 | wc -c) - 1000))"
}

@test "a cancelled call ends its command" {
  run -0 mcp <<'END'
cancel begun sandbox_exec {"name": "box", "shell": "echo started >cancelled; touch begun; sleep 1001; echo done >>cancelled"}
sandbox_exec {"name": "box", "shell": "cat cancelled; cat /proc/[0-9]*/cmdline | tr '\\0' ' '"}
END
  [[ $(got '.[0].thrown') == *abort* ]]
  [[ $(got '.[1].data.stdout') == '"started'* ]]
  [[ $(got '.[1].data.stdout') != *'sleep 1001'* ]]
}

@test "a command is started, written to, read by position, and ended by a signal" {
  run -0 mcp <<'END'
exec_start {"name": "box", "shell": "trap 'echo bye; exit 7' TERM; while read -r line; do echo \"got $line\"; done; sleep 1000 & wait", "keep_stdin_open": true}
exec_write {"id": "$ID", "data": "one\n"}
exec_read {"id": "$ID", "wait_ms": 10000}
exec_write {"id": "$ID", "data": "two\n", "end": true}
exec_read {"id": "$ID", "after": $NEXT, "wait_ms": 10000}
exec_signal {"id": "$ID"}
exec_read {"id": "$ID", "after": $NEXT, "wait_ms": 10000}
exec_read {"id": "$ID"}
END
  equal "$(got '[.[2, 4].data.stdout]')" '["got one\n","got two\n"]'
  equal "$(got '.[6].data.stdout')" '"bye\n"'
  equal "$(got '.[7].data.stdout')" '"got one\ngot two\nbye\n"'
}

@test "what exec_start has started ends with the server" {
  run -0 mcp <<<'exec_start {"name": "box", "argv": ["sleep", "1002"]}'
  gone() { ! sandbox exec box sh -c 'cat /proc/[0-9]*/cmdline' | tr '\0' ' ' | grep -q 'sleep 1002'; }
  eventually gone
}

@test "files are written, read in parts, and listed" {
  run -0 mcp <<'END'
fs_write {"name": "box", "path": "/tmp/a file", "content": "żółw"}
fs_read {"name": "box", "path": "/tmp/a file"}
fs_read {"name": "box", "path": "/tmp/a file", "max_bytes": 5}
fs_write {"name": "box", "path": "/tmp/bytes", "content": "AP8=", "encoding": "base64"}
fs_read {"name": "box", "path": "/tmp/bytes"}
fs_read {"name": "box", "path": "/tmp/bytes", "offset": 1}
fs_list {"name": "box", "path": "/tmp"}
sandbox_exec {"name": "box", "argv": ["od", "-An", "-tx1", "/tmp/bytes"]}
END
  equal "$(got '.[1].data | [.content, .size]')" '["żółw",7]'
  equal "$(got '.[2].data | [.content, .next_offset]')" '["żó",4]'
  equal "$(got '.[4].data | [.content, .encoding]')" '["AP8=","base64"]'
  equal "$(got '.[5].data.content')" '"/w=="'
  equal "$(got '[.[6].data.entries[] | select(.name == "a file" or .name == "bytes") | [.name, .type, .size]]')" \
    '[["a file","file",7],["bytes","file",2]]'
  equal "$(got '.[7].data.stdout')" '" 00 ff\n"'
}

@test "the end of a large file is read without all that is before it" {
  run -0 mcp <<'END'
sandbox_exec {"name": "box", "shell": "truncate -s 100000000000 /tmp/large && printf end >>/tmp/large"}
fs_read {"name": "box", "path": "/tmp/large", "offset": 99999999999}
fs_read {"name": "box", "path": "/tmp/large", "offset": 100000000000, "max_bytes": 2}
fs_read {"name": "box", "path": "/tmp/large", "offset": 200000000000}
sandbox_exec {"name": "box", "shell": "rm /tmp/large"}
END
  equal "$(got '.[1].data | [.content, .size]')" '["AGVuZA==",100000000003]'
  equal "$(got '.[2].data | [.content, .next_offset]')" '["en",100000000002]'
  equal "$(got '.[3].data | [.content, .next_offset]')" '["",null]'
}

@test "what is not there, or is no file, is said so" {
  run -0 mcp <<'END'
fs_read {"name": "box", "path": "/nowhere"}
fs_read {"name": "box", "path": "/tmp"}
fs_read {"name": "box", "path": "relative"}
fs_write {"name": "box", "path": "/tmp", "content": ""}
fs_list {"name": "box", "path": "/etc/hostname"}
sandbox_inspect {"name": "nosuch"}
exec_read {"id": "exec-99"}
sandbox_exec {"name": "box"}
sandbox_exec {"name": "box", "shell": "true", "timeout": 5}
nosuch_tool {}
END
  equal "$(got '[.[0:7][].error.code]')" '["not_found","invalid","invalid","conflict","internal","not_found","not_found"]'
  [[ $(got '.[7].error.message') == *'one of \"argv\" and \"shell\"'* ]]
  [[ $(got '.[8].error.message') == *'\"timeout\"'* ]]
  [[ $(got '.[9].thrown') == *'no such tool'* ]]
}

@test "directories and sandboxes outside of the workspace are out of reach" {
  ln -s "$WORLD/elsewhere" link
  run -0 mcp <<END
sandbox_create {"workspace": "$WORLD/elsewhere"}
sandbox_create {"workspace": "../elsewhere"}
sandbox_create {"workspace": "link"}
sandbox_create {"workspace": "/"}
sandbox_exec {"name": "foreign", "argv": ["true"]}
exec_start {"name": "foreign", "argv": ["true"]}
sandbox_inspect {"name": "foreign"}
sandbox_stop {"name": "foreign"}
sandbox_remove {"name": "foreign", "confirm": true}
fs_read {"name": "foreign", "path": "/etc/passwd"}
fs_write {"name": "foreign", "path": "/tmp/x", "content": ""}
fs_list {"name": "foreign", "path": "/"}
ports_publish {"name": "foreign", "port": 80}
policy_check {"name": "foreign", "target": "example.com"}
policy_propose {"name": "foreign", "target": "example.com", "reason": "x"}
network_log {"name": "foreign"}
sandbox_list
END
  rm link
  equal "$(got '[.[0:16][] | .error.code] | unique')" '["forbidden"]'
  equal "$(got '[.[16].data.sandboxes[].name]')" '["box"]'
  run -0 mcp <<<'read sandbox://sandboxes/foreign'
  [[ $(got '.[0].thrown') == *'may use only'* ]]
  run -0 sandbox ls -q
  equal "$output" $'box\nforeign'
}

@test "a git worktree whose repository is outside of the workspace gets no sandbox, and nothing runs" {
  git init -q "$WORLD/elsewhere/main"
  git -C "$WORLD/elsewhere/main" -c user.name=a -c user.email=a@b.test commit -q --allow-empty -m first
  git -C "$WORLD/elsewhere/main" worktree add -q "$WORLD/project/tree" -b work
  run -0 mcp <<<'sandbox_create {"name": "tree", "workspace": "tree"}'
  equal "$(got '.[0].error.code')" '"forbidden"'
  run -0 sandbox ls -q
  says_not tree
  git -C "$WORLD/elsewhere/main" worktree remove --force "$WORLD/project/tree"
}

@test "a directory that is named beside the first is in reach" {
  run -0 mcp --workspace . --workspace "$WORLD/elsewhere" <<<'sandbox_exec {"name": "foreign", "argv": ["pwd"]}'
  equal "$(got '.[0].data.stdout')" "\"$WORLD/elsewhere\\n\""
}

@test "new sandboxes have the server's network policy from their first program on" {
  run -0 mcp --policy deny --allow-host allowed.example <<'END'
sandbox_create {"name": "policed", "ttl": "1h", "memory": "256m"}
policy_check {"name": "policed", "target": "allowed.example"}
policy_check {"name": "policed", "target": "https://denied.example/x"}
policy_check {"name": "box", "target": "denied.example"}
sandbox_remove {"name": "policed"}
sandbox_remove {"name": "policed", "confirm": true}
END
  equal "$(got '.[0].data | [.status, .ttl_s, .limits.memory, .labels["made-by"]]')" '["running",3600,268435456,"mcp"]'
  equal "$(got '[.[1:4][].data.allowed]')" '[true,false,false]'
  equal "$(got '[.[4, 5].ok]')" '[false,true]'
}

@test "a host is allowed by the user, and by no one else" {
  local ask='policy_propose {"name": "box", "target": "wanted.example", "reason": "the manual is there"}'
  run -0 mcp <<<"$ask"
  equal "$(got '.[0].data | [.state, .command]')" \
    '["waits for the user","sandbox network proxy box --allow-host wanted.example"]'
  run -0 --separate-stderr mcp --user decline <<<"$ask"
  equal "$(got '.[0].data.state')" '"refused by the user"'
  equal "$stderr" $'Allow sandbox box to reach wanted.example:443?\nThe model says: the manual is there'
  run -1 sandbox network check box wanted.example
  run -0 --separate-stderr mcp --user accept <<<"$ask"
  equal "$(got '.[0].data.state')" '"allowed by the user"'
  run -0 sandbox network check box wanted.example
}

@test "a reason cannot look like something else on the user's screen" {
  run -0 --separate-stderr mcp --user decline <<<'policy_propose {"name": "box", "target": "other.example", "reason": "a\u001b[2J\u202eb"}'
  [[ $stderr != *$'\e'* && $stderr != *$'\u202e'* ]]
}

@test "a port is published on the host's loopback, and unpublished" {
  run -0 mcp <<'END'
exec_start {"name": "box", "shell": "mkdir -p /tmp/www && echo served >/tmp/www/x && cd /tmp/www && exec python3 -m http.server 8123"}
ports_publish {"name": "box", "port": 8123}
ports_publish {"name": "box", "port": 8123, "unpublish": true}
ports_publish {"name": "box", "port": 8123, "unpublish": true}
END
  equal "$(got '.[1].data.ports[] | [.host_ip, .port]')" '["127.0.0.1",8123]'
  equal "$(got '.[2].data.ports')" '[]'
  equal "$(got '.[3].error.code')" '"not_found"'
}

@test "many calls run beside each other" {
  run -0 mcp <<<'together 40 sandbox_exec {"name": "box", "shell": "sleep 0.2; echo $$"}'
  equal "$(got '.[0] | [length, ([.[].data.exit_code] | unique)]')" '[40,[0]]'
}

@test "resources show the scope and the sandboxes in it" {
  run -0 mcp <<'END'
resources
read sandbox://scope
read sandbox://sandboxes/box
read sandbox://sandboxes/box/log
read file:///etc/passwd
END
  equal "$(got '[.[0].resources[].uri]')" \
    '["sandbox://sandboxes","sandbox://scope","sandbox://sandboxes/box","sandbox://sandboxes/box/log"]'
  equal "$(got '.[1].contents[0].text | fromjson.directories')" "[\"$WORLD/project\"]"
  equal "$(got '.[2].contents[0].text | fromjson.name')" '"box"'
  [[ $(got '.[4].thrown') == *'no such resource'* ]]
}

@test "what is no message gets an error, and the server goes on" {
  run -0 --separate-stderr bash -c '{ echo "not json"; echo "[]"; echo "{\"jsonrpc\":\"2.0\"}"; echo "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}";
    head -c 9000000 /dev/zero | tr "\0" x; echo; echo "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"nosuch\"}";
    echo "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}"; } | "$SANDBOXD_BIN/sandbox" mcp'
  equal "$(got '[.[].error.code]')" '[-32700,-32600,-32600,-32600,-32600,-32601,null]'
  equal "$(got '.[6]')" '{"jsonrpc":"2.0","id":"p","result":{}}'
}

@test "the server goes on when the daemon has died" {
  run -0 mcp < <(echo 'sandbox_exec {"name": "box", "shell": "echo 1; touch answered"}'
    until [[ -e answered ]]; do sleep 0.05; done
    kill -9 "$(daemon_pid)"; echo 'sandbox_exec {"name": "box", "argv": ["echo", "2"]}')
  equal "$(got '[.[].data.stdout]')" '["1\n","2\n"]'
}

@test "mcp install adds the server to each agent's configuration, once, and keeps the rest" {
  mkdir -p "$HOME/.codex"
  echo '{"numStartups": 3, "mcpServers": {"other": {"command": "x"}}}' >"$HOME/.claude.json"
  printf '# mine\nmodel = "gpt-5"\n' >"$HOME/.codex/config.toml"
  for agent in claude codex copilot cursor gemini opencode; do
    run -0 sandbox mcp install "$agent" -- --workspace /project
    run -0 sandbox mcp install "$agent" -- --workspace /project
    [[ $output == *'already'* ]]
    run -125 sandbox mcp install "$agent"
    [[ $output == *'another MCP server named sandbox'* ]]
  done
  equal "$(jq -c '[.numStartups, .mcpServers.other.command, .mcpServers.sandbox.args]' "$HOME/.claude.json")" \
    '[3,"x",["mcp","--workspace","/project"]]'
  equal "$(head -2 "$HOME/.codex/config.toml")" $'# mine\nmodel = "gpt-5"'
  grep -q 'mcp_servers.sandbox' "$HOME/.codex/config.toml"
  for file in .copilot/mcp-config.json .cursor/mcp.json .gemini/settings.json; do
    equal "$(jq -c '.mcpServers.sandbox.args' "$HOME/$file")" '["mcp","--workspace","/project"]'
  done
  equal "$(jq -c '.mcp.sandbox.command[1:]' "$HOME/.config/opencode/opencode.json")" '["mcp","--workspace","/project"]'
}

@test "mcp install leaves a file alone that it cannot read" {
  echo '{"mcpServers": // a comment' >"$HOME/.claude.json"
  run -2 sandbox mcp install claude
  [[ $output == *.claude.json* ]]
  equal "$(cat "$HOME/.claude.json")" '{"mcpServers": // a comment'
  run -2 sandbox mcp install emacs
  [[ $output == *'claude, codex'* ]]
}
