#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Loops: an agent in a sandbox is asked until its task is done. The agent is a script in the workspace, which works,
# fails, hangs, lies and is killed; tests/e2e/agents_loops.bats has the real ones.

load loops

# The agent: $1 of it is the prompt.
agent() { { echo '#!/bin/sh'; cat; } >"$WS/agent.sh"; chmod 755 "$WS/agent.sh"; }

# loop_run FLAG...: with the agent of the workspace.
loop_run() { sandbox loop run --id "$ID" --agent shell --workspace "$WS" "$@" -- ./agent.sh; }
with_prompt() { loop_run --prompt "$WORLD/prompt-$ID.md" "$@"; }
state() { sandbox loop status --json "$ID" | jq -r "$1"; }
has_state() { [[ $(state "$1") == "$2" ]]; }
worker_pid() { pgrep -f "loop __work $ID\$"; }
no_worker() { ! worker_pid >/dev/null; }
# What the user has and a loop must not touch.
own_git() { git -C "$WS" rev-parse HEAD; git -C "$WS" branch --show-current; git -C "$WS" diff --cached; cat "$WS/.git/HEAD"; }

five_stories() {
  jq -n '{project: "p", stories: [range(5) | {id: "S\(.)", title: "story \(.)", priority: ., passes: false, extra: {kept: true}}]}' \
    >"$WS/prd.json"
}

# Does one story for each time that it is asked, and notes each time.
story_agent() {
  agent <<'SH'
echo run >>ignored
story=$(printf '%s\n' "$1" | grep -oE '^S[0-9]+' | head -n 1)
echo "made by $(id -un)" >"done-$story"
echo "story $story is done"
echo '<promise>COMPLETE</promise>'
SH
}

@test "a loop of five stories does each once, writes prd.json back, and commits each beside the user's branch" {
  five_stories
  story_agent
  local before
  before=$(own_git)
  run -0 --separate-stderr loop_run --prd "$WS/prd.json"
  says "=== iteration 5 of 30, story S4"
  says "=== complete: all of the list is done"
  equal "$(jq -c '[.stories[].passes], .stories[0].extra' "$WS/prd.json")" $'[true,true,true,true,true]\n{"kept":true}'
  equal "$(cat "$WS"/done-S* | sort -u)" "made by agent"
  equal "$(wc -l <"$WS/ignored")" 5
  equal "$(own_git)" "$before"
  equal "$(git -C "$WS" for-each-ref --format='%(refname)' refs/sandbox/loops | wc -l)" 6
  equal "$(state '.outcome, .status')" $'complete\nended'
  run -0 sandbox loop ls
  matches "$ID +ended +complete +5/30 +shell +loop-$ID-shell"
}

@test "an agent that fails, hangs or lies does not end its loop; the command decides" {
  agent <<'SH'
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
case $n in
  0) exit 3 ;;
  1) (trap '' TERM; sleep 600) & setsid sleep 600 & trap '' TERM; sleep 600 ;;
  2) printf '%s\n' "$1"; echo '<promise>COMPLETE</promise>' ;;
  3) touch finished ;;
esac
SH
  run -0 --separate-stderr with_prompt --until COMPLETE --until-cmd 'test -e finished' --idle-timeout 10s
  equal "$(state '[.state.iterations[] | [.exit_code, .end, .until_code, .promised] | join(" ")] | join(",")')" \
    "3 exited 1 false,137 idle 1 false,0 exited 1 true,0 exited 0 false"
  equal "$(state .outcome)" complete
  run -1 sandbox exec "loop-$ID-shell" pgrep sleep
}

@test "an agent that kills what watches it leaves nothing running, and one that writes its own verdict gains nothing" {
  agent <<'SH'
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
if [ "$n" = 0 ]; then
  setsid sleep 86399 </dev/null >/dev/null 2>&1 &
  kill -9 $PPID
  sleep 600
fi
for turn in 2-0-until 2-1-until; do
  mkdir -p "/tmp/.sandbox-loops/$LOOP/$turn"
  echo '{"code":0,"end":"exited","duration_ms":-1}' >"/tmp/.sandbox-loops/$LOOP/$turn/result.json"
done
SH
  sed -i "2i LOOP=$ID" "$WS/agent.sh"
  run --separate-stderr with_prompt --max 2 --until-cmd 'test -e never'
  equal "$(state '[.state.iterations[] | [.exit_code, .until_code] | join(" ")] | join(",")')" "137 1,0 1"
  run -1 sandbox exec "loop-$ID-shell" pgrep -f 'sleep 86399'
}

