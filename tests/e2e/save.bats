#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# Templates made of sandboxes: what was changed is in them, what is the sandbox's own is not, and everything that knows
# images can use them.

load registry
load docker

setup_file() {
  world_up
  own_templates
  box box
  echo "of the workspace" >"$(workspace_of box)/precious"
  sandbox exec box sh -ec '
    echo hello >~/hello
    sudo rm -r /etc/issue /usr/share/doc
    sudo mkdir -p /opt/tool
    echo tool | sudo tee /opt/tool/one >/dev/null
    sudo ln /opt/tool/one /opt/tool/two
    sudo ln -s one /opt/tool/link
    sudo chown 1000:27 /opt/tool/one
    sudo chmod 2751 /opt/tool
    echo secret >/tmp/scratch'
  sandbox save -q box saved:1
}

kOther=$(on_microvm && echo container || echo microvm)
# A python in the guest sets what `setcap cap_net_raw+ep` would.
kSetCapability='import os; os.setxattr("/opt/tool/cap", "security.capability", bytes.fromhex("0100000200200000") + bytes(12))'

layers_here() { ls "$SANDBOXES_HOME/templates/layers"; }
name_file() { echo "$SANDBOXES_HOME/templates/names/docker.io%2Flibrary%2F$1"; }
image_of() { jq -r .image "$(name_file "$1")"; }
config_of() { cat "$SANDBOXES_HOME/templates/images/$(image_of "$1" | cut -d: -f2).json"; }
top_layer_of() { config_of "$1" | jq -r '.rootfs.diff_ids[-1]' | cut -d: -f2; }
layer_files() { (cd "$SANDBOXES_HOME/templates/layers/$(top_layer_of "$1")/root" && find . -mindepth 1 -printf '%P\n' | LC_ALL=C sort); }
no_scratch() { [[ -z $(ls -d "$SANDBOXES_HOME"/templates/tmp-* 2>/dev/null) ]]; }
states_in() { sandbox exec "$1" sh -c 'ps -eo stat,args | grep [s]leep | cut -c1'; }

has_changes() {
  run -0 sandbox exec "$1" sh -c '
    cat ~/hello; ls -d /etc/issue /usr/share/doc 2>/dev/null
    stat -c "%U:%G %a %h %n" /opt/tool /opt/tool/one; readlink /opt/tool/link; ls /tmp/scratch 2>/dev/null; cat /etc/hostname'
  equal "$output" "hello
root:root 2751 2 /opt/tool
agent:sudo 644 2 /opt/tool/one
one
$1"
}

@test "what was changed in a running sandbox is in a sandbox from its template: files, owners, links, and what is gone" {
  box again -t saved:1
  has_changes again
  equal "$(config_of saved:1 | jq -r '.history[-1].created_by')" "sandbox save box"
  equal "$(inspect again .template)" saved:1
}

@test "and on the other backend" {
  box other -t saved:1 --backend "$kOther" --memory 512m
  has_changes other
  sandbox rm other >/dev/null
}

@test "its own name, authority, mounts and /tmp are not in the template, nor is anything else that was not changed" {
  run -0 layer_files saved:1
  says_not tmp
  says_not etc/ho
  says_not etc/resolv.conf
  says_not certs
  says_not "$(basename "$(workspace_of box)")"
  equal "$output" "etc
etc/issue
home
home/agent
home/agent/.sudo_as_admin_successful
home/agent/hello
opt
opt/tool
opt/tool/link
opt/tool/one
opt/tool/two
usr
usr/share
usr/share/doc"
  local root
  root=$SANDBOXES_HOME/templates/layers/$(top_layer_of saved:1)/root
  run -1 grep -rF -e "of the workspace" -e secret "$root"
  run -1 grep -rF "$(sed -n 2p "$SANDBOXES_HOME/vm/box/proxy_cacerts/proxy-ca.crt")" "$root"
}

@test "a sandbox in which nothing was changed gives its template one more name" {
  box fresh
  sandbox save -q fresh fresh:1
  equal "$(image_of fresh:1)" "$(jq -r .image "$SANDBOXES_HOME/templates/names/shell")"
}

@test "a store of authorities that was changed is saved without the sandbox's own" {
  box store
  sandbox exec -u root store sh -c 'cat /etc/ssl/certs/proxy-ca.pem >>/etc/ssl/certs/ca-certificates.crt; echo "# mine" >>/etc/ssl/certs/ca-certificates.crt'
  sandbox save -q store store:1
  equal "$(layer_files store:1)" $'etc\netc/ssl\netc/ssl/certs\netc/ssl/certs/ca-certificates.crt'
  local saved own
  saved=$SANDBOXES_HOME/templates/layers/$(top_layer_of store:1)/root/etc/ssl/certs/ca-certificates.crt
  own=$(sed -n 2p "$SANDBOXES_HOME/vm/store/proxy_cacerts/proxy-ca.crt")
  run -1 grep -cF "$own" "$saved"
  equal "$(tail -n 1 "$saved")" "# mine"
  sandbox rm store >/dev/null
}

