#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The agents themselves, as npm has them, in their sandboxes: they start without a question, and work with a model that
# the test plays (model.py) and that they reach as they would reach their maker's, through the proxy.

load upstreams

kModels='DNS:api.anthropic.com,DNS:api.openai.com'

setup_file() {
  world_up
  export UPSTREAMS=$WORLD/upstreams
  mkdir -p "$UPSTREAMS"
  make_certificate model "$kModels"
  cat "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$UPSTREAMS/model.crt" >"$UPSTREAMS/roots.pem"
  export SSL_CERT_FILE=$UPSTREAMS/roots.pem
  python3 "$kSource/tests/e2e/model.py" "$UPSTREAMS" </dev/null >"$UPSTREAMS/model.log" 2>&1 3>&- &
  remember_upstream $!
  eventually test -s "$UPSTREAMS/model-address"
  export MODEL
  MODEL=$(cat "$UPSTREAMS/model-address")
  # A sandbox may reach the model and nothing else.
  echo '{"policy": {"default": "deny"}, "network": {"allowedDomains": ["api.anthropic.com", "api.openai.com"]}}' \
    >"$WORLD/proxy-config.json"
  export SANDBOX_TIMEOUT=400
}

setup() {
  : >"$UPSTREAMS/model-visits"
  : >"$UPSTREAMS/model-requests.json"
  WS=$WORLD/project
  mkdir -p "$WS"
  flags=()
  if on_microvm; then flags=(--cpus 1 --memory 2g); fi
}

# The model runs this.
model_runs() { echo "$1" >"$UPSTREAMS/model-command"; }

# agent_box NAME AGENT
agent_box() {
  sandbox create -q --name "$1" --add-host "api.anthropic.com:$MODEL" --add-host "api.openai.com:$MODEL" "${flags[@]}" "$2" "$WS" >/dev/null
  remember_ids
}

# terminal COLUMNS ROWS COMMAND: runs it on a terminal, which screen, shows, keys and has_ended are about. Each has a tmux of
# its own: one that ends takes the socket away, and a new one of the same name with it.
terminal() {
  TERMINAL=$(mktemp -u "$WORLD/tmux.XXXXXX")
  tmux -S "$TERMINAL" -f /dev/null new-session -d -x "$1" -y "$2" "$3" 3>&-
}
screen() { tmux -S "$TERMINAL" capture-pane -p "$@"; }
shows() { screen -S -200 | grep -qF "$1"; }
keys() { tmux -S "$TERMINAL" send-keys "$@"; }
has_ended() { ! tmux -S "$TERMINAL" has-session 2>/dev/null; }
close_terminal() { tmux -S "$TERMINAL" kill-server; }

@test "claude -p works with the model: it runs a command, writes to the workspace and says what came of it" {
  agent_box cc claude
  model_runs 'echo by the model > made.txt; id -un'
  run -0 --separate-stderr sandbox run -e ANTHROPIC_API_KEY=proxy-managed cc -- -p "do it"
  says "The command has printed: agent"
  equal "$(cat "$WS/made.txt")" "by the model"
  equal "$(stat -c %u "$WS/made.txt")" 0
  grep -q '^api.anthropic.com POST /v1/messages proxy-managed$' "$UPSTREAMS/model-visits"
  sandbox rm cc
}

# bats test_tags=once
@test "codex exec works with the model" {
  agent_box cx codex
  model_runs 'echo by codex > codex.txt; echo $((40 + 2))'
  run -0 --separate-stderr sandbox run -e CODEX_API_KEY=proxy-managed cx -- exec --skip-git-repo-check "do it"
  says 42
  equal "$(cat "$WS/codex.txt")" "by codex"
  grep -q '^api.openai.com POST /v1/responses Bearer proxy-managed$' "$UPSTREAMS/model-visits"
}

