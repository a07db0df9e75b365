#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# sandbox cp, in both directions. What hostile guests make of it is in tests/escape/archive_escape.bats.

load world

setup_file() {
  world_up
  box box
}

setup() {
  HERE=$WORLD/here-$BATS_TEST_NUMBER
  mkdir -p "$HERE"
  cd "$HERE"
  sandbox exec box sh -c "rm -rf /home/agent/cp; mkdir /home/agent/cp"
}

guest() { sandbox exec box "$@"; }

@test "a file goes in under its own name, and under another" {
  echo content >file
  sandbox cp file box:/home/agent/cp
  sandbox cp file box:/home/agent/cp/renamed
  run -0 sandbox exec -w /home/agent/cp box cat file renamed
  equal "$output" $'content\ncontent'
}

@test "a file comes out under its own name, and under another" {
  guest sh -c 'echo content >/home/agent/cp/file'
  mkdir dir
  sandbox cp box:/home/agent/cp/file .
  sandbox cp box:/home/agent/cp/file renamed
  sandbox cp box:/home/agent/cp/file dir/
  equal "$(cat file renamed dir/file)" $'content\ncontent\ncontent'
}

@test "100 MB arrive byte for byte both ways" {
  head -c 104857600 /dev/urandom >big
  sandbox cp big box:/home/agent/cp/big
  sandbox cp box:/home/agent/cp/big back
  cmp big back
  rm big back
}

@test "a directory goes in and comes out whole: modes, links, empty directories, odd names" {
  mkdir -p 'tree/empty' 'tree/a b/c'
  echo one >'tree/a b/c/one'
  echo two >"tree/-n *'\$ü"
  printf 'x\n' >tree/exec
  chmod 755 tree/exec
  chmod 600 'tree/a b/c/one'
  ln -s 'a b/c/one' tree/link
  ln -s /nowhere tree/dangling
  : >tree/nothing
  sandbox cp tree box:/home/agent/cp
  sandbox cp box:/home/agent/cp/tree back
  equal "$(cd back && find . -printf '%P %y %m %l\n' | sort)" "$(cd tree && find . -printf '%P %y %m %l\n' | sort)"
  diff -r --no-dereference tree back
}

@test "a copy of a directory to one that is there goes into it, to one that is not becomes it" {
  mkdir tree
  echo x >tree/file
  sandbox cp tree box:/home/agent/cp/new
  sandbox cp tree box:/home/agent/cp/new
  run -0 sandbox exec -w /home/agent/cp box find new -type f
  equal "$(sort <<<"$output")" $'new/file\nnew/tree/file'
}

@test "dir/. copies what is in it" {
  mkdir tree
  echo x >tree/file
  sandbox cp tree/. box:/home/agent/cp
  run -0 guest cat /home/agent/cp/file
  equal "$output" x
}

@test "what is copied in belongs to agent, what comes out to the caller" {
  mkdir tree
  echo x >tree/file
  sandbox cp tree box:/home/agent/cp
  run -0 guest stat -c %U:%G /home/agent/cp/tree /home/agent/cp/tree/file
  equal "$output" $'agent:agent\nagent:agent'
  sandbox cp box:/etc/hostname out
  equal "$(stat -c %u:%g out)" 0:0
}

@test "a link is copied as a link, and with -L as what it points to" {
  echo target >target
  ln -s target link
  sandbox cp link box:/home/agent/cp/link
  run -0 guest readlink /home/agent/cp/link
  equal "$output" target
  sandbox cp -L link box:/home/agent/cp/followed
  run -0 guest sh -c 'test ! -L /home/agent/cp/followed && cat /home/agent/cp/followed'
  equal "$output" target
  guest sh -c 'cd /home/agent/cp; echo inside >t; ln -s t l'
  sandbox cp -L box:/home/agent/cp/l followed
  [[ ! -L followed ]]
  equal "$(cat followed)" inside
}

@test "- is a tar archive on standard output, and on standard input" {
  guest sh -c 'echo content >/home/agent/cp/file'
  sandbox cp box:/home/agent/cp - | tar x
  equal "$(cat cp/file)" content
  mkdir in
  echo there >in/side
  tar c in | sandbox cp - box:/home/agent/cp
  run -0 guest cat /home/agent/cp/in/side
  equal "$output" there
}

# bats test_tags=once
@test "a source that is not there, or a destination that cannot be, is an error that names it" {
  run ! --separate-stderr sandbox cp nothing-here box:/tmp
  is_error nothing-here
  run ! --separate-stderr sandbox cp box:/nothing/there .
  is_error /nothing/there
  : >file
  run ! --separate-stderr sandbox cp file box:/no/such/directory/file
  is_error /no/such/directory
  run ! --separate-stderr sandbox cp box:/etc/hostname /no/such/directory/file
  is_error /no/such/directory
  run -125 --separate-stderr sandbox cp file nosuchbox:/tmp
  is_error nosuchbox
}

# bats test_tags=once
@test "between sandboxes, or between two host paths, is refused" {
  run -2 --separate-stderr sandbox cp box:/etc/hostname other:/tmp
  is_error
  run -2 --separate-stderr sandbox cp a b
  is_error
}

# bats test_tags=once
@test "a path with a colon is a path when it begins with a dot or a slash" {
  echo colon >./a:b
  sandbox cp ./a:b box:/home/agent/cp/colon
  sandbox cp "box:/home/agent/cp/colon" "./c:d"
  equal "$(cat ./c:d)" colon
}

# bats test_tags=once
@test "a directory is not copied over a file, nor a file half over another" {
  mkdir tree
  echo keep >file
  guest mkdir -p /home/agent/cp/dir
  run ! --separate-stderr sandbox cp box:/home/agent/cp/dir file
  is_error
  equal "$(cat file)" keep
}

@test "a stopped sandbox is started for a copy" {
  sandbox stop box
  echo x >file
  sandbox cp file box:/home/agent/file
  run -0 guest cat /home/agent/file
  equal "$output" x
}

@test "a directory that the agent may not read is an error, not half a copy that looks whole" {
  sandbox exec -u root box sh -c 'mkdir -p /root/secret; echo x >/root/secret/file; chmod 700 /root /root/secret'
  run --separate-stderr sandbox cp box:/root/secret out
  # Copies may act as the guest's root or as agent; either all of it is there or the failure is told.
  if ((status == 0)); then equal "$(cat out/file)" x; else is_error /root/secret; fi
}