@test "one that is stopped is saved as well, and is stopped afterwards; what it changed later is one layer, too" {
  box later -t saved:1
  sandbox exec later sh -c 'sudo rm /opt/tool/two; echo later >~/later'
  sandbox stop later >/dev/null
  sandbox save -q later saved:2
  has_status later stopped
  equal "$(config_of saved:2 | jq '.rootfs.diff_ids | length')" 3
  box latest -t saved:2
  equal "$(sandbox exec latest sh -c 'cat ~/hello ~/later; sudo ls /opt/tool')" $'hello\nlater\nlink\none'
  sandbox rm later latest >/dev/null
}

@test "programs that run stand still for the copy and go on; those that stood still before do not" {
  box busy
  sandbox exec -d busy sleep 9000
  sandbox exec -d busy sh -c 'sleep 9001 & kill -STOP $!; wait'
  both_started() { [[ $(states_in busy | sort | xargs) == *S*T* ]]; }
  eventually both_started
  # Writes pairs of files, as long as it runs: a copy of a moment has at most one that is alone.
  sandbox exec -d busy python3 -c '
import itertools, os
os.chdir("/home/agent")
for i in itertools.count():
    open("a", "w").write(str(i)); open("b", "w").write(str(i))'
  writes() { sandbox exec busy test -s /home/agent/b; }
  eventually writes
  sandbox save -q busy busy:1
  both_started
  local root before a b
  root=$SANDBOXES_HOME/templates/layers/$(top_layer_of busy:1)/root/home/agent
  a=$(cat "$root/a") b=$(cat "$root/b")
  [[ -z $a || -z $b ]] || ((a - b == 0 || a - b == 1)) || fail "it did not stand still: $a $b"
  before=$(sandbox exec busy cat /home/agent/a)
  goes_on() { [[ $(sandbox exec busy cat /home/agent/a) != "$before" ]]; }
  eventually goes_on
  sandbox rm busy >/dev/null
}

@test "a shell whose program stands still for the copy does not take the terminal from it" {
  PYTHONPATH=$BATS_TEST_DIRNAME timeout 100 python3 -B - 3>&- <<'PY'
from terminal import *
t = Terminal(SANDBOX, "exec", "-it", "box", "bash", "--norc")
t.shell()
t.type("echo ready; cat; jobs; echo over $?\n")
t.expect("ready\r\n")
for n in (1, 2, 3):
    sandbox("save", "-q", "box", f"terminal:{n}")
    t.type(f"still {n}\n")
    t.expect(f"still {n}\r\n")
t.type("\x04")
t.expect(r"\Aover 0\r\n")
t.type("exit\n")
equal(t.wait(), 0)
PY
}

@test "capabilities of programs are kept" {
  box caps
  sandbox exec -u root --privileged caps sh -c "mkdir /opt/tool; cp /bin/true /opt/tool/cap; python3 -c '$kSetCapability'"
  sandbox save -q caps caps:1
  box capped -t caps:1
  matches '^01000002002000000000000000000000' \
    "$(sandbox exec -u root capped python3 -c 'import os; print(os.getxattr("/opt/tool/cap", "security.capability").hex())')"
  sandbox rm caps capped >/dev/null
}

@test "the same changes are the same layer" {
  sandbox save -q again twice:1
  sandbox save -q again twice:2
  equal "$(image_of twice:1)" "$(image_of twice:2)"
}

# bats test_tags=container
@test "of a disk that is an image: running and stopped" {
  box bounded --disk 256m
  matches '^(project quota|loop image)$' "$(inspect bounded .limits.disk_bound)"
  sandbox exec bounded sh -c 'echo bounded >~/bounded'
  sandbox save -q bounded bounded:1
  sandbox stop bounded >/dev/null
  sandbox save -q bounded bounded:2
  equal "$(top_layer_of bounded:1)" "$(top_layer_of bounded:2)"
  equal "$(layer_files bounded:1)" $'home\nhome/agent\nhome/agent/bounded'
  run -1 grep -F "$SANDBOXES_HOME/vm/bounded" /proc/self/mountinfo
  sandbox rm bounded >/dev/null
}

