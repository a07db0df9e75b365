// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { isError, SandboxError, type SandboxEvent } from "@sandboxd/sdk";

import { box, eventually, sandboxd, workspace } from "./world.js";

const sandbox = await box("boxes");

test("a sandbox that is there is listed and described", async () => {
  assert.ok((await sandboxd.list()).some(({ name }) => name === "boxes"));
  const info = await sandbox.info();
  assert.deepEqual([info.status, info.agent], ["running", "shell"]);
  assert.match((await sandboxd.version()).version, /^v\d/);
  assert.ok((await sandboxd.agents()).some(({ name }) => name === "claude"));
  assert.ok((await sandboxd.diskUsage("boxes")).sandboxes.some(({ name }) => name === "boxes"));
});

test("errors have a code and a message", async () => {
  const error = await sandboxd.sandbox("boxxes").info().catch((reason: unknown) => reason);
  assert.ok(error instanceof SandboxError && error instanceof Error);
  assert.equal(error.code, "not_found");
  assert.match(error.message, /boxxes/);
});

test("a name is one segment of a path, whatever is in it", async () => {
  for (const name of ["", ".", ".."]) await assert.rejects(async () => sandboxd.sandbox(name).remove(), /is no name/);
  for (const name of ["../version", "boxes/stop", "boxes?x=1", "boxes%2Fstop", "a\r\nb"])
    await assert.rejects(sandboxd.sandbox(name).info(), SandboxError);
  assert.equal((await sandbox.info()).status, "running");
});

test("the same key makes one sandbox", async () => {
  const directory = await workspace("once");
  const request = { agent: "shell", name: "once", workspaces: [{ source: directory, target: directory }] };
  const first = await sandboxd.create(request, { idempotencyKey: "made-once" });
  const second = await sandboxd.create(request, { idempotencyKey: "made-once" });
  assert.equal((await second.info()).id, (await first.info()).id);
  await assert.rejects(sandboxd.create(request), (error) => isError(error, "conflict"));
  await first.remove();
});

test("stop keeps what is in it, start brings it back, remove is final", async () => {
  const other = await box("other");
  await other.files.write("/home/agent/kept", "here");
  assert.equal((await other.stop(500)).status, "stopped");
  assert.equal((await other.start()).status, "running");
  assert.equal(await other.files.readText("/home/agent/kept"), "here");
  await assert.rejects(other.remove({ onlyIfStopped: true }), (error) => isError(error, "conflict"));
});

test("events tell what happens, in its order, until the signal", async () => {
  const controller = new AbortController();
  const seen: SandboxEvent[] = [];
  const listening = (async () => {
    for await (const event of sandboxd.events({ signal: controller.signal })) seen.push(event);
  })();
  // The first event shows that the daemon listens to us.
  await eventually(async () => (await sandbox.run(["true"]), seen.length > 0));
  await sandbox.run(["sh", "-c", "exit 4"]);
  await eventually(async () => seen.some(({ kind, detail }) => kind === "exec_exit" && detail["code"] === 4));
  controller.abort();
  await assert.rejects(listening, { name: "AbortError" });
});

test("files are written, read, listed, described", async () => {
  const { files } = sandbox;
  const name = "a b\n'\"$(touch pwned)-é";
  await sandbox.run(["mkdir", "-p", "/tmp/dir/sub"]);
  await files.write(`/tmp/dir/${name}`, "text", { mode: 0o600 });
  await files.write("/tmp/dir/-n", Buffer.from([0, 255, 10]));
  await sandbox.run(["ln", "-s", "nowhere", "/tmp/dir/link"]);
  assert.deepEqual((await files.list("/tmp/dir")).map(({ name, type, size, mode }) => [name, type, type === "file" && size, mode]), [
    ["-n", "file", 3, 0o644], [name, "file", 4, 0o600], ["link", "link", false, 0o777], ["sub", "directory", false, 0o755],
  ]);
  assert.equal(await files.readText(`/tmp/dir/${name}`), "text");
  assert.deepEqual([...(await files.read("/tmp/dir/-n"))], [0, 255, 10]);
  assert.equal((await files.stat("/tmp/dir/link")).type, "link");
  assert.equal((await files.stat("/tmp/dir/none")).exists, false);
  assert.deepEqual(await files.list("/tmp/dir/sub"), []);
});

test("a file that cannot be read or written says why", async () => {
  const { files } = sandbox;
  await assert.rejects(files.read("/tmp/none"), (error) => isError(error, "not_found") && error.message.includes("/tmp/none"));
  await assert.rejects(files.list("/tmp/none"), (error) => isError(error, "not_found"));
  await assert.rejects(files.read("/etc/shadow"), /Permission denied/);
  await assert.rejects(files.write("/tmp/none/file", "x"), (error) => isError(error, "not_found"));
  await assert.rejects(files.write("/etc/passwd", "x"), /Permission denied/);
  await assert.rejects(files.read(""), (error) => isError(error, "invalid"));
  await files.write("/etc/motd", "by root", { user: "root" });
  assert.equal(await files.readText("/etc/motd"), "by root");
});

test("a write replaces a link, and not what it leads to", async () => {
  await sandbox.run(["sh", "-c", "echo old >/tmp/target; ln -sf /tmp/target /tmp/pointer"]);
  await sandbox.files.write("/tmp/pointer", "new");
  assert.equal(await sandbox.files.readText("/tmp/target"), "old\n");
  assert.equal(await sandbox.files.readText("/tmp/pointer"), "new");
  assert.deepEqual((await sandbox.files.list("/tmp")).filter(({ name }) => name.startsWith("pointer.")), []);
});

test("a tree goes out as a tar archive and in again", async () => {
  await sandbox.run(["sh", "-c", "mkdir -p /tmp/tree/deep /tmp/copy; seq 100000 >/tmp/tree/deep/numbers"]);
  await sandbox.files.unpack("/tmp/copy", sandbox.files.pack("/tmp/tree"));
  assert.equal((await sandbox.run(["diff", "-r", "/tmp/tree", "/tmp/copy/tree"])).exit.code, 0);
  await assert.rejects(async () => { for await (const _ of sandbox.files.pack("/tmp/none")); }, (error) => isError(error, "not_found"));
});

test("the workspace is the same on both sides", async () => {
  const directory = (await sandbox.info()).workspaces[0]?.source ?? "";
  await sandbox.files.write(join(directory, "from-sandbox"), "hello");
  assert.equal(await readFile(join(directory, "from-sandbox"), "utf8"), "hello");
  await symlink("/etc/hostname", join(directory, "planted"));
  assert.notEqual(await sandbox.files.readText(join(directory, "planted")), await readFile("/etc/hostname", "utf8"));
});
