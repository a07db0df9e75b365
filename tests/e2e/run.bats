#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox run: from a directory to an agent in it.

load world

setup() {
  DIR=$WORLD/project-$BATS_TEST_NUMBER
  NAME=shell-project-$BATS_TEST_NUMBER
  mkdir -p "$DIR"
}

teardown() { remember_ids; }

@test "the first run creates, the second comes back to the same sandbox" {
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'touch ~/mark; echo one'
  equal "$output" one
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'ls ~/mark'
  equal "$output" /home/agent/mark
  run -0 sandbox ls -q
  equal "$(grep -c "^$NAME$" <<<"$output")" 1
}

@test "what was installed is there at the next run, also over a stop" {
  sandbox run -q shell "$DIR" -- -c 'echo "#!/bin/sh
echo tool works" | sudo tee /usr/local/bin/tool >/dev/null; sudo chmod 755 /usr/local/bin/tool'
  sandbox stop "$NAME"
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c tool
  equal "$output" "tool works"
}

# bats test_tags=once
@test "the workspace defaults to the current directory" {
  cd "$DIR"
  run -0 --separate-stderr sandbox run shell -- -c pwd
  equal "$output" "$DIR"
  equal "$(inspect "$NAME" .workspace)" "$DIR"
}

@test "a workspace below a directory that only the guest's root may enter is where the agent starts" {
  sandbox create -q --name "$NAME" -v "$DIR:/root/deep/project" -w /root/deep/project shell "$DIR"
  run -0 --separate-stderr sandbox run "$NAME" -- -c 'pwd; stat -c %a /root; touch made-inside'
  equal "$output" /root/deep/project$'\n'701
  [[ -e $DIR/made-inside ]]
}

@test "a working directory that cannot be entered is an error, and not another directory" {
  sandbox create -q --name "$NAME" -w /var/closed shell "$DIR"
  run -126 sandbox run "$NAME" -- -c pwd
  is_error "chdir to /var/closed"
  sandbox exec -u root -w / "$NAME" mkdir -m 700 /var/closed
  run -126 sandbox exec "$NAME" pwd
  is_error "chdir to /var/closed: Permission denied"
  run -0 sandbox exec -u root "$NAME" pwd
  equal "$output" /var/closed
}

# bats test_tags=once
@test "another directory of the same name gets a sandbox of its own, with a name of its own" {
  mkdir -p "$WORLD/other/project-$BATS_TEST_NUMBER"
  sandbox run -q shell "$DIR" -- -c 'echo here >~/who'
  sandbox run -q shell "$WORLD/other/project-$BATS_TEST_NUMBER" -- -c 'echo there >~/who'
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'cat ~/who'
  equal "$output" here
  run -0 --separate-stderr sandbox run shell "$WORLD/other/project-$BATS_TEST_NUMBER" -- -c 'cat ~/who; echo $SANDBOX_NAME'
  equal "${lines[0]}" there
  [[ ${lines[1]} == "$NAME"* && ${lines[1]} != "$NAME" ]]
}

# bats test_tags=once
@test "run SANDBOX goes back to one from anywhere" {
  sandbox run -q --name "named-$BATS_TEST_NUMBER" shell "$DIR" -- -c 'echo kept >~/f'
  cd /
  run -0 --separate-stderr sandbox run "named-$BATS_TEST_NUMBER" -- -c 'cat ~/f; pwd'
  equal "$output" "kept"$'\n'"$DIR"
}

# bats test_tags=once
@test "--name names it, and the same name finds it again" {
  sandbox run -q --name my.box_1 shell "$DIR" -- -c 'echo mine >~/f'
  run -0 --separate-stderr sandbox run --name my.box_1 shell "$DIR" -- -c 'cat ~/f; echo $SANDBOX_NAME'
  equal "$output" $'mine\nmy.box_1'
}

# bats test_tags=once
@test "--name of a sandbox for another directory is refused, and says so" {
  sandbox run -q --name taken shell "$DIR" -- -c true
  mkdir "$DIR-b"
  run --separate-stderr sandbox run --name taken shell "$DIR-b" -- -c 'echo wrong'
  equal "$status" 125
  is_error taken
  says_not wrong "$output"
}

@test "a directory with spaces and letters of other alphabets works" {
  dir="$WORLD/a b/проект $BATS_TEST_NUMBER"
  mkdir -p "$dir"
  run -0 --separate-stderr sandbox run shell "$dir" -- -c 'pwd; echo inside >file'
  equal "$output" "$dir"
  equal "$(cat "$dir/file")" inside
}