# bats test_tags=once
@test "what it says; a name that is none, a sandbox that is none, and our own templates' names are refused" {
  run -0 --separate-stderr sandbox save box org/said:1
  equal "$output" "✓ Saved sandbox as org/said:1"
  run -0 --separate-stderr sandbox save -q box said
  equal "$output" said:latest
  run -0 --separate-stderr sandbox save --json box said
  equal "$(jq -r '.name + " " + .digest[:7]' <<<"$output")" "said:latest sha256:"
  run -2 --separate-stderr sandbox save box 'No Name'
  is_error
  run -125 --separate-stderr sandbox save nosuch tag
  is_error 'sandbox "nosuch" not found'
  run -2 --separate-stderr sandbox save box shell
  is_error "a template of our own"
  run -2 --separate-stderr sandbox save box
  is_error
  equal "$(api POST /sandboxes/box/save -d '{"tag": ""}' | jq -r .error.code)" invalid
  equal "$(api POST /sandboxes/box/save -d '{"tag": "api:1"}' | jq -r .name)" api:1
}

# bats test_tags=once
@test "-o writes what docker load takes: a real dockerd runs it" {
  cd "$WORLD"
  sandbox save -q -o box.tar box my/box:1
  docker_up
  teardown() { docker_down; }
  run -0 docker load -i box.tar
  says "Loaded image: my/box:1"
  equal "$(sandbox template save --json -o again.tar my/box:1 | jq -r '.names[0]')" my/box:1
  cmp box.tar again.tar
  rm again.tar
  run -0 docker run --rm --network none --user 1000 my/box:1 sh -c 'cat ~/hello; ls /etc/issue /usr/share/doc 2>/dev/null; stat -c "%u:%g %a %h" /opt/tool/one; cat /etc/ssl/certs/proxy-ca.pem 2>/dev/null || true'
  equal "$output" $'hello\n1000:27 644 2'
  rm box.tar
}

# bats test_tags=once
@test "-o: standard output; a file is whole or not there; a link of that name is replaced, not followed" {
  cd "$WORLD"
  sandbox save -o - box out:1 | tar t >listing
  equal "$(head -n 1 listing)" manifest.json
  echo precious >target
  ln -s target link.tar
  sandbox save -q -o link.tar box out:1
  equal "$(cat target)" precious
  [[ -f link.tar && ! -L link.tar ]]
  run -125 --separate-stderr sandbox save -q -o nosuch/box.tar box out:1
  is_error nosuch
  run -2 --separate-stderr sandbox save -q -o "$WORLD" box out:1
  is_error "is a directory"
  run -2 --separate-stderr sandbox template save --json out:1
  is_error "both want standard output"
  rm link.tar
  run -1 compgen -G '.*.tar.*'
}

# bats test_tags=once
@test "a daemon that is killed in the middle: the programs go on, the next one saves, and nothing is left over" {
  box killed
  sandbox exec -d killed sleep 9000
  local point before
  for point in save.held images.unpacked save.layer images.extended; do
    sandbox daemon stop
    SANDBOXD_FAULT=$point sandbox daemon start >/dev/null
    before=$(daemon_pid)
    sandbox exec killed sh -c "echo $point >~/k"
    run -0 --separate-stderr sandbox save -q killed "killed:${point//./-}"
    [[ $(daemon_pid) != "$before" ]] || fail "the daemon was not killed at $point"
    equal "$(layer_files "killed:${point//./-}")" $'home\nhome/agent\nhome/agent/k'
    goes() { [[ $(states_in killed) == S ]]; }
    eventually goes
    eventually no_scratch
  done
  # And without one that asks again.
  sandbox daemon stop
  SANDBOXD_FAULT=save.held sandbox daemon start >/dev/null
  run api POST /sandboxes/killed/save -d '{"tag": "never:1"}'
  eventually no_daemon
  sandbox daemon start >/dev/null
  eventually goes
  [[ ! -e $(name_file never:1) ]]
  sandbox rm killed >/dev/null
}

@test "a full disk of the host's is said, and nothing is left over" {
  local before
  before=$(layers_here)
  mkdir "$WORLD/small"
  mount -t tmpfs -o size=1100m none "$WORLD/small"
  cp -a "$SANDBOXES_HOME/templates" "$WORLD/small/templates"
  mv "$SANDBOXES_HOME/templates" "$WORLD/whole"
  ln -s "$WORLD/small/templates" "$SANDBOXES_HOME/templates"
  run --separate-stderr sandbox save -q box full:1
  rm "$SANDBOXES_HOME/templates"
  mv "$WORLD/whole" "$SANDBOXES_HOME/templates"
  umount "$WORLD/small"
  equal "$status" 125
  is_error "free for templates"
  equal "$(layers_here)" "$before"
  run -0 sandbox exec box echo alive
}
