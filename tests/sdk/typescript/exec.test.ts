// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { isError, type OutputPosition } from "@sandboxd/sdk";

import { box, eventually, sandboxd } from "./world.js";

const sandbox = await box("exec");

test("output, standard error and the exit code are told apart", async () => {
  const { exit, stdout, stderr } = await sandbox.run(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  assert.deepEqual([exit, `${stdout}`, `${stderr}`], [{ code: 3 }, "out\n", "err\n"]);
});

test("environment, directory and user are the caller's to choose", async () => {
  const options = { environment: { WORD: "a b" }, directory: "/etc", user: "root" };
  const { stdout } = await sandbox.run(["sh", "-c", 'echo "$WORD" "$PWD" $(id -u)'], options);
  assert.equal(`${stdout}`, "a b /etc 0\n");
});

test("a program that is not there ends with 127 and why", async () => {
  const { exit } = await sandbox.run(["no-such-program"]);
  assert.equal(exit.code, 127);
  assert.match(exit.error ?? "", /no-such-program/);
});

test("standard input is what it is given, whole, and then its end", async () => {
  const bytes = Buffer.alloc(3 << 20, "0123456789abcdef");
  const { stdout } = await sandbox.run(["sha256sum"], { stdin: bytes });
  assert.equal(`${stdout}`.split(" ")[0], createHash("sha256").update(bytes).digest("hex"));
  assert.equal(`${(await sandbox.run(["cat"])).stdout}`, "", "without it, nothing");
});

test("the caller writes to standard input while output comes", async () => {
  const cat = await sandbox.exec(["cat"], { stdin: true });
  cat.stdin.write("one\n");
  assert.equal(`${(await cat.stdout[Symbol.asyncIterator]().next()).value}`, "one\n");
  cat.stdin.end();
  assert.deepEqual(await cat.exit, { code: 0 });
});

test("a program that does not read its input can end", async () => {
  const { exit } = await sandbox.run(["true"], { stdin: Buffer.alloc(4 << 20) });
  assert.equal(exit.code, 0);
});

test("output that is not read stops the program, and is all there later", async () => {
  const yes = await sandbox.exec(["sh", "-c", "head -c 8388608 /dev/zero; touch /tmp/written"]);
  await yes.opened;
  await sandbox.run(["sleep", "0.3"]);
  assert.equal((await sandbox.files.stat("/tmp/written")).exists, false);
  const { exit, stdout } = await yes.output();
  assert.deepEqual([exit.code, stdout.length], [0, 8388608]);
});

test("signals reach the program's process group", async () => {
  const script = "trap 'echo caught; exit 7' TERM; echo ready; sleep 1000 & wait";
  const execution = await sandbox.exec(["sh", "-c", script]);
  await execution.stdout[Symbol.asyncIterator]().next();
  const another = await sandbox.exec(["sleep", "1001"]);
  await another.opened;
  execution.kill("SIGTERM");
  another.kill("SIGKILL");
  assert.equal((await execution.exit).code, 7);
  assert.deepEqual(await another.exit, { code: 137, signal: 9 });
});

test("an abort kills the program and is thrown", async () => {
  const controller = new AbortController();
  const execution = await sandbox.exec(["sh", "-c", "sleep 1234 & sleep 1234"], { signal: controller.signal });
  await execution.opened;
  controller.abort(new Error("enough"));
  await assert.rejects(execution.exit, /enough/);
  await eventually(async () => (await sandbox.run(["pgrep", "-f", "sleep 1234"])).exit.code === 1);
  const already = sandbox.run(["true"], { signal: AbortSignal.abort(new Error("too late")) });
  await assert.rejects(already, /too late|abort/i);
});

test("a daemon that is killed does not disturb a program, and is there again for the next one", async () => {
  const cat = await sandbox.exec(["cat"], { stdin: true });
  const { pid } = await sandboxd.version();
  process.kill(pid, "SIGKILL");
  cat.stdin.end("still here\n");
  assert.equal(`${(await cat.output()).stdout}`, "still here\n");
  assert.notEqual((await sandboxd.version()).pid, pid);
});

test("a detached program is started once for a key, and prints to the log", async () => {
  const idempotencyKey = "detached-once";
  const first = await sandbox.detach(["sh", "-c", "echo from afar"], { idempotencyKey });
  const second = await sandbox.detach(["sh", "-c", "echo from afar"], { idempotencyKey });
  assert.equal(second.pid, first.pid);
  await eventually(async () => (await logOf(first.log_position ?? 0)) === "from afar\n");
});

async function logOf(from: number): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of sandbox.logs({ from })) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("an attached program with the key of another is a conflict", async () => {
  await sandbox.run(["true"], { idempotencyKey: "attached-once" });
  await assert.rejects(sandbox.run(["true"], { idempotencyKey: "attached-once" }), (error) => isError(error, "conflict"));
});

test("a terminal has a size, which can be changed", async () => {
  const shell = await sandbox.exec(["sh", "-c", "stty size; trap 'stty size; exit' WINCH; echo ready; sleep 100 & wait"],
                                   { tty: true, stdin: true, rows: 30, columns: 90 });
  let text = "";
  shell.stdout.on("data", (bytes: Buffer) => {
    if (!text.includes("ready") && `${text}${bytes}`.includes("ready")) shell.resize(40, 100);
    text += bytes;
  });
  await shell.exit;
  assert.match(text, /30 90\r\nready\r\n40 100\r\n/);
});

test("a session goes on without its client, is found, attached to and ended", async () => {
  const first = await sandbox.exec(["sh", "-c", "echo begun; read word; echo got $word; sleep 1000"], { tty: true, stdin: true });
  const { session = 0 } = await first.opened;
  await first.stdout[Symbol.asyncIterator]().next();
  first.leave();
  await assert.rejects(first.exit, (error) => isError(error, "unavailable"));
  assert.ok((await sandbox.sessions()).some((one) => one.session === session && one.state === "running"));

  const positions: OutputPosition[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const again = await sandbox.attach(session, { from: 0, signal, onPosition: (position) => positions.push(position) });
  again.stdin.write("hello\n");
  let text = "";
  for await (const bytes of again.stdout) {
    text += bytes;
    if (text.includes("got hello")) break;
  }
  assert.match(text, /begun/);
  assert.equal(positions[0]?.from, 0);
  controller.abort(new Error("seen enough"));
  await assert.rejects(again.exit, /seen enough/);
  assert.ok((await sandbox.sessions()).some((one) => one.session === session && one.state === "running"));
  assert.equal((await sandbox.endSession(session)).state, "ended");
});

test("what the sandbox prints can be no frame of the protocol", async () => {
  // A frame of kExit, as bytes of output.
  const frame = "\\002\\000\\000\\000\\001\\000\\000\\000\\026\\000\\000\\000{}";
  const { exit, stdout } = await sandbox.run(["sh", "-c", `printf '${frame}'; exit 5`]);
  assert.deepEqual([exit.code, stdout.length], [5, 14]);
});

test("the CLI sees the same sandbox", () => {
  assert.equal(`${execFileSync("sandbox", ["exec", sandbox.name, "echo", "same"])}`, "same\n");
});