@test "arguments after -- that begin with a dash are added to the agent's own" {
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'shopt -q login_shell && echo login; echo "$0:$1"' name 'one word'
  equal "$output" $'login\nname:one word'
}

# bats test_tags=once
@test "arguments after -- that begin with a word are the command, for the agent shell" {
  printf '#!/bin/sh\necho "$*"\n' >"$DIR/script.sh"
  chmod 755 "$DIR/script.sh"
  run -0 --separate-stderr sandbox run shell "$DIR" -- ./script.sh a 'b c'
  equal "$output" "a b c"
}

# bats test_tags=once
@test "-e sets a variable, -e K passes the caller's on, an unset one stays unset" {
  export FROM_CALLER='caller value'
  unset NOT_SET
  run -0 --separate-stderr sandbox run -e A=1 -e B='x=y z' -e EMPTY= -e FROM_CALLER -e NOT_SET shell "$DIR" -- \
    -c 'echo "$A|$B|${EMPTY-unset}|$FROM_CALLER|${NOT_SET-unset}"'
  equal "$output" '1|x=y z||caller value|unset'
}

# bats test_tags=once
@test "--env-file is read; a later file wins, and -e wins over both" {
  printf '# comment\n\nA=file1\nB=file1\nC=file1\n' >"$WORLD/one.env"
  printf 'B=file2\nC=file2\n' >"$WORLD/two.env"
  run -0 --separate-stderr sandbox run --env-file "$WORLD/one.env" --env-file "$WORLD/two.env" -e C=flag shell "$DIR" -- \
    -c 'echo "$A $B $C"'
  equal "$output" "file1 file2 flag"
  run --separate-stderr sandbox run --env-file "$WORLD/none.env" shell "$DIR" -- -c true
  [[ $status == 2 || $status == 125 ]]
  is_error none.env
}

# bats test_tags=once
@test "variables given at creation are there for every later exec, and on coming back only for the session" {
  sandbox run -q -e KEPT=yes shell "$DIR" -- -c true
  run -0 sandbox exec "$NAME" sh -c 'echo $KEPT'
  equal "$output" yes
  run -0 --separate-stderr sandbox run -e ONCE=yes shell "$DIR" -- -c 'echo $KEPT $ONCE'
  equal "$output" "yes yes"
  run -0 sandbox exec "$NAME" sh -c 'echo "[$ONCE]"'
  equal "$output" "[]"
}

@test "-v mounts a directory to write to, and with :ro one that nobody can write to" {
  mkdir -p "$WORLD/vol-rw" "$WORLD/vol-ro"
  echo data >"$WORLD/vol-ro/file"
  run -0 --separate-stderr sandbox run -v "$WORLD/vol-rw:/data" -v "$WORLD/vol-ro:/frozen:ro" shell "$DIR" -- -c '
    echo written >/data/file && cat /frozen/file
    echo x >/frozen/file 2>/dev/null && echo "agent wrote"
    sudo sh -c "echo x >/frozen/new" 2>/dev/null && echo "root wrote"
    true'
  equal "$output" data
  equal "$(cat "$WORLD/vol-rw/file")" written
  equal "$(ls "$WORLD/vol-ro")" file
  equal "$(cat "$WORLD/vol-ro/file")" data
}

