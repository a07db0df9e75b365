#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The threat: a guest prepares what `sandbox cp` copies so that a file is written, or read, where nobody meant it.

load ../e2e/world

setup_file() {
  world_up
  box box
}

setup() {
  HERE=$WORLD/here-$BATS_TEST_NUMBER
  OUTSIDE=$WORLD/outside-$BATS_TEST_NUMBER
  mkdir -p "$HERE" "$OUTSIDE"
  echo "the host's" >"$OUTSIDE/file"
  cd "$HERE"
  sandbox exec -u root box sh -c 'rm -rf /evil; mkdir -m 777 /evil'
}

in_guest() { sandbox exec -u root -w /evil box sh -ec "$1"; }

outside_is_untouched() {
  equal "$(ls -A "$OUTSIDE")" file
  equal "$(cat "$OUTSIDE/file")" "the host's"
}

@test "a link and then a file through it: copied out, both stay inside" {
  in_guest "mkdir tree; ln -s '$OUTSIDE' tree/link; ln -s '$OUTSIDE/file' tree/file"
  run sandbox cp box:/evil/tree .
  outside_is_untouched
  # A second copy, where the first one's links are now in the way of files of the same names.
  in_guest "rm tree/link tree/file; mkdir tree/link; echo evil >tree/link/file; echo evil >tree/file; echo evil >tree/link/new"
  run sandbox cp box:/evil/tree .
  outside_is_untouched
  run sandbox cp box:/evil/tree/. tree
  outside_is_untouched
}

@test "a link that the guest left in the destination is not written through" {
  in_guest 'mkdir tree; echo evil >tree/new'
  mkdir -p "$HERE/dest"
  ln -s "$OUTSIDE" "$HERE/dest/tree"
  run sandbox cp box:/evil/tree "$HERE/dest"
  outside_is_untouched
}

@test "a destination in a workspace that the guest fills with links stays in the workspace" {
  local workspace
  workspace=$(workspace_of box)
  sandbox exec box sh -c "mkdir -p out && ln -sfn '$OUTSIDE' out/tree && ln -sfn '$OUTSIDE/file' out/plain"
  in_guest 'mkdir tree; echo evil >tree/new; echo evil >plain'
  run sandbox cp box:/evil/tree "$workspace/out"
  run sandbox cp box:/evil/plain "$workspace/out"
  outside_is_untouched
}

# What the guest makes of its own workspace: links in the place of directories that the user may name.
plant() {
  WS=$(workspace_of box)
  sandbox exec box sh -ec "cd '$WS'; rm -rf out .env; ln -s '$OUTSIDE' out; ln -s '$OUTSIDE/file' .env"
  in_guest 'mkdir tree; echo evil >tree/new; echo evil >plain'
}

refused_for_a_link() {
  run "$@"
  ((status != 0)) || fail "done: ${*:2}"
  is_error "out is a symbolic link"
  says "sandbox box"
  says "try: "
  outside_is_untouched
}

@test "a copy to a workspace does not follow the directory links that the guest planted there" {
  plant
  local destination
  for destination in "$WS/out" "$WS/out/" "$WS/out/." "$WS/out/sub" "$WS/out/../out/new" "$WS/./out/file"; do
    refused_for_a_link sandbox cp box:/evil/plain "$destination"
    refused_for_a_link sandbox cp box:/evil/tree "$destination"
    refused_for_a_link sandbox cp box:/evil/tree/. "$destination"
  done
  [[ -L $WS/out ]]
}

@test "nor from within it, nor by way of a link of the user's, nor when the sandbox is stopped" {
  plant
  ln -s "$WS" mine
  refused_for_a_link sandbox cp box:/evil/plain mine/out/
  cd "$WS"
  refused_for_a_link sandbox cp box:/evil/plain out
  refused_for_a_link sandbox cp box:/evil/plain "../ws-box/out/new"
  ln -s "$WS/out" "$HERE/through"
  refused_for_a_link sandbox cp box:/evil/plain "$HERE/through/"
  box other
  sandbox stop box
  refused_for_a_link sandbox cp other:/etc/hostname "$WS/out/"
  sandbox start box
  sandbox rm other
}

@test "nor in a mount, nor in the workspace of another sandbox" {
  mkdir -p "$WORLD/volume"
  box other -v "$WORLD/volume:/volume"
  sandbox exec -u root other sh -ec "rm -f /volume/out; ln -s '$OUTSIDE' /volume/out; ln -sfn '$OUTSIDE' '$(workspace_of other)/out'"
  in_guest 'echo evil >plain'
  local directory
  for directory in "$WORLD/volume" "$(workspace_of other)"; do
    run ! sandbox cp box:/evil/plain "$directory/out/"
    is_error "$directory/out is a symbolic link"
    says "sandbox other"
    outside_is_untouched
  done
  sandbox rm other
}

