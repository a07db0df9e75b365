#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
#
# cmake --build --preset release --target package: what is in the .deb, and that it installs, works and is purged. The
# system that it is installed into is the template of sandboxes, under an overlay.

bats_require_minimum_version 1.5.0

setup_file() {
  export PACKAGE_DIR="$BATS_FILE_TMPDIR/package" TREE="$BATS_FILE_TMPDIR/tree" SOURCE
  SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  cpack --config "$SANDBOXD_BUILD_DIR/CPackConfig.cmake" -B "$PACKAGE_DIR"
  export DEB
  DEB=$(echo "$PACKAGE_DIR"/*.deb)
  mkdir "$TREE"
  dpkg-deb -x "$DEB" "$TREE"
}

field() { dpkg-deb -f "$DEB" "$1"; }

@test "the package is named by its version and architecture" {
  [ "${DEB##*/}" = "sandboxd_$(field Version)_$(dpkg --print-architecture).deb" ]
  [[ "$(field Version)" == 0.* ]]
  [[ "$(field Description)" == "sandboxes for coding agents"* ]]
}

@test "it depends on what packages/debian.txt says that it needs, and on its libraries" {
  depends=", $(field Depends),"
  entries=$(sed -n '/^\[run\]/,/^\[/p' "$SOURCE/packages/debian.txt" | sed '/^\[/d;/^#/d;/^$/d')
  [ -n "$entries" ]
  for entry in $entries; do
    [[ "$depends" == *", ${entry//|/ | },"* ]] || { echo "missing: $entry"; false; }
  done
  command -v dpkg-shlibdeps || skip "dpkg-dev is not installed"
  [[ "$depends" == *", libc6 (>= "* && "$depends" == *", libstdc++6 (>= "* ]]
}

@test "everything is below /usr, root's, readable and without special rights" {
  run -1 grep -vE '^[-dl][rwx-]{9} root/root +[0-9]+ [^ ]+ [^ ]+ \./(usr/.*|usr)?$' < <(dpkg-deb -c "$DEB")
  run -0 find "$TREE" -type f ! -perm -444
  [ -z "$output" ]
  run -0 find "$TREE" -type d ! -perm 755
  [ -z "$output" ]
}

@test "programs, plugin, units, completions, manual pages and the licence are there" {
  for file in bin/sandbox libexec/sandboxd/{sandboxd,sandbox-shim,sandbox-init,sandbox-layer,fetch-kernel}; do
    [ -x "$TREE/usr/$file" ] || { echo "missing: $file"; false; }
  done
  [ "$(readlink "$TREE/usr/lib/docker/cli-plugins/docker-sandbox")" = ../../../bin/sandbox ]
  [ "$(readlink "$TREE/usr/bin/secrets")" = sandbox ]
  grep -qx 'ExecStart=/usr/libexec/sandboxd/sandboxd' "$TREE/usr/lib/systemd/user/sandboxd.service"
  for file in bash-completion/completions/sandbox zsh/site-functions/_sandbox fish/vendor_completions.d/sandbox.fish \
    doc/sandboxd/copyright man/man1/sandbox.1.gz man/man1/sandbox-run.1.gz man/man1/sandbox-network-proxy.1.gz; do
    [ -s "$TREE/usr/share/$file" ] || { echo "missing: $file"; false; }
  done
}

@test "no path of the machine that built it is in a text of the package" {
  run -1 grep -rIlF -e "$SANDBOXD_BUILD_DIR" -e "$SOURCE" "$TREE/usr"
}

@test "every command has a manual page that names it and its options" {
  for command in run create exec prune 'system df' 'network check'; do
    page="$TREE/usr/share/man/man1/sandbox-${command// /-}.1.gz"
    zcat "$page" | grep -q "^\.SH SYNOPSIS"
    zcat "$page" | grep -qF "sandbox ${command}" || { echo "$command"; false; }
  done
  zcat "$TREE/usr/share/man/man1/sandbox-run.1.gz" | grep -qF 'idle\-stop'
  # A page with a request that groff does not know, or a line that begins like one, is shown with holes.
  command -v groff >/dev/null || skip "groff is not installed"
  for page in "$TREE"/usr/share/man/man1/*.gz; do
    [ -z "$(zcat "$page" | groff -man -Tutf8 -ww 2>&1 >/dev/null)" ] || { echo "$page"; false; }
  done
}

@test "it installs into a Debian system, runs there, and purges without a trace, but for what is the users'" {
  [ "$EUID" -eq 0 ] || skip "needs root to mount"
  layer=$(ls -d "$SANDBOXD_TEMPLATES"/layers/*/root/usr/bin/dpkg | head -n 1)
  layer=${layer%/usr/bin/dpkg}
  mkdir "$BATS_TEST_TMPDIR"/{disk,system}
  run -0 unshare --mount --propagation private sh -euc '
    layer=$1 disk=$2 system=$3 deb=$4
    mount -t tmpfs none "$disk"
    mkdir "$disk/upper" "$disk/work"
    mount -t overlay -o "lowerdir=$layer,upperdir=$disk/upper,workdir=$disk/work" none "$system"
    mkdir -p "$system/root/.docker/sandboxes/vm/box"
    cp "$deb" "$system/sandboxd.deb"
    # Its dependencies are not in this system: they are what apt is for.
    chroot "$system" dpkg --force-depends -i /sandboxd.deb 2>&1
    echo "says: $(chroot "$system" sandbox version)"
    chroot "$system" sandbox run --help | head -n 1
    chroot "$system" dpkg --purge sandboxd 2>&1
    for path in usr/bin/sandbox usr/libexec/sandboxd usr/share/doc/sandboxd var/lib/dpkg/info/sandboxd.list; do
      [ ! -e "$system/$path" ] || { echo "left: $path"; exit 1; }
    done
    [ -d "$system/root/.docker/sandboxes/vm/box" ]
  ' _ "$layer" "$BATS_TEST_TMPDIR/disk" "$BATS_TEST_TMPDIR/system" "$DEB"
  [[ "$output" == *"says: "*" v$(field Version) "* ]]
  [[ "$output" == *"Usage:  sandbox run"* ]]
  [[ "$output" == *"users are left where they are: ~/.docker/sandboxes and ~/.sandboxd"* ]]
}
