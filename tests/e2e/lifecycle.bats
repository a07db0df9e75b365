#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# stop, start, rm, reset: what stays, what goes, what is never touched.

load world

# Everything that a sandbox of this name has on the host is gone.
no_trace_of() {
  local name=$1 id=$2
  [[ ! -e $SANDBOXES_HOME/vm/$name ]] && [[ -z $(find /sys/fs/cgroup -type d -name "*$id*") ]] \
    && ! grep -qsF "$(workspace_of "$name")" /proc/[0-9]*/mountinfo
}

@test "stop keeps the state: files in /usr, /etc, /home and /var persist, a new user does" {
  box keeper
  sandbox exec -u root keeper sh -c '
    mkdir -p /usr/share/tool && echo installed >/usr/share/tool/file
    echo configured >/etc/tool.conf; echo data >/var/lib/tool.db; useradd -m other; rm -rf /usr/share/doc'
  sandbox exec keeper sh -c 'echo mine >~/file'
  run -0 --separate-stderr sandbox stop keeper
  equal "$output" keeper
  equal "$(status_of keeper)" stopped
  run -0 --separate-stderr sandbox start keeper
  equal "$output" keeper
  equal "$(status_of keeper)" running
  run -0 sandbox exec keeper sh -c 'cat /usr/share/tool/file /etc/tool.conf /var/lib/tool.db ~/file; id -un other; ls -d /usr/share/doc 2>&1 | grep -c cannot'
  equal "$output" $'installed\nconfigured\ndata\nmine\nother\n1'
}

@test "dpkg installs a package in the guest, and it is there after a restart" {
  box installer
  sandbox exec -u root installer sh -ec '
    mkdir -p /tmp/p/DEBIAN /tmp/p/usr/bin
    printf "Package: hello-e2e\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: test\n" >/tmp/p/DEBIAN/control
    printf "#!/bin/sh\nset -e\nchown 33:33 /usr/bin/hello-e2e\n" >/tmp/p/DEBIAN/postinst
    chmod 755 /tmp/p/DEBIAN/postinst
    printf "#!/bin/sh\necho hello\n" >/tmp/p/usr/bin/hello-e2e
    chmod 755 /tmp/p/usr/bin/hello-e2e
    dpkg-deb --build /tmp/p /tmp/hello.deb
    dpkg -i /tmp/hello.deb' >/dev/null
  sandbox stop installer
  run -0 sandbox exec installer sh -c 'hello-e2e; dpkg -s hello-e2e | grep Status; stat -c %u /usr/bin/hello-e2e'
  equal "$output" $'hello\nStatus: install ok installed\n33'
}

@test "/tmp and /run are new after a start" {
  box fresh
  sandbox exec -u root fresh sh -c 'touch /tmp/gone /run/gone'
  sandbox stop fresh
  run -0 sandbox exec fresh sh -c 'ls /tmp /run | grep -c gone || true'
  equal "$output" 0
}

@test "stop is orderly: what runs gets TERM and time to act on it" {
  box polite
  sandbox exec -d polite sh -c 'trap "echo saved >\$WORKSPACE_DIR/saved; exit 0" TERM; touch ~/ready; while :; do sleep 0.05; done'
  eventually sandbox exec polite test -e /home/agent/ready
  sandbox stop polite
  equal "$(cat "$(workspace_of polite)/saved")" saved
}

@test "stop ends what ignores TERM, too" {
  box stubborn
  sandbox exec -d stubborn sh -c 'trap "" TERM HUP INT; touch ~/ready; while :; do sleep 0.05; done'
  eventually sandbox exec stubborn test -e /home/agent/ready
  SANDBOX_TIMEOUT=$((2 * kPatience)) run -0 sandbox stop stubborn
  equal "$(status_of stubborn)" stopped
}

# bats test_tags=once
@test "stop and start are idempotent" {
  box calm
  sandbox start calm
  sandbox exec calm true
  sandbox stop calm
  run -0 sandbox stop calm
  equal "$(status_of calm)" stopped
}

@test "an attached exec ends when its sandbox is stopped, and does not say success" {
  box ending
  "$SANDBOXD_BIN/sandbox" exec ending sh -c 'echo up; exec sleep 1000' >"$WORLD/ending" 3>&- &
  local client=$! code=0
  eventually grep -q up "$WORLD/ending"
  sandbox stop ending
  wait "$client" || code=$?
  ((code != 0))
}

# bats test_tags=once
@test "several names at once; one that is not there fails the command and not the others" {
  box one
  box two
  run -125 --separate-stderr sandbox stop one nosuch two
  equal "$output" $'one\ntwo'
  is_error nosuch
  equal "$(status_of one) $(status_of two)" "stopped stopped"
  run -125 --separate-stderr sandbox rm one nosuch two
  equal "$output" $'one\ntwo'
}

@test "rm of a running sandbox stops it first, and leaves nothing but the workspace" {
  box doomed
  local id workspace
  id=$(inspect doomed .id)
  workspace=$(workspace_of doomed)
  sandbox exec doomed sh -c 'echo precious >file; mkdir -p sub/dir; echo too >sub/dir/file'
  sandbox exec -d doomed sleep 1000
  run -0 --separate-stderr sandbox rm doomed
  equal "$output" doomed
  eventually no_trace_of doomed "$id"
  equal "$(cat "$workspace/file" "$workspace/sub/dir/file")" $'precious\ntoo'
  run -125 sandbox exec doomed true
}