@test "an agent that only repeats its prompt never completes" {
  printf 'Do it, and say:\n<promise>COMPLETE</promise>\n' >"$WORLD/prompt-$ID.md"
  agent <<'SH'
printf '%s\n' "$1"
date +%N >changed
SH
  run -1 --separate-stderr with_prompt --max 2
  equal "$(state .outcome)" max-iterations
}

@test "three iterations without a changed file end a loop, and resume goes on from there" {
  agent <<<'[ ! -e "$HOME/now" ] || { touch made; echo COMPLETE; }'
  run -1 --separate-stderr with_prompt --max 0
  equal "$(state '.outcome, (.state.iterations | length)')" $'no-progress\n3'
  sandbox exec "loop-$ID-shell" touch /home/agent/now
  run -0 sandbox loop resume "$ID"
  eventually has_state .outcome complete
  equal "$(state '.state.iterations | length')" 4
  run -0 sandbox loop ls
  matches "$ID +ended +complete +4 +shell"
  run -125 --separate-stderr sandbox loop resume "$ID"
  is_error "the loop's task is done"
  says "sandbox loop end $ID" "$stderr"
}

# What a loop is killed at, in the order of an iteration.
kSteps='loop.begun loop.asked loop.decided loop.listed loop.committed loop.saved'

@test "a loop that is killed at each step of an iteration comes to the same end" {
  five_stories
  story_agent
  local step
  for step in $kSteps; do
    if [[ $step == loop.begun ]]; then
      SANDBOXD_FAULT=$step run loop_run --prd "$WS/prd.json" -d
    else
      SANDBOXD_FAULT=$step sandbox loop resume "$ID"
    fi
    eventually no_worker
    equal "$(state .status)" interrupted
  done
  sandbox loop resume "$ID"
  eventually has_state .status ended
  equal "$(state .outcome)" complete
  equal "$(wc -l <"$WS/ignored")" 5  # no agent was asked twice
  equal "$(state '[.state.iterations[].story] | join(" ")')" "S0 S1 S2 S3 S4"
  equal "$(jq -c '[.stories[].passes] | all' "$WS/prd.json")" true
}

worker_stands() { stands_still "$(worker_pid)"; }

@test "a daemon that is killed at each step of an iteration is not missed" {
  five_stories
  story_agent
  jq '.stories |= .[:1]' "$WS/prd.json" >"$WS/one" && mv "$WS/one" "$WS/prd.json"
  SANDBOXD_FAULT=loop.:stop loop_run --prd "$WS/prd.json" -d
  local step
  for step in $kSteps; do
    eventually worker_stands
    sandbox ls >/dev/null  # not each step has needed a daemon since the last was killed
    kill -9 "$(daemon_pid)"
    eventually no_daemon
    kill -CONT "$(worker_pid)"
  done
  eventually no_worker
  equal "$(state '.outcome, (.state.iterations | length)')" $'complete\n1'
  equal "$(wc -l <"$WS/ignored")" 1
}

@test "kill -9 of the loop's process, the client and the daemon leaves the agent working, and resume waits for it" {
  agent <<'SH'
echo run >>ignored
while [ ! -e go ]; do sleep 0.05; done
echo "before the end"
touch made
echo COMPLETE
SH
  with_prompt >"$WORLD/out-$ID" 2>&1 &
  local client=$!
  eventually grep -qs run "$WS/ignored"
  kill -9 "$(worker_pid)" "$(daemon_pid)" "$client"
  eventually no_worker
  touch "$WS/go"
  eventually test -e "$WS/made"
  sandbox loop resume "$ID"
  eventually has_state .status ended
  equal "$(state .outcome)" complete
  equal "$(wc -l <"$WS/ignored")" 1
  run -0 sandbox loop logs "$ID"
  says "before the end"
}

