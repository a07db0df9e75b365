#!/usr/bin/env bats
# Copyright 2026 The sandboxd authors.
# SPDX-License-Identifier: Apache-2.0
# The directories that a microVM shares with the host: one file system, seen by two kernels at once.

load world

setup_file() {
  world_up
  mkdir -p "$WORLD/lib" "$WORLD/frozen" "$WORLD/ws-box"
  echo frozen >"$WORLD/frozen/file"
  echo one >"$WORLD/single"
  sandbox create -q --name box --cpus 1 --memory 512m -v "$WORLD/single:/etc/single" -v "$WORLD/frozen:/frozen-volume:ro" \
    shell "$WORLD/ws-box" "$WORLD/lib" "$WORLD/frozen:ro"
  sandbox start box
  remember_ids
}

setup() { WS=$(workspace_of box); }

guest() { sandbox exec box "$@"; }
as_privileged() { sandbox exec -u root --privileged box "$@"; }
in_python() { sandbox exec -i box python3 - "$@"; }

@test "1,000 files from each side at once are all there on both, whole" {
  mkdir "$WS/both"
  guest sh -c 'cd both && for i in $(seq 1000); do echo "guest $i" >"guest-$i"; done' &
  local writer=$!
  for i in $(seq 1000); do echo "host $i" >"$WS/both/host-$i"; done
  wait "$writer"
  equal "$(ls "$WS/both" | wc -l) $(guest sh -c 'ls both | wc -l')" "2000 2000"
  local sum
  sum=$(cd "$WS/both" && cat guest-* host-* | sort | sha256sum)
  equal "$(guest sh -c 'cd both && cat guest-* host-* | sort | sha256sum')" "$sum"
  equal "$(cat "$WS"/both/guest-* | sort -u | wc -l) $(cat "$WS"/both/host-* | sort -u | wc -l)" "1000 1000"
  rm -r "$WS/both"
}

# 100 ms are what is promised; the guest has looked right before, so that it has something old to remember.
a_tenth_later() { sleep 0.1; }

@test "what the host creates, changes and removes shows in the guest 100 ms later" {
  run ! guest ls "$WS/news"
  echo first >"$WS/news"
  a_tenth_later
  equal "$(guest cat news)" first
  echo "second, and longer" >"$WS/news"
  a_tenth_later
  equal "$(guest sh -c 'cat news; stat -c %s news')" $'second, and longer\n19'
  printf 'same length, again\n' >"$WS/news"
  a_tenth_later
  equal "$(guest cat news)" "same length, again"
  echo other >"$WS/replacement"
  mv "$WS/replacement" "$WS/news"
  a_tenth_later
  equal "$(guest cat news)" other
  chmod 600 "$WS/news"
  a_tenth_later
  equal "$(guest stat -c %a news)" 600
  rm "$WS/news"
  a_tenth_later
  run ! guest ls news
}

@test "a program that keeps looking sees what the host creates, changes and removes within 100 ms" {
  in_python "$WS" <<'PY' >"$WORLD/watcher" &
import os, sys
path = sys.argv[1] + "/watched"
def look():
    try:
        with open(path) as f: return f.read()
    except FileNotFoundError:
        return None
last = "nothing yet"
while last != "end":
    seen = look()
    if seen != last: print(repr(seen), flush=True)
    last = seen
PY
  local watcher=$!
  eventually grep -qx None "$WORLD/watcher"
  for text in first second "a longer third"; do
    printf '%s' "$text" >"$WS/watched.new"
    mv "$WS/watched.new" "$WS/watched"
    a_tenth_later
    equal "$(guest cat watched)" "$text"
    eventually grep -qx "'$text'" "$WORLD/watcher"
  done
  rm "$WS/watched"
  eventually is_last "$WORLD/watcher" None
  printf end >"$WS/watched"
  wait "$watcher"
}
is_last() { [[ $(tail -n 1 "$1") == "$2" ]]; }

