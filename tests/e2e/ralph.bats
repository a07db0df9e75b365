#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# ralph, a loop in the guest itself, and `sandbox ralph`, which starts one. The agent is a script.

load loops

@test "ralph in the sandbox works as its command line says, and keeps .ralph/" {
  box "loop-$ID-box" -- "$WS"
  cat >"$WS/claude" <<'SH'
#!/bin/sh
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
printf '%s\n' "$*" >"asked-$n"
cp .ralph/ralph-loop.state.json "state-$n" 
echo "error: something at $n"
[ "$n" -lt 2 ] || echo '<promise>ALL</promise>'
SH
  chmod 755 "$WS/claude"
  ralph() { sandbox exec -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/claude" "loop-$ID-box" ralph "$@"; }
  run -0 ralph --add-context "early words"
  run -0 ralph --status
  says "No active loop"
  says "early words"
  run -0 ralph "Build it" --agent claude-code --completion-promise ALL --max-iterations 5 --no-commit
  grep -q "early words" "$WS/asked-0"
  run -1 grep -q "early words" "$WS/asked-1"
  grep -q -- "--dangerously-skip-permissions -p Build it" "$WS/asked-0"
  equal "$(jq -c '[.active, .iteration, .maxIterations, .completionPromise, .tasksMode, .prompt, .agent]' "$WS/state-1")" \
    '[true,2,5,"ALL",false,"Build it","claude-code"]'
  [[ ! -e $WS/.ralph/ralph-loop.state.json && ! -e $WS/.ralph/ralph-history.json ]]
  run -1 ralph --nonsense
  rm "$WS/n"
  run -1 ralph "Build it" --agent claude-code --completion-promise NEVER --max-iterations 2
  equal "$(jq -c '[.iterations[].exitCode], .struggleIndicators.shortIterations, .iterations[0].errors' "$WS/.ralph/ralph-history.json")" \
    $'[0,0]\n2\n["error: something at 0"]'
  run -0 ralph --status
  says "HISTORY (2 iterations"
  says "exit 0, 3 files"
  equal "$(git -C "$WS" log --format=%s -n 2)" $'Ralph iteration 2: work in progress\nRalph iteration 1: work in progress'
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "ralph ends an agent that says nothing with all that it has started, also in a session of its own" {
  box "loop-$ID-box" -- "$WS"
  cat >"$WS/claude" <<'SH'
#!/bin/sh
echo run >>ignored
[ "$(wc -l <ignored)" -eq 1 ] || { echo '<promise>COMPLETE</promise>'; exit; }
setsid sh -c 'trap "" TERM HUP; exec sleep 600' &
exec sleep 600
SH
  chmod 755 "$WS/claude"
  run -0 sandbox exec -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/claude" "loop-$ID-box" \
    ralph "Build it" --agent claude-code --no-commit --last-activity-timeout 10s
  equal "$(wc -l <"$WS/ignored")" 2
  run -1 sandbox exec "loop-$ID-box" pgrep sleep
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "ralph goes on with a loop that was killed, and its list of tasks holds the promise back" {
  box "loop-$ID-box" -- "$WS"
  cat >"$WS/claude" <<'SH'
#!/bin/sh
echo run >>ignored
[ -e go ] || sleep 600
echo run >>made
[ "$(wc -l <made)" -lt 2 ] || sed -i 's/\[ \]/[x]/' .ralph/ralph-tasks.md
echo '<promise>COMPLETE</promise>'
SH
  chmod 755 "$WS/claude"
  ralph() { sandbox exec -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/claude" "loop-$ID-box" ralph "$@"; }
  ralph --add-task "the first" >/dev/null
  run -0 ralph --list-tasks
  says "1. [ ] the first"
  ralph "Build it" --agent claude-code --tasks --no-commit >/dev/null 2>&1 &
  eventually grep -qs run "$WS/ignored"
  run -0 ralph --status --tasks
  says "ACTIVE LOOP"
  says "0 of 1 done"
  sandbox exec -u root "loop-$ID-box" pkill -9 -f 'ralph Build'
  touch "$WS/go"
  run -0 ralph "Something else" --agent claude-code
  says "Going on with the loop"
  equal "$(wc -l <"$WS/made")" 2
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "ralph asks agents in turn, with the user's own words, as its configuration names them, and without permission" {
  box "loop-$ID-box" --label "sandbox.loop=$ID" -- "$WS"
  cat >"$WS/noting" <<'SH'
#!/bin/sh
printf '%s|' "$0" "$@" | tr '\n' '~' >>asked
echo >>asked
SH
  chmod 755 "$WS/noting"
  echo 'No {{iteration}} of {{max_iterations}}: {{prompt}}; say {{completion_promise}}. {{context}}{{unknown}}' >"$WS/template"
  jq -n --arg p "$WS/noting" '{version: "1.0", agents: [{type: "mine", command: $p, argsTemplate: "codex"}]}' >"$WS/agents.json"
  ralph() { sandbox exec -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/noting" "loop-$ID-box" ralph "$@"; }
  run -1 ralph "Build it" --rotation claude-code:opus,mine:m2 --config agents.json --prompt-template template \
    --no-allow-all --max-iterations 3 --no-commit
  equal "$(wc -l <"$WS/asked")" 3
  run -0 sed -n 1p "$WS/asked"
  matches "^$WS/noting\|-p\|No 1 of 3: Build it; say COMPLETE. \{\{unknown\}\}~?\|--output-format\|.*--model\|opus\|"
  run -0 sed -n 2p "$WS/asked"
  matches "^$WS/noting\|exec\|--json\|--skip-git-repo-check\|--model\|m2\|No 2 of 3"
  [[ $output != *dangerously* ]]
  run -0 sed -n 3p "$WS/asked"
  matches "--model\|opus\|"
  equal "$(jq -c '[.iterations[] | [.agent, .model]]' "$WS/.ralph/ralph-history.json")" \
    '[["claude-code","opus"],["codex","m2"],["claude-code","opus"]]'
  run -1 ralph "Build it" --rotation claude-code:opus,nobody:x
  says "unknown agent: nobody"
  run -1 ralph "Build it" --config none.json --agent mine
  run -1 ralph "Build it" --prompt-template none --agent claude-code
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "one ralph works in a directory, and what it has heard outlasts it" {
  box "loop-$ID-box" -- "$WS"
  cat >"$WS/claude" <<'SH'
#!/bin/sh
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}'
echo "error: something at $n"
[ "$n" -ne 1 ] || [ -e go ] || sleep 600
SH
  chmod 755 "$WS/claude"
  ralph() { sandbox exec -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/claude" "loop-$ID-box" ralph "$@"; }
  ralph "Build it" --agent claude-code --no-commit --max-iterations 2 >/dev/null 2>&1 &
  eventually grep -qsx 2 "$WS/n"
  run -1 ralph "Something else" --agent claude-code
  says "another ralph works in this directory"
  sandbox exec -u root "loop-$ID-box" pkill -9 -f 'ralph Build'
  wait "$!" || true
  touch "$WS/go"
  run -1 ralph "Build it" --agent claude-code
  says "Going on with the loop"
  equal "$(jq -c '[.iterations[] | .toolsUsed, .errors]' "$WS/.ralph/ralph-history.json")" \
    '[{"Bash":1},["error: something at 0"],{"Bash":2},["error: something at 1","error: something at 2"]]'
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "ralph goes on to its least number of iterations, gives up when the agent does, and reads answers for it" {
  box "loop-$ID-box" -- "$WS"
  cat >"$WS/claude" <<'SH'
#!/bin/sh
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
printf '%s\n' "$*" >"asked-$n"
[ ! -e asks ] || printf '%s\n' '|  question   Which colour?'
cat say
SH
  chmod 755 "$WS/claude"
  ralph() { sandbox exec -i -w "$WS" -e "RALPH_CLAUDE_BINARY=$WS/claude" "loop-$ID-box" ralph "$@" --no-commit; }
  echo '<promise>COMPLETE</promise>' >"$WS/say"
  run -0 ralph "Build it" --agent claude-code --min-iterations 3 </dev/null
  equal "$(cat "$WS/n")" 3
  run -1 ralph "Build it" --agent claude-code --min-iterations 3 --max-iterations 2 </dev/null
  says "--min-iterations is more than --max-iterations"
  echo '<promise>NO WAY</promise>' >"$WS/say"
  rm "$WS/n"
  run -1 ralph "Build it" --agent claude-code --abort-promise "NO WAY" --max-iterations 5 </dev/null
  equal "$(cat "$WS/n")" 1
  [[ ! -e $WS/.ralph/ralph-loop.state.json && ! -e $WS/.ralph/ralph-history.json ]]
  : >"$WS/say"
  touch "$WS/asks"
  rm "$WS/n"
  run -1 ralph "Build it" --agent claude-code --questions --max-iterations 3 <<<"blue"
  says "The agent asks: Which colour?"
  grep -q "The answer is: blue" "$WS/asked-1"
  run -1 grep -q "The answer is" "$WS/asked-2"  # there was no second line
  equal "$(jq -r '.[0].question' "$WS/.ralph/ralph-questions.json")" "Which colour?"
  run -1 ralph "Build it" --agent claude-code --no-questions --max-iterations 2 <<<"blue"
  says_not "The agent asks"
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "ralph writes a configuration of its agents that it reads" {
  box "loop-$ID-box" -- "$WS"
  ralph() { sandbox exec -w "$WS" "loop-$ID-box" ralph "$@"; }
  run -0 ralph --init-config conf/agents.json
  equal "$(jq -r '[.agents[].type] | join(" ")' "$WS/conf/agents.json")" "opencode claude-code codex copilot cursor-agent"
  run -1 ralph --init-config conf/agents.json
  printf '#!/bin/sh\necho "<promise>COMPLETE</promise>"\n' >"$WS/mine"
  chmod 755 "$WS/mine"
  jq --arg p "$WS/mine" '.agents[2].command = $p' "$WS/conf/agents.json" >"$WS/own.json"
  run -0 ralph "Build it" --config own.json --agent codex --no-commit --max-iterations 1
  run -0 ralph --init-config
  sandbox exec "loop-$ID-box" test -e /home/agent/.config/open-ralph-wiggum/agents.json
  head -c 130000 /dev/zero | tr '\0' x >"$WS/long.md"
  run -1 ralph -f long.md --config own.json --agent codex --no-commit
  says "try: put the long part into a file"
  sandbox rm "loop-$ID-box" >/dev/null
}

@test "sandbox ralph does its five steps and says how to watch the loop" {
  cat >"$WS/claude" <<'SH'
#!/bin/sh
printf '%s\n' "$*" >made
echo '<promise>ALL_TASKS_COMPLETE</promise>'
SH
  chmod 755 "$WS/claude"
  run -2 --separate-stderr sandbox ralph "$WS"
  is_error "what is the task?"
  echo "Make it." >"$WS/PROMPT.md"
  run -2 --separate-stderr sandbox ralph "$WS" 3 gemini
  is_error "ralph cannot ask gemini"
  says "opencode, claude-code, codex, copilot, cursor-agent" "$stderr"
  run -2 --separate-stderr sandbox ralph "$WS" 3 codex more
  is_error "at most 3 arguments"
  run -2 --separate-stderr sandbox ralph "$WS:ro"
  is_error "ralph writes to its directory"
  mkdir "$WS/.ralph"
  echo "Go on with it." >"$WS/.ralph/iterate.md"
  run -0 --separate-stderr sandbox ralph -t shell -e "RALPH_CLAUDE_BINARY=$WS/claude" "$WS" 3 claude-code -- --model opus
  local name
  name=$(grep -oE 'ralph-ws[0-9]+-[0-9]+' <<<"$output" | head -n 1)
  remember_ids
  says "exec $name ralph --status --tasks"
  says "network log $name"
  eventually test -s "$WS/made"
  run -0 cat "$WS/made"
  says "Go on with it."
  says "<promise>ALL_TASKS_COMPLETE</promise>"
  says "--model opus"
  equal "$(sandbox network proxy "$name" --json | jq -r '.policy.default // .policy')" deny
  sandbox rm "$name" >/dev/null
}