@test "a sandbox that is killed under its agent is started again, and so is the iteration" {
  agent <<'SH'
echo run >>ignored
[ -e go ] || sleep 600
touch made
echo COMPLETE
SH
  with_prompt -d
  eventually grep -qs run "$WS/ignored"
  touch "$WS/go"
  kill -9 "$(shim_pid_of "loop-$ID-shell")"
  eventually has_state .outcome complete
  equal "$(wc -l <"$WS/ignored")" 2
}

@test "pause holds the next iteration back, added context reaches it, cancel ends the agent" {
  agent <<'SH'
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
printf '%s' "$1" >"said-$n"
[ "$n" -lt 2 ] || sleep 600
while [ ! -e "go-$n" ]; do sleep 0.05; done
SH
  with_prompt -d
  eventually test -e "$WS/said-0"
  sandbox loop pause "$ID"
  touch "$WS/go-0"
  eventually has_state .status paused
  sandbox loop add-context "$ID" "mind the gap"
  [[ ! -e $WS/said-1 ]]
  sandbox loop resume "$ID"
  eventually test -e "$WS/said-1"
  grep -q "mind the gap" "$WS/said-1"
  touch "$WS/go-1"
  eventually test -e "$WS/said-2"
  run -1 grep -q "mind the gap" "$WS/said-2"
  sandbox loop cancel "$ID"
  equal "$(state '.status, .outcome')" $'ended\ncancelled'
  run -1 sandbox exec "loop-$ID-shell" pgrep sleep
  run -125 --separate-stderr sandbox loop add-context "$ID" late
  is_error "the loop has ended"
  says "sandbox loop resume $ID" "$stderr"
}

sleeps_there() { sandbox exec "loop-$ID-shell" pgrep sleep >/dev/null; }
not_asleep() { ! sleeps_there; }

@test "cancel ends a loop that waits for the agent's own git filter" {
  agent <<'SH'
git config filter.slow.clean 'sleep 600'
echo '* filter=slow' >.gitattributes
echo more >>tracked
SH
  with_prompt -d
  eventually sleeps_there
  sandbox loop cancel "$ID"
  equal "$(state '.status, .outcome')" $'ended\ncancelled'
  eventually not_asleep
}

box_is_gone() { ! is_there "loop-$ID-shell"; }

@test "end removes the sandbox of a loop whose process does not end, and with it the loop" {
  agent <<<'touch begun; sleep 600'
  with_prompt -d
  eventually test -e "$WS/begun"
  freeze "$(worker_pid)"
  sandbox loop end "$ID" >"$WORLD/out-$ID" 2>"$WORLD/err-$ID" &
  local end=$!
  kPatience=$((kPatience + 30)) eventually box_is_gone
  grep -q "the loop does not end" "$WORLD/err-$ID"
  kill -CONT "$(worker_pid)"
  wait "$end"
  eventually no_worker
  [[ ! -e $SANDBOXES_HOME/loops/$ID ]]
}

@test "resume of a paused loop changes its limit, too, and one that has ended can be resumed at once" {
  agent <<'SH'
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
touch "begun-$n"
while [ ! -e "go-$n" ]; do sleep 0.05; done
SH
  with_prompt --host -d --max 9
  eventually test -e "$WS/begun-0"
  sandbox loop pause "$ID"
  touch "$WS"/go-{0,1,2}
  eventually has_state .status paused
  run -2 --separate-stderr sandbox loop resume --max many "$ID"
  equal "$(state .status)" paused
  sandbox loop resume --max 2 "$ID"
  eventually has_state .status ended
  sandbox loop resume --max 3 "$ID"  # its process may not have exited yet
  eventually has_state '.state.iterations | length' 3
  eventually has_state '.status, .outcome' $'ended\nmax-iterations'
}