@test "what the guest creates, changes and removes is at once the host's" {
  guest sh -c 'echo first >mine'
  equal "$(cat "$WS/mine")" first
  guest sh -c 'echo more >>mine; chmod 640 mine'
  equal "$(cat "$WS/mine")" $'first\nmore'
  equal "$(stat -c %a "$WS/mine")" 640
  guest rm mine
  [[ ! -e $WS/mine ]]
}

@test "a file that the guest holds open gets what the host appends" {
  echo begin >"$WS/growing"
  in_python <<'PY' >"$WORLD/tail" &
import time
f = open("growing")
while True:
    line = f.readline()
    if line: print(line, end="", flush=True)
    if line == "end\n": break
PY
  local reader=$!
  eventually grep -q begin "$WORLD/tail"
  echo middle >>"$WS/growing"
  eventually grep -q middle "$WORLD/tail"
  echo end >>"$WS/growing"
  wait "$reader"
}

@test "inotify in the guest tells of changes made in the guest" {
  run -0 in_python <<'PY'
import ctypes, os, struct
libc = ctypes.CDLL(None)
watch = libc.inotify_init()
os.mkdir("inotify")
libc.inotify_add_watch(watch, b"inotify", 0x100 | 0x2 | 0x200 | 0x80)  # create, modify, delete, moved to
with open("inotify/a", "w") as f: f.write("x")
os.rename("inotify/a", "inotify/b")
os.remove("inotify/b")
os.rmdir("inotify")
events, offset = os.read(watch, 4096), 0
while offset < len(events):
    _, mask, _, length = struct.unpack_from("iIII", events, offset)
    print(mask, events[offset + 16:offset + 16 + length].rstrip(b"\0").decode())
    offset += 16 + length
PY
  says $'256 a\n2 a\n'
  says $'128 b\n512 b'
}