# bats test_tags=once
@test "exec -it starts codex on a terminal, and after a stop it resumes its last session" {
  agent_box last codex
  model_runs 'echo $((40 + 2)) done'
  sandbox exec -i last codex login --with-api-key <<<proxy-managed
  terminal 200 40 "$SANDBOXD_BIN/sandbox exec -it last codex 'the first task'"
  eventually shows "└ 42 done"
  close_terminal
  sandbox stop last >/dev/null
  terminal 200 40 "$SANDBOXD_BIN/sandbox run last -- resume --last"
  eventually shows "└ 42 done"
  shows "the first task"
  close_terminal
  sandbox rm last
}

# bats test_tags=once
@test "each agent says its version, the one of our table" {
  local agent version
  for agent in claude codex gemini opencode copilot; do
    version=$(grep -A5 "name = \"$agent\"" "$kSource/src/agents/agents.cc" | grep -oP 'version = "\K[^"]+')
    agent_box "v-$agent" "$agent"
    run -0 sandbox exec "v-$agent" "$agent" --version
    says "$version"
    sandbox rm "v-$agent" >/dev/null
  done
}

# bats test_tags=once
@test "claude on a terminal comes to its prompt without a question" {
  agent_box tt claude
  terminal 100 40 "$SANDBOXD_BIN/sandbox run -e ANTHROPIC_API_KEY=proxy-managed tt"
  at_prompt() { screen | grep -q '^❯' && screen | grep -q 'bypass permissions on'; }
  kPatience=240 eventually at_prompt
  run screen
  close_terminal
  says "Claude Code v"
  says "$WS"
  for question in "Do you" "trust" "Yes" "Choose" "theme" "login"; do says_not "$question"; done
  sandbox stop tt >/dev/null
}

# bats test_tags=once
@test "opencode on a terminal comes to its prompt without a question" {
  agent_box oc opencode
  terminal 100 40 "$SANDBOXD_BIN/sandbox run oc"
  at_prompt() { screen | grep -q 'Ask anything'; }
  kPatience=240 eventually at_prompt
  close_terminal
  sandbox rm oc >/dev/null
}

# bats test_tags=once
@test "what an agent or its user changes in the configuration stays" {
  agent_box kept claude
  sandbox exec kept sh -c 'jq ".theme = \"light\"" ~/.claude/settings.json >x && mv x ~/.claude/settings.json'
  sandbox stop kept >/dev/null
  run -0 sandbox exec kept jq -r '.theme, .permissions.defaultMode' /home/agent/.claude/settings.json
  equal "$output" $'light\nbypassPermissions'
  run -0 sandbox exec kept sh -c 'stat -c %U ~/.claude ~/.claude/settings.json ~/.claude.json | sort -u'
  equal "$output" agent
}

# bats test_tags=once
@test "the model is given a page about where it is; a changed one stays, and --no-guidance leaves it out" {
  agent_box told claude
  model_runs true
  run -0 sandbox run -e ANTHROPIC_API_KEY=proxy-managed told -- -p "do it"
  grep -q "You are in a sandbox" "$UPSTREAMS/model-requests.json"
  sandbox exec -u root told sh -c 'echo mine >/etc/claude-code/CLAUDE.md'
  sandbox stop told >/dev/null
  equal "$(sandbox exec told cat /etc/claude-code/CLAUDE.md)" mine
  sandbox exec -u root told rm /etc/claude-code/CLAUDE.md
  sandbox stop told >/dev/null
  run -1 sandbox exec told test -e /etc/claude-code/CLAUDE.md
  sandbox rm told >/dev/null

  agent_box told codex
  run -0 sandbox exec told sh -c 'stat -c %U ~/.codex/AGENTS.md; head -n 1 ~/.codex/AGENTS.md'
  equal "$output" $'agent\n# You are in a sandbox'
  sandbox rm told >/dev/null
  sandbox create -q --name told --no-guidance codex "$WS" >/dev/null
  run -1 sandbox exec told test -e /home/agent/.codex/AGENTS.md
  sandbox rm told >/dev/null
}

