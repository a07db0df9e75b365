# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Packages of npm for the tests of sdk/, in the build directory, where they stay for the next run.

# from_npm DIRECTORY PACKAGE_JSON LOCK: what a lock file names. A copy that is half made is made anew.
from_npm() {
  cmp -s "$3" "$1/installed.json" && return 0
  rm -rf "$1"
  mkdir -p "$1"
  cp "$2" "$3" "$1"
  (cd "$1" && npm_quietly ci) || return 1
  cp "$3" "$1/installed.json"
}

# node_from_npm VERSION: prints the path of that Node.js.
node_from_npm() {
  local package directory=$SDK_BUILD/node-$1
  package=node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
  local program=$directory/node_modules/$package/bin/node
  [[ -x $program ]] || {
    mkdir -p "$directory"
    echo '{"private": true}' >"$directory/package.json"
    (cd "$directory" && npm_quietly install "$package@$1") || return 1
  }
  echo "$program"
}

# package_of DIRECTORY PACKAGE: there, from npm.
package_of() {
  [[ ! -e $1/installed ]] || return 0
  mkdir -p "$1"
  echo '{"private": true}' >"$1/package.json"
  (cd "$1" && npm_quietly install "$2") || return 1
  touch "$1/installed"
}

npm_quietly() { npm "$@" --no-audit --no-fund --no-update-notifier --loglevel=error >&2; }