# bats test_tags=once
@test "a new sandbox of an old name begins from nothing" {
  box again
  sandbox exec -u root again sh -c 'touch /etc/old ~agent/old'
  local old_id
  old_id=$(inspect again .id)
  sandbox rm again
  box again
  run ! sandbox exec again ls /etc/old /home/agent/old
  [[ $(inspect again .id) != "$old_id" ]]
}

@test "rm removes what the guest made hard to remove" {
  box hard
  local id
  id=$(inspect hard .id)
  sandbox exec -u root hard sh -c '
    mkdir -p /opt/deep && cd /opt/deep && for i in $(seq 300); do mkdir d && cd d; done
    mkdir /opt/locked && touch /opt/locked/f && chmod 000 /opt/locked
    cd /opt && for i in $(seq 500); do : >"file $i"; done; ln -s / /opt/root; ln -s .. /opt/up; mkfifo /opt/fifo'
  sandbox rm hard
  eventually no_trace_of hard "$id"
}

@test "rm never follows a link out of the sandbox" {
  mkdir -p "$WORLD/precious"
  echo keep >"$WORLD/precious/file"
  box linker
  sandbox exec -u root linker sh -c "mkdir -p '$WORLD'; ln -s '$WORLD/precious' /opt/link; ln -s '$WORLD/precious' /home/agent/link"
  sandbox rm linker
  equal "$(cat "$WORLD/precious/file")" keep
}

# A home of this test's own, with one sandbox, is moved while no daemon is there.
moved_home() {
  local after=$WORLD/user-after-$1/.docker/sandboxes
  export SANDBOXES_HOME=$WORLD/user-before-$1/.docker/sandboxes
  share_templates "${SANDBOXD_TEMPLATES:-/tmp/sandboxd-e2e-cache/0}"
  box mover
  sandbox exec mover sh -c 'echo kept >~/file; echo kept | sudo tee /etc/kept >/dev/null'
  [[ $1 == running ]] || sandbox stop mover
  sandbox daemon stop
  mkdir -p "${after%/*}"
  mv "$SANDBOXES_HOME" "$after"
  export SANDBOXES_HOME=$after
}

@test "a home that was moved is no broken sandbox: what was stopped starts in the new place, with all it had" {
  moved_home stopped
  equal "$(status_of mover)" stopped
  run -0 --separate-stderr sandbox start mover
  run -0 sandbox exec mover cat /home/agent/file /etc/kept
  equal "$output" $'kept\nkept'
  equal "$(inspect mover .state_directory)" "$SANDBOXES_HOME/vm/mover"
  run ! grep -rqsF "user-before" "$SANDBOXES_HOME/vm/mover/metadata.json" "$SANDBOXES_HOME/vm/mover/machine.json"
  box another
  sandbox reset -f
  [[ -z $(ls "$SANDBOXES_HOME/vm") ]]
  sandbox daemon stop
}

@test "a sandbox that runs while its home is moved is found there, used, stopped and started again" {
  moved_home running
  equal "$(status_of mover)" running
  run -0 sandbox exec mover cat /home/agent/file
  equal "$output" kept
  sandbox stop mover
  run -0 sandbox exec mover cat /home/agent/file /etc/kept
  equal "$output" $'kept\nkept'
  sandbox reset -f
  [[ -z $(ls "$SANDBOXES_HOME/vm") ]]
  sandbox daemon stop
}

# bats test_tags=once
@test "reset asks, and no, silence and the end of input all mean no" {
  box survivor
  run --separate-stderr sandbox reset < <(echo n)
  says "(y/N)" "$output$stderr"
  ((status != 0))
  run sandbox reset < <(echo)
  run sandbox reset </dev/null
  equal "$(status_of survivor)" running
}

# bats test_tags=once
@test "reset, told yes, removes every sandbox and no workspace" {
  box first
  box second
  echo keep >"$(workspace_of first)/file"
  local id
  id=$(inspect first .id)
  run -0 sandbox reset < <(echo y)
  equal "$(sandbox ls -q)" ""
  equal "$(cat "$(workspace_of first)/file")" keep
  eventually no_trace_of first "$id"
  box third
  run -0 sandbox reset -f
  equal "$(sandbox ls -q)" ""
}

# bats test_tags=once
@test "rm --all and rm -f of nothing succeed" {
  run -0 sandbox rm --all
  run -0 sandbox rm -f nosuch
  run -2 sandbox rm
}

@test "the template is not changed by anything that sandboxes do to it" {
  local root before
  root=$(readlink -f "$SANDBOXES_HOME"/templates/layers/*/root | head -n 1)
  before=$(cd "$root" && find . -printf '%p %y %s %m %U %G %T@ %l\n' | sort | sha256sum)
  box vandal
  sandbox exec -u root vandal sh -c 'rm -rf /usr/share /etc/passwd; chmod 777 /bin/bash; echo x >>/usr/bin/env; chown 5:5 /usr/bin'
  sandbox stop vandal
  sandbox rm vandal
  equal "$(cd "$root" && find . -printf '%p %y %s %m %U %G %T@ %l\n' | sort | sha256sum)" "$before"
}