# The user's own configuration, with logins and keys among it.
write_user_config() {
  mkdir -p "$HOME/.claude/commands" "$HOME/.claude/skills/notes"
  echo "Answer in verse." >"$HOME/.claude/CLAUDE.md"
  echo "Review it." >"$HOME/.claude/commands/review.md"
  echo "---" >"$HOME/.claude/skills/notes/SKILL.md"
  echo '{"model": "opus", "env": {"SECRET": "hidden-value"}, "apiKeyHelper": "/bin/hidden-value"}' >"$HOME/.claude/settings.json"
  echo '{"claudeAiOauth": {"accessToken": "hidden-value"}}' >"$HOME/.claude/.credentials.json"
  ln -sfn "$HOME/.claude/.credentials.json" "$HOME/.claude/commands/link.md"
  cat >"$HOME/.claude.json" <<'JSON'
{"oauthAccount": {"emailAddress": "hidden-value"}, "primaryApiKey": "hidden-value", "mcpServers": {
  "files": {"command": "npx", "args": ["-y", "files-server"]},
  "issues": {"command": "npx", "args": ["issues"], "env": {"ISSUES_TOKEN": "hidden-value"}},
  "web": {"type": "http", "url": "https://mcp.example/", "headers": {"Authorization": "hidden-value"}}}}
JSON
}

# bats test_tags=once
@test "--agent-config copies the user's own configuration, says what, and never a login or a key" {
  write_user_config
  run -0 --separate-stderr sandbox create --name mine --agent-config claude "$WS"
  remember_ids
  says ".claude/CLAUDE.md" "$stderr"
  says ".claude/settings.json: model" "$stderr"
  says ".claude.json: MCP server files" "$stderr"
  says "MCP server issues: its variable ISSUES_TOKEN may be a key" "$stderr"
  says "MCP server web: it is reached over the network" "$stderr"
  says ".claude/settings.json: env: it is not on the list" "$stderr"
  says ".claude/commands/link.md: it is a link" "$stderr"
  says_not hidden-value "$stderr"
  equal "$(status_of mine)" stopped
  run -0 sandbox exec mine sh -c 'cd; cat .claude/CLAUDE.md .claude/commands/review.md; jq -r ".model, .permissions.defaultMode" .claude/settings.json; jq -c ".hasCompletedOnboarding, .mcpServers" .claude.json; stat -c %U .claude/commands'
  equal "$output" $'Answer in verse.\nReview it.\nopus\nbypassPermissions\ntrue\n{"files":{"command":"npx","args":["-y","files-server"]}}\nagent'
  run -1 sandbox exec mine grep -rl hidden-value /home/agent
  model_runs true
  sandbox rm mine >/dev/null
  run -2 --separate-stderr sandbox create --agent-config shell "$WS"
  is_error "it is not known what of the configuration"
  rm -rf "$HOME/.claude" "$HOME/.claude.json"
}

# bats test_tags=once
@test "without --agent-config nothing of the user's configuration gets in" {
  write_user_config
  agent_box not-mine claude
  run -1 sandbox exec not-mine sh -c 'grep -rl "Answer in verse\|hidden-value" ~'
  sandbox rm not-mine >/dev/null
  rm -rf "$HOME/.claude" "$HOME/.claude.json"
}

# A program that logs in as agents do: it waits on a port for the browser to come back with a code.
login_program() {
  cat >"$WS/login.py" <<'PY'
import http.server, os, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(os.path.expanduser("~/.login"), "w") as f:
            f.write(self.path)
        self.send_response(200); self.end_headers(); self.wfile.write(b"you may close this page")
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
link = f"https://login.example/authorize?redirect_uri=http%3A%2F%2Flocalhost%3A{sys.argv[1]}%2Fcallback"
subprocess.run([os.environ["BROWSER"], link], check=True)
server.handle_request()
server.server_close()
print("logged in", flush=True)
sys.stdin.readline()
PY
}

