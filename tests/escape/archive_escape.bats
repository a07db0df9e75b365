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