@test "extra workspaces are at their own path, :ro ones read-only" {
  mkdir -p "$WORLD/lib-rw" "$WORLD/lib-ro"
  echo data >"$WORLD/lib-ro/file"
  run -0 --separate-stderr sandbox run shell "$DIR" "$WORLD/lib-rw" "$WORLD/lib-ro:ro" -- -c "
    pwd; cat '$WORLD/lib-ro/file'; echo x >'$WORLD/lib-rw/new'; sudo touch '$WORLD/lib-ro/new' 2>/dev/null && echo WROTE; true"
  equal "$output" "$DIR"$'\n'data
  [[ -e $WORLD/lib-rw/new && ! -e $WORLD/lib-ro/new ]]
  equal "$(sandbox ls --json | jq -c ".vms[] | select(.name == \"$NAME\") | .workspaces")" \
    "[\"$DIR\",\"$WORLD/lib-rw\",\"$WORLD/lib-ro:ro\"]"
}

# bats test_tags=once
@test "-w sets the working directory" {
  run -0 --separate-stderr sandbox run -w /usr/share shell "$DIR" -- -c pwd
  equal "$output" /usr/share
}

# bats test_tags=once
@test "-d starts the sandbox, prints its name and nothing else" {
  run -0 --separate-stderr sandbox run -d shell "$DIR"
  equal "$output" "$NAME"
  equal "$(status_of "$NAME")" running
}

@test "--rm removes the sandbox when the agent ends, whatever its exit code" {
  run -3 --separate-stderr sandbox run --rm shell "$DIR" -- -c 'echo bye; exit 3'
  equal "$output" bye
  run is_there "$NAME"
  equal "$status" 1
  [[ ! -e $SANDBOXES_HOME/vm/$NAME && -d $DIR ]]
}

# bats test_tags=once
@test "--rm keeps a sandbox that was there before this run, and says so" {
  sandbox run -q shell "$DIR" -- -c 'echo precious >~/work'
  run -0 --separate-stderr sandbox run --rm shell "$DIR" -- -c 'cat ~/work'
  equal "$output" precious
  says "$NAME was there before this run" "$stderr"
  run -0 sandbox exec "$NAME" cat /home/agent/work
  equal "$output" precious
}

# bats test_tags=once
@test "run is one request and the exec, whether the sandbox is new, stopped or running" {
  for state in new stopped running; do
    [[ $state != stopped ]] || sandbox stop "$NAME"
    run -0 --separate-stderr sandbox -D run -p 0:8000 --add-host "$state.test:127.0.0.1" shell "$DIR" -- -c true
    equal "$(grep -oE 'POST /[^ ]*|GET /[^ ]*' <<<"$stderr")" $'POST /sandboxes\nPOST /sandboxes/'"$NAME/exec"
  done
  equal "$(inspect "$NAME" '.network.hosts | keys | join(" ")')" "new.test running.test stopped.test"
  equal "$(inspect "$NAME" '.ports | length')" 1
}

# bats test_tags=once
@test "what only a new sandbox can have is refused for one that is there, with what it has and what to do" {
  local other=microvm
  if on_microvm; then other=container; fi
  mkdir -p "$WORLD/more-$BATS_TEST_NUMBER"
  sandbox run -q shell "$DIR" -- -c true
  refused() {
    run -125 --separate-stderr sandbox run "$@"
    is_error "sandbox $NAME is there already"
    says "sandbox rm $NAME" "$stderr"
    says_not WRONG
  }
  refused --backend "$other" "$NAME" -- -c 'echo WRONG'
  says "--backend $other (it has $SANDBOXD_TEST_BACKEND)" "$stderr"
  refused --backend "$other" shell "$DIR" -- -c 'echo WRONG'
  refused -t another "$NAME" -- -c 'echo WRONG'
  says "--template another (it has shell)" "$stderr"
  refused -v "$WORLD/more-$BATS_TEST_NUMBER:/more:ro" "$NAME" -- -c 'echo WRONG'
  says "--volume $WORLD/more-$BATS_TEST_NUMBER:/more:ro (it has none)" "$stderr"
  refused shell "$DIR" "$WORLD/more-$BATS_TEST_NUMBER" -- -c 'echo WRONG'
  says "workspace $WORLD/more-$BATS_TEST_NUMBER (it has $DIR)" "$stderr"
  refused shell "$DIR:ro" -- -c 'echo WRONG'
  refused --disk 100m "$NAME" -- -c 'echo WRONG'
  run -0 --separate-stderr sandbox run --backend "$SANDBOXD_TEST_BACKEND" -t shell "$NAME" -- -c 'echo as it is'
  equal "$output" "as it is"
}

@test "limits of a sandbox that is there are changed when it is stopped, and refused while it runs" {
  sandbox run -q -m 512m shell "$DIR" -- -c true
  run -125 --separate-stderr sandbox run -m 640m "$NAME" -- -c 'echo WRONG'
  is_error "--memory 640m (it has 512m)"
  says "sandbox stop $NAME" "$stderr"
  sandbox run -q -m 512m "$NAME" -- -c true
  sandbox stop "$NAME"
  run -0 --separate-stderr sandbox run -m 640m --pids 321 "$NAME" -- -c true
  equal "$(inspect "$NAME" '.limits | "\(.memory) \(.pids)"')" "$((640 << 20)) 321"
}

# bats test_tags=once
@test "of several sandboxes of a directory it is the one with the default name, else the last used, and run says which" {
  for name in aa bb cc; do sandbox create -q --name "$name-$BATS_TEST_NUMBER" shell "$DIR"; done
  for name in aa cc bb; do sandbox run -q "$name-$BATS_TEST_NUMBER" -- -c true; done
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'echo $SANDBOX_NAME'
  equal "$output" "bb-$BATS_TEST_NUMBER"
  says "3 sandboxes are for shell in $DIR: this is bb-$BATS_TEST_NUMBER; there is also cc-$BATS_TEST_NUMBER, aa-$BATS_TEST_NUMBER" "$stderr"
  sandbox exec "cc-$BATS_TEST_NUMBER" true
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'echo $SANDBOX_NAME'
  equal "$output" "cc-$BATS_TEST_NUMBER"
  sandbox daemon restart
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'echo $SANDBOX_NAME'
  equal "$output" "cc-$BATS_TEST_NUMBER"
  sandbox create -q --name "$NAME" shell "$DIR"
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'echo $SANDBOX_NAME'
  equal "$output" "$NAME"
}

# bats test_tags=once
@test "-q says nothing but what the agent says" {
  run -0 --separate-stderr sandbox run -q shell "$DIR" -- -c 'echo out; echo err >&2'
  equal "$output" out
  equal "$stderr" err
}

# bats test_tags=once
@test "the agent's exit code is passed on" {
  run -42 sandbox run shell "$DIR" -- -c 'exit 42'
  run -143 sandbox run shell "$DIR" -- -c 'kill -TERM $$'
}

# bats test_tags=once
@test "without a terminal the shell reads what is piped to it" {
  run -5 --separate-stderr sandbox run -q shell "$DIR" < <(printf 'echo got it\nexit 5\n')
  equal "$output" "got it"
  run -0 sandbox run -q shell "$DIR" </dev/null
}

# bats test_tags=once
@test "an unknown agent is an error that names the known ones" {
  run -125 --separate-stderr sandbox run nosuchagent "$DIR"
  is_error nosuchagent
  says shell "$stderr"
  run -125 --separate-stderr sandbox run nosuchsandbox
  is_error nosuchsandbox
}

# bats test_tags=once
@test "a missing workspace is an error that names it, and makes nothing" {
  run -2 --separate-stderr sandbox run shell "$WORLD/not-there"
  is_error "$WORLD/not-there"
  run -2 --separate-stderr sandbox run shell /etc/passwd
  is_error /etc/passwd
  run -0 sandbox ls -q
  says_not not-there
}

@test "the guest is told its id, its name and its workspace" {
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'echo $SANDBOX_VM_ID; echo $SANDBOX_NAME; echo $WORKSPACE_DIR; pwd'
  equal "${lines[0]}" "$(inspect "$NAME" .id)"
  equal "${lines[1]}" "$NAME"
  equal "${lines[2]}" "$DIR"
  equal "${lines[3]}" "$DIR"
}

@test "the user is agent, uid 1000, with sudo and the docker group" {
  run -0 --separate-stderr sandbox run shell "$DIR" -- -c 'id -u; id -un; echo $HOME $USER; id -nG; sudo -n id -u'
  equal "${lines[0]}" 1000
  equal "${lines[1]}" agent
  equal "${lines[2]}" "/home/agent agent"
  matches '(^| )docker( |$)' "${lines[3]}"
  equal "${lines[4]}" 0
}

@test "files go both ways at once, at the same path" {
  echo from-host >"$DIR/a"
  sandbox run -q shell "$DIR" -- -c "cat '$DIR/a' >'$DIR/b'; echo from-guest >>'$DIR/b'"
  equal "$(cat "$DIR/b")" $'from-host\nfrom-guest'
  echo later >"$DIR/c"
  run -0 sandbox exec "$NAME" cat "$DIR/c"
  equal "$output" later
}

# bats test_tags=once
@test "two runs at once in a new directory share one sandbox" {
  sandbox run -q shell "$DIR" -- -c 'touch ~/one; echo $SANDBOX_VM_ID' >"$WORLD/first" &
  local first=$!
  sandbox run -q shell "$DIR" -- -c 'touch ~/two; echo $SANDBOX_VM_ID' >"$WORLD/second"
  wait "$first"
  equal "$(cat "$WORLD/first")" "$(cat "$WORLD/second")"
  run -0 sandbox exec "$NAME" sh -c 'ls ~'
  equal "$output" $'one\ntwo'
}

# bats test_tags=once
@test "create makes a sandbox without running its agent, also by the agent's subcommand" {
  run -0 --separate-stderr sandbox create -q shell "$DIR"
  equal "$output" "$NAME"
  is_there "$NAME"
  run -0 sandbox create --name "by-flag" shell "$DIR"
  says "Created sandbox by-flag"
  run -0 sandbox exec by-flag pwd
  equal "$output" "$DIR"
}