# bats test_tags=once
@test "a login that waits for a browser shows its page, and its port leads into the sandbox while it waits" {
  login_program
  sandbox create -q --name login shell "$WS" >/dev/null
  remember_ids
  local port=17455
  terminal 120 30 "$SANDBOXD_BIN/sandbox exec -it login python3 $WS/login.py $port"
  closed() { ! (exec 4<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
  kPatience=180 eventually shows "localhost:$port leads into the sandbox"
  shows "https://login.example/authorize?redirect_uri=http%3A%2F%2Flocalhost%3A$port%2Fcallback"
  # The port goes with the client, and is back with the next one: the program waits all the time.
  keys C-p C-q
  eventually has_ended
  eventually closed
  terminal 120 30 "$SANDBOXD_BIN/sandbox attach login"
  kPatience=180 eventually shows "localhost:$port leads into the sandbox"
  run -0 curl -sS --max-time 20 "http://127.0.0.1:$port/callback?code=4711"
  equal "$output" "you may close this page"
  eventually shows "logged in"
  # Nothing waits any more, though the session goes on.
  kPatience=30 eventually closed
  keys Enter
  eventually has_ended
  # It lasts over stop and start, and is gone with rm.
  sandbox stop login >/dev/null
  equal "$(sandbox exec login cat /home/agent/.login)" "/callback?code=4711"
  sandbox rm login >/dev/null
  sandbox create -q --name login shell "$WS" >/dev/null
  run -1 sandbox exec login test -e /home/agent/.login
  sandbox rm login >/dev/null
}

# bats test_tags=once
@test "codex login: the browser of the host reaches the port that the real codex waits on" {
  agent_box cl codex
  terminal 200 40 "$SANDBOXD_BIN/sandbox exec -it cl codex login"
  kPatience=180 eventually shows "localhost:1455 leads into the sandbox"
  shows "https://auth.openai.com/oauth/authorize"
  # It is codex that answers: a callback with a state that it did not give out is refused.
  run -0 curl -sS --max-time 20 -o /dev/null -w '%{http_code}' "http://127.0.0.1:1455/auth/callback?code=x&state=y"
  matches '^[45][0-9][0-9]$'
  close_terminal
  closed() { ! (exec 4<>/dev/tcp/127.0.0.1/1455) 2>/dev/null; }
  eventually closed
  sandbox rm cl >/dev/null
}

# bats test_tags=once
@test "the MCP server of a project's own settings works with the real claude" {
  agent_box mcp claude
  sandbox network proxy mcp --allow-host registry.npmjs.org >/dev/null
  run -0 sandbox exec -u root mcp npm install -g --no-fund --no-audit @modelcontextprotocol/server-everything
  sandbox network proxy mcp --block-host registry.npmjs.org >/dev/null
  echo '{"mcpServers": {"everything": {"command": "mcp-server-everything", "args": ["stdio"]}}}' >"$WS/.mcp.json"
  echo '{"name": "mcp__everything__echo", "input": {"message": "through the server"}}' >"$UPSTREAMS/model-tool"
  # Without the last one claude asks its model while the server is still starting: a race.
  run -0 --separate-stderr sandbox run -e ANTHROPIC_API_KEY=proxy-managed -e ENABLE_TOOL_SEARCH=false \
    -e MCP_CONNECTION_NONBLOCKING=false mcp -- -p "do it"
  rm "$UPSTREAMS/model-tool" "$WS/.mcp.json"
  matches "The command has printed: .*through the server"
  sandbox rm mcp >/dev/null
}

# bats test_tags=once
@test "sandbox update gives a newer agent to new sandboxes and to those that are there, with what is in them" {
  version() { sandbox exec "$1" up --version; }
  publish() {
    echo "{\"agents\": [{\"name\": \"up\", \"command\": [\"up\"], \"install\": \"printf '#!/bin/sh\\necho $1\\n' >/usr/local/bin/up; chmod 755 /usr/local/bin/up\"}]}" >"$WORLD/agents.json"
  }
  publish 1.0
  mkdir -p "$WORLD/still" "$WORLD/runs"
  sandbox create -q --name still up "$WORLD/still" >/dev/null
  sandbox create -q --name runs up "$WORLD/runs" >/dev/null
  remember_ids
  sandbox exec still sh -c 'echo kept >~/note; sudo sh -c "echo kept >/etc/note"'
  sandbox stop still >/dev/null
  equal "$(version runs)" 1.0
  publish 2.0
  run -0 --separate-stderr sandbox update --json up
  equal "$(jq -r '.sandboxes | sort_by(.name)[] | .name + " " + .state' <<<"$output")" $'runs at next start\nstill updated'
  equal "$(version still)" 2.0
  equal "$(sandbox exec still sh -c 'cat ~/note /etc/note')" $'kept\nkept'
  equal "$(version runs)" 1.0
  sandbox template prune -f >/dev/null
  equal "$(version runs)" 1.0
  sandbox stop runs >/dev/null
  equal "$(version runs)" 2.0
  sandbox stop still runs >/dev/null
  run -0 --separate-stderr sandbox update up
  says "still: it has been updated"
  sandbox create -q --name fresh up "$WS" >/dev/null
  equal "$(version fresh)" 2.0
  sandbox rm still runs fresh >/dev/null
  sandbox template rm up >/dev/null
  rm "$WORLD/agents.json"
  run -125 --separate-stderr sandbox update nosuchagent
  is_error "there is no agent"
}

# bats test_tags=once
@test "template build --refresh builds an agent's template anew for new sandboxes; one that is there keeps its own" {
  echo '{"agents": [{"name": "dated", "command": ["sh"], "install": "cat /proc/sys/kernel/random/uuid >/opt/built"}]}' >"$WORLD/agents.json"
  sandbox create -q --name before dated "$WS" >/dev/null
  local first
  first=$(sandbox exec before cat /opt/built)
  run -0 --separate-stderr sandbox template build --refresh dated
  equal "$output" dated
  sandbox create -q --name after dated "$WS" >/dev/null
  remember_ids
  [[ $(sandbox exec after cat /opt/built) != "$first" ]]
  equal "$(sandbox exec before cat /opt/built)" "$first"
  sandbox rm before after >/dev/null
  sandbox template rm dated >/dev/null
  rm "$WORLD/agents.json"
}

# bats test_tags=once
@test "sandbox update of an agent from npm: another version is what new sandboxes have from then on" {
  echo '{"agents": [{"name": "small", "command": ["semver"], "package": "semver", "version": "7.6.0"}]}' >"$WORLD/agents.json"
  sandbox create -q --name small-box small "$WS" >/dev/null
  remember_ids
  semver_of() { sandbox exec "$1" sh -c 'node -p "require(\"/usr/local/lib/node_modules/semver/package.json\").version"'; }
  equal "$(semver_of small-box)" 7.6.0
  sandbox stop small-box >/dev/null
  run -0 --separate-stderr sandbox update --agent-version 7.6.3 small
  says "New sandboxes have small 7.6.3 (before: 7.6.0)"
  says "small-box: it has been updated"
  equal "$(semver_of small-box)" 7.6.3
  run -0 sandbox agents
  matches "small +7\.6\.3"
  run -2 --separate-stderr sandbox update --agent-version 7.5.0 small
  is_error "7.5.0 is older than 7.6.0"
  run -0 --separate-stderr sandbox update -q small
  [[ $output != 7.6.3 ]]
  sandbox rm small-box >/dev/null
  sandbox template rm small >/dev/null
  rm "$WORLD/agents.json" "$SANDBOXES_HOME/templates/versions/small"
}

# bats test_tags=once
@test "--template ralph has what loops need, and says in one line what it could not get" {
  sandbox create -q --name loop -t ralph claude "$WS" >/dev/null
  remember_ids
  run -0 sandbox exec loop sh -c 'claude --version; for p in gcc make pip3 jq git node; do command -v $p; done'
  says "(Claude Code)"
  run -0 sandbox exec loop ralph --status
  says "No active loop"
  run -0 sandbox exec loop sh -c 'bd version 2>&1 || true'
  matches '^bd version [0-9]|^bd: it could not be fetched when this template was built; try: sandbox template build --refresh ralph$'
  sandbox rm loop >/dev/null
}

# bats test_tags=once
@test "agents share what all of them need: each has one small layer of its own" {
  local digests=()
  for agent in claude codex; do digests+=("$(sandbox template inspect "$agent" | jq -r '.[0].layers | map(.digest? // .) | .[0:2] | join(" ")')"); done
  equal "${digests[0]}" "${digests[1]}"
}

# bats test_tags=once
@test "the box has what agents need, and nothing of ours is in the way" {
  agent_box tools codex
  run -0 sandbox exec tools sh -c 'node --version; npm --version; python3 -m venv /tmp/v && /tmp/v/bin/pip --version; for p in git gcc make rg jq vim.tiny gh docker dockerd; do command -v $p; done; id -nG; sudo -n id -u'
  matches 'v2[0-9]\.'
  says dockerd
  says /gh
  matches 'agent.*docker'
  says_not "Warning"
}

# bats test_tags=once
@test "the agent installs programs of npm's for all of the sandbox, without sudo" {
  mkdir -p "$WS/greeter"
  echo '{"name": "greeter", "version": "1.0.0", "bin": {"greet": "greet.js"}}' >"$WS/greeter/package.json"
  printf '#!/usr/bin/env node\nconsole.log("hello")\n' >"$WS/greeter/greet.js"
  run -0 sandbox exec tools bash -c 'npm i -g --install-links ./greeter && greet'
  equal "${lines[-1]}" hello
}

# bats test_tags=once
@test "the agent of a sandbox is fixed, and an unknown one is refused with those that there are" {
  run -125 --separate-stderr sandbox run --name tools claude "$WS" -- --version
  is_error "is for the agent codex"
  run -2 --separate-stderr sandbox create nosuchagent "$WS"
  is_error "invalid agent: nosuchagent (must be one of: claude, codex, gemini"
}

# bats test_tags=once
@test "a version that does not exist is said with npm's words and where all of them are, and nothing is left" {
  run -125 --separate-stderr sandbox create --name none --agent-version 0.0.0-none codex "$WS"
  is_error "build template codex:0.0.0-none"
  says "npm" "$stderr"
  matches "try: less .*/templates/logs/codex-0.0.0-none.log" "$stderr"
  run -0 sandbox ls -q
  says_not build-
  says_not none
}

# bats test_tags=once
@test "a daemon that is killed in the middle of a build leaves nothing that the next one does not remove" {
  echo '{"agents": [{"name": "slow", "command": ["slow"], "install": "sleep 613"}]}' >"$WORLD/agents.json"
  "$SANDBOXD_BIN/sandbox" create -q --name never slow "$WS" >/dev/null 2>&1 3>&- &
  local client=$! daemon
  building() { sandbox ls -q | grep -q '^build-'; }
  eventually building
  daemon=$(daemon_pid)
  kill -9 "$client"  # it would ask the next daemon again
  kill -9 "$daemon"
  eventually is_gone "$daemon"
  wait || true
  no_builds() { ! sandbox ls -q | grep -q '^build-'; }
  eventually no_builds
  run -0 sandbox ls -q
  says_not never
  rm "$WORLD/agents.json"
}

# bats test_tags=once
@test "an agent of the user's own is an entry in a file" {
  cat >"$WORLD/agents.json" <<'JSON'
{"agents": [{"name": "mine", "command": ["mine", "--yes"], "environment": {"WORDS": "two words"},
  "hosts": ["api.mine.example", "*.cdn.example:8443", "blocked.example"],
  "install": "cat >/usr/local/bin/mine <<'SCRIPT'\n#!/bin/sh\necho \"mine: $* ($WORDS) $(cat ~/.mine/config)\"\nSCRIPT\nchmod 755 /usr/local/bin/mine",
  "files": [{"path": ".mine/config", "content": "configured"}]}]}
JSON
  run -0 --separate-stderr sandbox run mine "$WS" -- -x
  equal "$output" "mine: --yes -x (two words) configured"
  equal "$(inspect mine-project .labels[\"com.docker.sandbox.agent\"])" mine
  run -0 sandbox agents
  matches "mine +mine +mine --yes"
  run -2 --separate-stderr sandbox create --name mine shell "$WS"
  is_error "that is the name of an agent"
  echo '{"agents": [{"name": "claude", "command": ["x"]}]}' >"$WORLD/agents.json"
  run --separate-stderr sandbox run claude "$WS"
  is_error "agent \"claude\": there is one of ours by this name"
  rm "$WORLD/agents.json"
  sandbox rm mine-project >/dev/null
  sandbox template rm mine >/dev/null
}