@test "a loop whose files cannot be read is listed as that, and hides no other" {
  agent <<<'echo COMPLETE'
  AGENT_LOOP_HOST=1 run -0 with_prompt
  mkdir -p "$SANDBOXES_HOME/loops/broken-$ID"
  cp "$SANDBOXES_HOME/loops/$ID/settings.json" "$SANDBOXES_HOME/loops/broken-$ID"
  echo '{' >"$SANDBOXES_HOME/loops/broken-$ID/state.json"
  run -0 sandbox loop ls
  matches "broken-$ID +unreadable"
  matches "$ID +ended +complete"
  run -0 sandbox loop status "broken-$ID"
  says "state.json"
  equal "$(sandbox loop ls --json | jq -r --arg id "broken-$ID" '.loops[] | select(.id == $id).status')" unreadable
  run -0 sandbox loop end "broken-$ID"
  [[ ! -e $SANDBOXES_HOME/loops/broken-$ID ]]
}

@test "cancel of a loop whose process was killed ends its agent, too" {
  agent <<<'touch begun; sleep 600'
  with_prompt -d
  eventually test -e "$WS/begun"
  kill -9 "$(worker_pid)"
  eventually no_worker
  sandbox loop cancel "$ID"
  equal "$(state .outcome)" cancelled
  run -1 sandbox exec "loop-$ID-shell" pgrep sleep
}

@test "diff and undo are exact, and the user's branch, index and HEAD are never touched" {
  agent <<'SH'
n=$(cat ignored 2>/dev/null || echo 0)
echo $((n + 1)) >ignored
case $n in
  0) echo first >>tracked; echo new >new; rm untracked ;;
  1) echo second >tracked; rm new; mkdir dir; echo deep >dir/deep ;;
esac
SH
  echo mine >"$WS/untracked"
  echo staged >"$WS/staged"
  git -C "$WS" add staged
  local before
  before=$(own_git)
  run -1 --separate-stderr with_prompt --max 2
  run -0 sandbox loop diff "$ID" 1
  says "+first"
  says "+new"
  says "-mine"
  says_not second
  run -0 sandbox loop diff "$ID"
  says "+deep"
  sandbox loop undo "$ID" 1
  equal "$(cd "$WS" && cat tracked new staged ignored; ls)" $'begin\nfirst\nnew\nstaged\n2\nagent.sh\nignored\nnew\nstaged\ntracked'
  sandbox loop undo "$ID" 0
  equal "$(cd "$WS" && cat tracked untracked; ls)" $'begin\nmine\nagent.sh\nignored\nstaged\ntracked\nuntracked'
  sandbox loop undo "$ID" 2
  equal "$(cd "$WS" && cat tracked dir/deep; ls)" $'second\ndeep\nagent.sh\ndir\nignored\nstaged\ntracked'
  equal "$(own_git)" "$before"
  run -2 --separate-stderr sandbox loop undo "$ID" 3
  is_error "0 to 2"
}

@test "an agent that makes a repository where there was none does not take the loop's own away" {
  rm -rf "$WS/.git"
  agent <<'SH'
n=$(cat n 2>/dev/null || echo 0)
echo $((n + 1)) >n
[ -e .git ] || git init -q .
[ "$n" -lt 2 ] || echo COMPLETE
SH
  run -0 --separate-stderr with_prompt
  equal "$(state '.state.iterations | length')" 3
  sandbox loop undo "$ID" 1
  equal "$(cat "$WS/n")" 1
}

@test "a list of tasks is done when all of it is, in a worktree, and an agent that fails or takes too long is put back" {
  printf -- '- [ ] one\n- [ ] two\n' >"$WS/tasks.md"
  agent <<'SH'
n=$(cat "$HOME/n" 2>/dev/null || echo 0)
echo $((n + 1)) >"$HOME/n"
pwd >>"$HOME/where"
list=$(printf '%s\n' "$1" | sed -n 's/^The tasks are in \(.*\)\. Take .*/\1/p')
case $n in
  0) echo bad >>tracked; exit 3 ;;
  1) echo slow >>tracked; while :; do echo word; sleep 0.1; done ;;
  2) echo good >>tracked; sed -i '1s/\[ \]/[x]/' "$list" ;;
  3) echo better >>tracked; sed -i 's/\[ \]/[x]/' "$list"; touch finished ;;