@test "links of the user's own lead to a workspace, and .. out of it" {
  WS=$(workspace_of box)
  in_guest 'echo content >plain'
  sandbox exec box mkdir -p "$WS/real/sub"
  ln -s "$WS" mine
  ln -s mine again
  sandbox cp box:/evil/plain again/real/
  equal "$(cat "$WS/real/plain")" content
  cd "$WS/real/sub"
  sandbox cp box:/evil/plain .
  sandbox cp box:/evil/plain "../../../${HERE##*/}/through-dots"
  equal "$(cat "$WS/real/sub/plain" "$HERE/through-dots")" $'content\ncontent'
  ln -s "$HERE" "$WORLD/elsewhere-$BATS_TEST_NUMBER"
  sandbox cp box:/evil/plain "$WORLD/elsewhere-$BATS_TEST_NUMBER/"
  equal "$(cat "$HERE/plain")" content
}

@test "a copy from a workspace does not follow the guest's links to files of the host's" {
  plant
  local source
  for source in "$WS/out/file" "$WS/out/" "$WS/out/." "$WS/out/../outside-$BATS_TEST_NUMBER/file"; do
    refused_for_a_link sandbox cp "$source" box:/evil/stolen
  done
  refused_for_a_link sandbox cp -L "$WS/out" box:/evil/stolen
  run ! sandbox cp -L "$WS/.env" box:/evil/stolen
  is_error "$WS/.env is a symbolic link"
  run ! in_guest 'test -e stolen'
  # As it is, a link is no more than a name.
  sandbox cp "$WS/out" box:/evil/link
  run -0 in_guest 'readlink link'
  equal "$output" "$OUTSIDE"
}

@test "a file of variables in a workspace is not read through the guest's link" {
  plant
  echo 'TOKEN=secret' >"$OUTSIDE/file"
  run ! sandbox exec --env-file "$WS/.env" box env
  is_error "$WS/.env is a symbolic link"
  says_not secret
  run ! sandbox create --env-file "$WS/.env" --name other shell "$HERE"
  is_error "$WS/.env is a symbolic link"
  cp "$OUTSIDE/file" "$WS/plain.env"
  run -0 sandbox exec --env-file "$WS/plain.env" box sh -c 'echo $TOKEN'
  equal "$output" secret
  run -0 sandbox exec --env-file <(echo TOKEN=piped) box sh -c 'echo $TOKEN'
  equal "$output" piped
}

@test "a new sandbox is not given what the guest's link leads to" {
  plant
  refused_for_a_link sandbox create --name other shell "$WS/out"
  refused_for_a_link sandbox create --name other shell "$HERE" "$WS/out/:ro"
  refused_for_a_link sandbox create --name other -v "$WS/out:/data:ro" shell "$HERE"
  refused_for_a_link sandbox create --name other -v "$WS/out/file:/data" shell "$HERE"
  run -0 api POST /sandboxes -d "{\"agent\":\"shell\",\"name\":\"other\",\"workspaces\":[{\"source\":\"$WS/out\",\"target\":\"$WS/out\"}]}"
  says "is a symbolic link"
  run ! is_there other
}

@test "a directory that becomes a link while it is copied to is not followed" {
  plant
  sandbox exec -d box sh -c "cd '$WS'; rm out; touch begun; while ! test -e stop; do mkdir out; rm -rf out; ln -s '$OUTSIDE' out; rm out; done 2>/dev/null; rm -f stop begun"
  eventually test -e "$WS/begun"
  local i
  for i in $(seq 40); do
    run timeout 60 "$SANDBOXD_BIN/sandbox" cp box:/evil/tree/. "$WS/out" 3>&-
    ((status != 124))
    run timeout 60 "$SANDBOXD_BIN/sandbox" cp box:/evil/plain "$WS/out/" 3>&-
    ((status != 124))
  done
  touch "$WS/stop"
  eventually test ! -e "$WS/stop"
  outside_is_untouched
}

# A guest whose own files are hostile is one thing; a guest that says whatever it likes on the stream is another. The
# archive that a hostile init would send is given to the same unpacker by way of `cp -` into the guest, and the guest's
# root is looked at; on the host's side the unit tests of src/archive feed the same blocks.
hostile_archive() {
  python3 - "$@" <<'PY'
import io, sys, tarfile
out = tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.PAX_FORMAT)
def add(name, kind=tarfile.REGTYPE, link="", data=b"evil", mode=0o644):
    t = tarfile.TarInfo(name)
    t.type, t.linkname, t.mode = kind, link, mode
    t.size = len(data) if kind == tarfile.REGTYPE else 0
    out.addfile(t, io.BytesIO(data) if t.size else None)
