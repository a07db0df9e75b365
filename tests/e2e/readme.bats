#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
#
# Every command line of README.md, in its order. An agent needs its maker's servers, so it is the agent shell here.

load world

setup_file() {
  world_up
  mkdir -p "$HOME/project" "$HOME/library"
  git init -q "$HOME/project"
  mkdir "$WORLD/path"
  ln -s "$SANDBOXD_BIN/sandbox" "$WORLD/path/sandbox"
}

# Of the blocks that are shell, without what is said about them.
readme_lines() {
  awk '/^```sh$/ { shell = 1; next } /^```/ { shell = 0 } shell && NF' "$kSource/README.md" | sed -E 's/ +# .*$//'
}

# Lines that another test runs, or that are about the machine and not about us.
runs_elsewhere() {
  case $1 in
    'cmake --preset release -DSANDBOXD_TESTS=OFF' | 'cmake --build --preset release --target package') ;;  # ./test; package.bats
    'sudo apt install ./build/release/package/sandboxd_*.deb' | 'sudo apt purge sandboxd') ;;              # package.bats
    'sandbox setup') ;;                                                                                    # rough_edges.bats
    'systemctl --user disable --now sandboxd sandboxd-sandboxes') ;;                                       # hosts/package.bats
    './test') ;;                                                                                           # is what runs this
    *) return 1 ;;
  esac
}

# The same with the agent shell, and with a port that is free here.
adapted() {
  sed -e 's/\bclaude\b/shell/g' -e 's/-- -p "fix the tests"/-- -c "echo fixed"/' -e "s/3000:3000/$(free_port):3000/" <<<"$1"
}

@test "every command line of the README works, in its order" {
  local line count=0
  cd "$WORLD"
  while read -r line; do
    runs_elsewhere "$line" && continue
    count=$((count + 1))
    echo "\$ $line" >&2
    line=$(adapted "$line")
    if [[ $line == cd\ * ]]; then eval "$line"; continue; fi
    PATH=$WORLD/path:$PATH timeout 120 bash -c "$line" </dev/null >"$WORLD/said" 2>&1 3>&- || fail "failed: $line"$'\n'"$(cat "$WORLD/said")"
    remember_ids
  done < <(readme_lines)
  ((count >= 15)) || fail "only $count lines were found"
}

@test "what the README says of agents is what there is" {
  local agent
  for agent in $(sandbox __complete run '' | sed -n 's/\tagent$//p'); do
    grep -q "\`$agent\`" "$kSource/README.md" || fail "README.md does not name $agent"
  done
}

@test "the picture of the README is there, and shows commands that there are" {
  local picture
  picture=$(sed -n 's/^!\[.*\](\(docs\/.*\.svg\))$/\1/p' "$kSource/README.md")
  [[ -n $picture ]]
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$kSource/$picture"
  grep -q 'sandbox run' "$kSource/$picture"
}