esac
SH
  # The agent is no part of the branch.
  sandbox loop run -d --id "$ID" --agent shell --workspace "$WS" --tasks "$WS/tasks.md" --worktree side --on-fail revert \
    --iteration-timeout 10s --until-cmd 'grep -q good tracked' -- ../../agent.sh
  run -0 sandbox loop logs -f "$ID"
  says "=== iteration 4 of 30"
  says "and were put back"
  says "=== complete: the command succeeds"
  equal "$(state '[.state.iterations[] | [.exit_code, .end, .reverted // false, .until_code] | join(" ")] | join(",")')" \
    "3 exited true 1,143 timeout true 1,0 exited false 0,0 exited false 0"
  equal "$(cat "$WS/.worktrees/side/tracked")" $'begin\ngood\nbetter'
  equal "$(git -C "$WS" branch --show-current; git -C "$WS/.worktrees/side" branch --show-current)" $'main\nside'
  equal "$(cat "$WS/tracked"; sandbox exec "loop-$ID-shell" sort -u /home/agent/where)" "begin"$'\n'"$WS/.worktrees/side"
  equal "$(git -C "$WS" status --porcelain)" "?? tasks.md"
}

@test "what an agent does to the repository runs nothing on the host" {
  agent <<SH
for hook in reference-transaction post-index-change post-checkout pre-commit post-merge fsmonitor-watchman; do
  printf '#!/bin/sh\ncat >/dev/null; id -u >>$WS/hooked-\$(hostname); touch $WORLD/escaped\n' >.git/hooks/\$hook
  chmod 755 .git/hooks/\$hook
done
git config core.fsmonitor $WS/.git/hooks/fsmonitor-watchman
git config core.hooksPath $WS/.git/hooks
git config core.pager 'touch $WORLD/escaped; cat'
git config diff.external 'touch $WORLD/escaped;'
git config filter.evil.clean 'touch $WORLD/escaped; cat'
git config filter.evil.smudge 'touch $WORLD/escaped; cat'
echo '* filter=evil diff=evil' >.gitattributes
git update-ref -d refs/sandbox/loops/$ID/0
git update-ref refs/sandbox/loops/$ID/1 HEAD
git update-ref refs/sandbox/loops/$ID/2 HEAD
rm -f prd.json; ln -s /etc/passwd prd.json
date +%N >>tracked
SH
  run -1 --separate-stderr with_prompt --max 2
  equal "$(state '.state.iterations | length')" 2
  run -0 sandbox loop diff "$ID" 2
  run -0 sandbox loop status "$ID"
  sandbox loop undo "$ID" 0 || true
  sandbox loop end "$ID"
  [[ ! -e $WORLD/escaped ]]
  [[ ! -e $WS/hooked-$(hostname) ]]
}

@test "a prd.json that the agent made a link is never followed on the host" {
  echo '{"stories": [{"id": "a", "passes": false}]}' >"$WORLD/outside.json"
  five_stories
  agent <<SH
rm -f prd.json
ln -s $WORLD/outside.json prd.json
echo COMPLETE
SH
  run -1 --separate-stderr loop_run --prd "$WS/prd.json"
  equal "$(state .outcome)" failed
  equal "$(cat "$WORLD/outside.json")" '{"stories": [{"id": "a", "passes": false}]}'
}

@test "five loops at once" {
  local n
  for n in 1 2 3 4 5; do
    mkdir -p "$WS/$n"
    echo "echo $n >made; echo COMPLETE" >"$WS/$n/agent.sh"
    sandbox loop run -d --id "$ID-$n" --agent shell --workspace "$WS/$n" --prompt "$WORLD/prompt-$ID.md" -- sh ./agent.sh &
  done
  wait
  for n in 1 2 3 4 5; do
    ID=$ID-$n eventually has_state .outcome complete
    equal "$(cat "$WS/$n/made")" "$n"
    sandbox loop end "$ID-$n" >/dev/null
  done
}