kind = sys.argv[1]
if kind == "dotdot": add("../planted"); add("a/../../planted"); add("..")
if kind == "absolute": add("/evil/planted")
if kind == "link": add("l", tarfile.SYMTYPE, "/evil/target"); add("l/planted")
if kind == "link-up": add("l", tarfile.SYMTYPE, ".."); add("l/planted")
if kind == "link-chain": add("a", tarfile.SYMTYPE, "b"); add("b", tarfile.SYMTYPE, ".."); add("a/planted")
if kind == "link-replace": add("d", tarfile.DIRTYPE, mode=0o755); add("d", tarfile.SYMTYPE, "/evil/target"); add("d/planted")
if kind == "hard": add("h", tarfile.LNKTYPE, "/evil/target/file"); add("h")
if kind == "hard-up": add("h", tarfile.LNKTYPE, "../target/file"); add("h")
if kind == "hard-link": add("l", tarfile.SYMTYPE, "/evil/target"); add("h", tarfile.LNKTYPE, "l/file"); add("h")
if kind == "device":
    t = tarfile.TarInfo("device"); t.type, t.devmajor, t.devminor, t.mode = tarfile.BLKTYPE, 254, 0, 0o666
    out.addfile(t)
if kind == "suid": add("suid", mode=0o6777)
out.close()
PY
}

@test "archives with names that lead out, links and hard links are not written outside the destination" {
  for kind in dotdot absolute link link-up link-chain link-replace hard hard-up hard-link; do
    in_guest 'rm -rf dest target planted; mkdir -m 777 dest target; echo precious >target/file; chmod 666 target/file'
    run sandbox cp - box:/evil/dest < <(hostile_archive $kind)
    echo "$kind: $status $output"
    run -0 in_guest 'ls -A; ls -A target; cat target/file'
    equal "$output" $'dest\ntarget\nfile\nprecious'
  done
}

@test "devices and set-user-id bits do not come out of an archive" {
  in_guest 'mkdir -m 777 dest'
  run sandbox cp - box:/evil/dest < <(hostile_archive device)
  run ! in_guest 'test -b dest/device'
  run sandbox cp - box:/evil/dest < <(hostile_archive suid)
  in_guest 'cp /bin/true suid; chmod 6755 suid'
  sandbox cp box:/evil/suid out
  equal "$(($(stat -c 0%a out) & 06000))" 0
}

@test "an archive that is cut off or is none is an error" {
  in_guest 'mkdir -m 777 dest; echo x >file'
  run ! sandbox cp - box:/evil/dest < <(head -c 3000 /dev/urandom)
  is_error
  head -c 100000 /dev/urandom >"$WORLD/blob"
  run ! sandbox cp - box:/evil/dest < <(tar c -C "$WORLD" blob | head -c 50000)
  is_error
  run -0 sandbox exec box echo alive
}

@test "copying into the guest never follows the guest's links onto the host, nor out of what was named" {
  in_guest "ln -s '$OUTSIDE' dest; mkdir real; ln -s real inner"
  echo new >file
  run sandbox cp file box:/evil/dest/file
  outside_is_untouched
  run sandbox cp file box:/evil/inner
  outside_is_untouched
}

@test "copying out never follows a link in the source onto the guest's other files unless asked, and never onto the host's" {
  in_guest "ln -s '$OUTSIDE/file' link; ln -s /etc/shadow shadow"
  sandbox cp box:/evil/link out
  [[ -L out ]]
  run sandbox cp -L box:/evil/link followed
  ((status != 0))
  [[ ! -e followed ]]
}

@test "a copy of what the guest changes while it is copied stays inside" {
  in_guest "mkdir -p race/d; for i in \$(seq 300); do echo x >race/d/f\$i; done"
  sandbox exec -d -u root -w /evil box sh -c "touch begun; while ! test -e stop; do mv race/d race/e; ln -s '$OUTSIDE' race/d; rm race/d; mv race/e race/d; done 2>/dev/null"
  eventually in_guest 'test -e begun'
  for i in 1 2 3 4 5; do
    run timeout 60 "$SANDBOXD_BIN/sandbox" cp box:/evil/race "$HERE/copy-$i" 3>&-
    ((status != 124))
  done
  in_guest 'touch stop'
  outside_is_untouched
  [[ -z $(find "$HERE" -type f -exec grep -l "the host's" {} + 2>/dev/null) ]]
}

@test "names with escape sequences do not reach the terminal as such" {
  in_guest 'mkdir tree; touch "tree/$(printf "\033]0;owned\007")"; chmod 000 tree'
  run sandbox cp box:/evil/tree /nonexistent/there
  says_not $'\e'
  run -127 sandbox exec box "$(printf 'no\033[31msuch')"
  says_not $'\e'
}