@test "hard links, renames, locks, shared mappings, sparse files, times and long names work in it" {
  run -0 in_python <<'PY'
import errno, fcntl, mmap, os
os.mkdir("odd")
os.chdir("odd")
def done(name, holds): print(name, "yes" if holds else "NO")

with open("file", "w") as f: f.write("content")
os.link("file", "hard")
done("hard link", os.stat("hard").st_nlink == 2 and os.path.samefile("file", "hard"))
os.rename("file", "renamed")
os.rename("renamed", "hard2")
done("rename", sorted(os.listdir()) == ["hard", "hard2"])
os.mkdir("d1"); os.mkdir("d2"); open("d1/x", "w").close()
try:
    os.rename("d2", "d1")
    done("rename over a full directory", False)
except OSError as e:
    done("rename over a full directory is refused", e.errno in (errno.ENOTEMPTY, errno.EEXIST))

with open("mapped", "w+b") as f:
    f.truncate(8192)
    with mmap.mmap(f.fileno(), 8192) as m:
        m[0:5] = b"hello"; m[8187:8192] = b"world"
        m.flush()
    f.seek(0)
    text = f.read()
done("shared mapping", text[:5] == b"hello" and text[-5:] == b"world")

first, second = open("lock", "w"), open("lock", "w")
fcntl.flock(first, fcntl.LOCK_EX)
try:
    fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    done("flock", False)
except BlockingIOError:
    done("flock", True)
fcntl.lockf(first, fcntl.LOCK_EX)
if os.fork() == 0:
    try:
        fcntl.lockf(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os._exit(1)
    except OSError:
        os._exit(0)
done("fcntl lock", os.wait()[1] == 0)

with open("sparse", "wb") as f:
    f.seek(1 << 30); f.write(b"x")
done("sparse file", os.stat("sparse").st_size == (1 << 30) + 1 and os.stat("sparse").st_blocks < 100)
os.utime("sparse", ns=(1_000_000_001, 2_000_000_003))
done("times", os.stat("sparse").st_mtime_ns == 2_000_000_003)
name = "n" * 255
open(name, "w").close()
done("long name", name in os.listdir())
try:
    open(name + "n", "w")
    done("too long a name", False)
except OSError as e:
    done("too long a name is refused", e.errno == errno.ENAMETOOLONG)
open("Case", "w").close(); open("case", "w").close()
done("case", {"Case", "case"} <= set(os.listdir()))
odd = b"\xff\xfe odd\n"
open(odd, "w").close()
done("a name that is not text", odd in os.listdir(b"."))
with open("gone", "w+") as f:
    f.write("still"); f.flush()
    os.remove("gone")
    f.seek(0)
    done("a removed file that is open", f.read() == "still")
os.symlink("nowhere", "dangling")
done("symbolic link", os.readlink("dangling") == "nowhere" and not os.path.exists("dangling"))
os.mkfifo("fifo")
done("fifo", os.path.exists("fifo"))
directory = os.open(".", os.O_RDONLY); os.fsync(directory)
done("fsync of a directory", True)
PY
  says_not NO
  says "fsync of a directory yes"
  equal "$(stat -c '%s %y' "$WS/odd/sparse" | cut -c1-10)" 1073741825
  (($(stat -c %b "$WS/odd/sparse") < 100))
  [[ -e $WS/odd/Case && -e $WS/odd/case && -L $WS/odd/dangling ]]
  rm -r "$WS/odd"
}

@test "10,000 files in one directory are all there, on both sides" {
  mkdir "$WS/many"
  (cd "$WS/many" && seq 9900 | xargs touch)
  guest sh -c 'cd many && seq 9901 10000 | xargs touch'
  equal "$(ls -U "$WS/many" | sort -n | sha256sum)" "$(seq 10000 | sha256sum)"
  equal "$(guest sh -c 'ls -U many | sort -n | sha256sum')" "$(seq 10000 | sha256sum)"
  rm -r "$WS/many"
}

@test "git works in it: init, commit, status, and the host's git sees the same" {
  guest sh -c 'mkdir repo && cd repo && git init -q . && git config user.email a@b && git config user.name a &&
    for i in $(seq 100); do echo "$i" >"file $i"; done && git add . && git commit -qm one'
  equal "$(guest git -C repo status --porcelain)" ""
  equal "$(git -c safe.directory='*' -C "$WS/repo" status --porcelain)" ""
  echo changed >"$WS/repo/file 7"
  a_tenth_later
  equal "$(guest git -C repo status --porcelain)" ' M "file 7"'
  guest git -C repo fsck --strict
  guest rm -rf repo
}

@test "extra workspaces and single files are where they belong, and writable" {
  guest sh -c "echo from-guest >'$WORLD/lib/file'; echo two >>/etc/single"
  equal "$(cat "$WORLD/lib/file")" from-guest
  equal "$(cat "$WORLD/single")" $'one\ntwo'
  echo three >>"$WORLD/single"
  a_tenth_later
  equal "$(guest tail -n 1 /etc/single)" three
}

@test ":ro is kept by the host, whatever the guest's root does to its mounts" {
  for path in "$WORLD/frozen" /frozen-volume; do
    run as_privileged sh -c "
      umask 0; mount -o remount,rw '$path' && echo remounted; mount -o remount,bind,rw '$path' && echo remounted
      echo changed >'$path/file'; touch '$path/new'; mkdir '$path/dir'; rm '$path/file'; chmod 777 '$path/file' '$path'
      ln -s x '$path/link'; mknod '$path/fifo' p; truncate -s 0 '$path/file'; echo tried"
    says remounted  # or nothing was tried
    says tried
    equal "$(cat "$WORLD/frozen/file") $(ls -A "$WORLD/frozen") $(stat -c %a "$WORLD/frozen/file")" "frozen file 644"
  done
}

# The file server holds a descriptor for each file that the guest's kernel remembers.
@test "a tree with more files than the host may hold open can be read from end to end" {
  box tree --cpus 1 -m 512m
  sandbox stop tree >/dev/null
  sandbox daemon stop
  (ulimit -n 2000 && sandbox start tree >/dev/null)
  mkdir "$(workspace_of tree)"/d{1..30}
  for directory in "$(workspace_of tree)"/*; do
    for number in {1..100}; do echo x >"$directory/$number"; done
  done
  run -0 sandbox exec tree sh -c 'find . -type f -exec cat {} + | wc -c'
  equal "$output" 6000
  sandbox rm tree >/dev/null
  sandbox daemon stop  # the next one has its limits back
}