@test "start makes a sandbox for each tool with the deny policy, exec runs in it, end removes all and may be repeated" {
  mkdir -p "$WORLD/user/.config"
  run -0 --separate-stderr sandbox loop start "$ID" --tool shell --workspace "$WS"
  equal "$output" "$ID"
  equal "$(status_of "loop-$ID-shell")" running
  run -0 sandbox network proxy "loop-$ID-shell" --json
  equal "$(jq -r '.policy.default // .policy' <<<"$output")" deny
  run -0 sandbox network check "loop-$ID-shell" https://api.anthropic.com
  run -0 --separate-stderr sandbox loop exec "$ID" shell -e GREETING=hello -w /tmp -- sh -c 'pwd; echo $GREETING; id -un; echo err >&2'
  equal "$output" $'/tmp\nhello\nagent'
  equal "$stderr" err
  run -7 sandbox loop exec "$ID" shell -- sh -c 'exit 7'
  run -124 --separate-stderr sandbox loop exec "$ID" shell --timeout 1s -- sh -c 'sleep 600 & setsid sleep 600 & sleep 600'
  run -1 sandbox exec "loop-$ID-shell" pgrep sleep
  equal "$(state '.status, .sandboxes[0]')" "warm"$'\n'"loop-$ID-shell"
  run -0 sandbox loop end "$ID"
  equal "$output" "loop-$ID-shell"
  run -0 sandbox loop end "$ID"
  equal "$output" ""
  run ! is_there "loop-$ID-shell"
}

@test "end removes what a start that was killed had made" {
  local point
  for point in create.recorded create.ready start.spawned; do
    sandbox daemon stop 2>/dev/null || true
    SANDBOXD_FAULT=$point run sandbox loop start "$ID" --tool shell --workspace "$WS"
    sandbox daemon stop 2>/dev/null || true
    # What is left of it is under its policy, too: nothing can be started with another.
    if is_there "loop-$ID-shell"; then
      equal "$(sandbox network proxy "loop-$ID-shell" --json | jq -r .policy.default)" deny
    fi
    run -0 sandbox loop end "$ID"
    run ! is_there "loop-$ID-shell"
  done
}

@test "an agent's sandbox reaches its own model and login under the loops' policy, and no other's" {
  run -0 sandbox loop start "$ID" --tool codex --template shell --workspace "$WS"
  run -0 sandbox network check "loop-$ID-codex" https://chatgpt.com/
  run -0 sandbox network check "loop-$ID-codex" https://auth.openai.com/oauth/token
  run -1 sandbox network check "loop-$ID-codex" https://generativelanguage.googleapis.com/
  run -0 sandbox loop end "$ID"
}

@test "without a sandbox, and with AGENT_LOOP_HOST=1, the host runs it and says so; AGENT_LOOP_HOST=0 refuses" {
  run -0 --separate-stderr sandbox loop exec "$ID" claude -- sh -c 'echo on $(hostname)'
  equal "$output" "on $(hostname)"
  says "HOST MODE" "$stderr"
  AGENT_LOOP_HOST=0 run -125 --separate-stderr sandbox loop exec "$ID" claude -- true
  is_error "sandbox \"loop-$ID-claude\" not found"
  agent <<<'hostname >where; echo COMPLETE'
  AGENT_LOOP_HOST=1 run -0 --separate-stderr with_prompt
  says "HOST MODE" "$stderr"
  equal "$(cat "$WS/where")" "$(hostname)"
  run ! is_there "loop-$ID-shell"
}

@test "what cannot be meant is refused before anything is made" {
  agent <<<true
  run -2 --separate-stderr loop_run
  is_error "what is the task?"
  run -2 --separate-stderr with_prompt --continue
  is_error "a command of your own"
  run -2 --separate-stderr sandbox loop run --agent amp --continue --prompt "$WORLD/prompt-$ID.md" --workspace "$WS"
  is_error "amp cannot be told to go on"
  run -2 --separate-stderr with_prompt --budget never
  is_error "--budget never"
  run -2 --separate-stderr loop_run --prd /etc/passwd
  is_error "must be a file in the workspace"
  run -2 --separate-stderr sandbox loop run --agent shell --prompt "$WORLD/prompt-$ID.md" --workspace "$WS"
  is_error "it is not known how shell is asked"
  run -2 --separate-stderr sandbox loop run --id ../x --agent shell --prompt "$WORLD/prompt-$ID.md" --workspace "$WS" -- true
  is_error "a loop's id"
  run -125 --separate-stderr sandbox loop status nothing
  is_error "no loop nothing"
  [[ ! -e $SANDBOXES_HOME/loops/$ID ]]
}
