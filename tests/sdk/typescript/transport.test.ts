// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The client against a daemon that the test plays: one that dies, lies, or is not there.
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, test } from "node:test";

import { isError, Sandboxd, SandboxError } from "@sandboxd/sdk";

import { world } from "./world.js";

let server: Server | undefined;

/** A daemon that does `serve` with each connection, when a request has come. */
async function daemon(serve: (socket: Socket, request: string, count: number) => void): Promise<Sandboxd> {
  const home = await mkdtemp(join(world, "home-"));
  let count = 0;
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => serve(socket, `${bytes}`, ++count));
  });
  await new Promise<void>((resolve) => server?.listen(join(home, "sandboxd.sock"), resolve));
  return new Sandboxd({ home, start: false });
}

afterEach(() => server?.close());

const answer = (status: number, body: string): string =>
  `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const keyOf = (request: string): string => /idempotency-key: (\S+)/i.exec(request)?.[1] ?? "";

function frame(kind: number, payload: string): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(Buffer.byteLength(payload), 0);
  head.writeUInt32LE(1, 4);
  head.writeUInt8(kind, 8);
  return Buffer.concat([head, Buffer.from(payload)]);
}
const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: sandbox-exec\r\n\r\n";

test("a daemon that ends before it answers is asked again, with the same key", async () => {
  const keys: string[] = [];
  const client = await daemon((socket, request, count) => {
    keys.push(keyOf(request));
    if (count < 4) socket.destroy();
    else socket.end(answer(200, "{}"));
  });
  await client.sandbox("box").detach(["true"]);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0] ?? "", /^[A-Za-z0-9_-]{1,64}$/);
});

test("one that breaks off in the middle of an answer is asked again; in the end that is an error", async () => {
  let asked = 0;
  const client = await daemon((socket) => (asked++, socket.end(answer(200, '{"sandboxes": []}').slice(0, -5))));
  await assert.rejects(client.list(), (error) => isError(error, "unavailable"));
  assert.equal(asked, 8);
});

test("what was removed by an ask without an answer is no error the second time, and is one the first", async () => {
  const error = answer(404, '{"error": {"code": "not_found", "message": "no sandbox box"}}');
  const client = await daemon((socket, _request, count) => (count === 1 ? socket.destroy() : socket.end(error)));
  await client.sandbox("box").remove();
  await assert.rejects(client.sandbox("box").remove(), (reason) => isError(reason, "not_found"));
});

test("a stream of bytes is sent once: that no answer came is an error", async () => {
  let asked = 0;
  const client = await daemon((socket) => (asked++, socket.destroy()));
  const archive = (async function* () { yield Buffer.from("bytes"); })();
  await assert.rejects(client.templates.load(archive), SandboxError);
  assert.equal(asked, 1);
});

test("a stream of bytes is sent whole, once, to a daemon that is started for it", async () => {
  const home = await mkdtemp(join(world, "home-"));
  const program = join(home, "sandbox");
  await writeFile(program, '#!/bin/sh\nln -s "$SANDBOXES_HOME/later.sock" "$SANDBOXES_HOME/sandboxd.sock"\n');
  await chmod(program, 0o755);
  const requests: string[] = [];
  server = createServer((socket) => {
    let request = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      request += `${bytes}`;
      if (!request.endsWith("\r\n0\r\n\r\n")) return;
      requests.push(request);
      socket.end(answer(409, '{"error": {"code": "conflict", "message": "heard"}}'));
    });
  });
  await new Promise<void>((resolve) => server?.listen(join(home, "later.sock"), resolve));
  const archive = (async function* () { yield Buffer.from("first "); yield Buffer.from("second"); })();
  await assert.rejects(new Sandboxd({ home, program }).templates.load(archive), /heard/);
  assert.equal(requests.length, 1);
  assert.match(requests[0] ?? "", /\r\nfirst \r\n6\r\nsecond\r\n0\r\n\r\n$/);
});

test("a create whose events break off is asked again, with the same key", async () => {
  const keys: string[] = [];
  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const progress = chunk('event: progress\ndata: {"step": "unpack é", "done": 1, "total": 2}\n\n: comment\n\n');
  const client = await daemon((socket, request, count) => {
    keys.push(keyOf(request));
    if (count === 1) socket.end(head + progress);
    else socket.end(head + chunk('event: result\r\ndata: {"name":\r\ndata: "box"}\r\n\r\n') + "0\r\n\r\n");
  });
  const steps: string[] = [];
  const made = await client.create({ agent: "shell" }, { onProgress: ({ step }) => steps.push(step) });
  assert.deepEqual([made.name, steps, new Set(keys).size], ["box", ["unpack é"], 1]);
});

test("an abort of a create has the daemon undo it, and is thrown when that is done", async () => {
  const requests: string[] = [];
  const controller = new AbortController();
  const client = await daemon((socket, request) => {
    requests.push(request);
    if (request.startsWith("POST")) controller.abort(new Error("enough"));
    else socket.end("HTTP/1.1 204 No Content\r\n\r\n");
  });
  await assert.rejects(client.create({ agent: "shell" }, { signal: controller.signal }), /enough/);
  assert.ok(requests[1]?.startsWith(`DELETE /creates/${keyOf(requests[0] ?? "")} `));
});

test("an error has the daemon's code, message and hint", async () => {
  const client = await daemon((socket) =>
    socket.end(answer(409, '{"error": {"code": "conflict", "message": "it runs", "hint": "sandbox stop box"}}')));
  const error = await client.sandbox("box").start().catch((reason: unknown) => reason);
  assert.ok(error instanceof SandboxError);
  assert.deepEqual([error.code, error.message, error.hint], ["conflict", "it runs", "sandbox stop box"]);
});

test("an answer that is no JSON, or no error of ours, is told as one", async () => {
  const client = await daemon((socket) => socket.end(answer(500, "<html>")));
  await assert.rejects(client.list(), (error) => isError(error, "internal") && /status 500/.test(error.message));
});

test("a program whose sandbox ends before it does is an error", async () => {
  const client = await daemon((socket) => socket.end(Buffer.concat([Buffer.from(switching), frame(20, "half")])));
  const execution = await client.sandbox("box").exec(["true"]);
  await assert.rejects(execution.output(), (error) => isError(error, "unavailable"));
});

test("what is no frame ends the connection with an error", async () => {
  for (const bytes of [Buffer.from("no frame at all"), Buffer.from([255, 255, 255, 255, 1, 0, 0, 0, 20, 0, 0, 0])]) {
    const client = await daemon((socket) => socket.write(Buffer.concat([Buffer.from(switching), bytes])));
    const execution = await client.sandbox("box").exec(["true"]);
    await assert.rejects(execution.exit, (error) => isError(error, "internal"));
    server?.close();
  }
});

test("frames come in pieces of any size", async () => {
  const client = await daemon((socket) => {
    socket.write(switching);
    const bytes = [...Buffer.concat([frame(17, '{"pid": 7}'), frame(20, "out"), frame(21, "err"), frame(22, '{"code": 2}')])];
    const next = (): void => {
      const byte = bytes.shift();
      if (byte !== undefined) socket.write(Uint8Array.of(byte), () => setImmediate(next));
    };
    next();
  });
  const execution = await client.sandbox("box").exec(["true"]);
  assert.deepEqual(await execution.opened, { pid: 7 });
  const { exit, stdout, stderr } = await execution.output();
  assert.deepEqual([exit.code, `${stdout}`, `${stderr}`], [2, "out", "err"]);
});

test("an abort ends a request that is not answered", async () => {
  const client = await daemon(() => {});
  await assert.rejects(client.list({ signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
});

test("where no daemon is, and none may be started, the hint says how", async () => {
  const home = await mkdtemp(join(world, "home-"));
  const error = await new Sandboxd({ home, start: false }).list().catch((reason: unknown) => reason);
  assert.ok(isError(error, "unavailable") && error.hint === "sandbox daemon start");
  assert.throws(() => new Sandboxd({ home: "relative" }), (reason) => isError(reason, "invalid"));
});

test("a program that is not there, and one that fails to start a daemon, are told apart", async () => {
  const home = await mkdtemp(join(world, "home-"));
  await assert.rejects(new Sandboxd({ home, program: "/no/such/sandbox" }).list(), (error) => isError(error, "unsupported"));
  const program = join(home, "sandbox");
  await writeFile(program, "#!/bin/sh\necho 'error: no room' >&2\nexit 125\n");
  await chmod(program, 0o755);
  await assert.rejects(new Sandboxd({ home, program }).list(), /no room/);
  await rm(home, { recursive: true });
});

test("a daemon that does not run is started, once for all that ask", async () => {
  const client = new Sandboxd();
  await client.version().then(() => client.shutdown());
  const pids = await Promise.all([1, 2, 3].map(async () => (await client.version()).pid));
  assert.equal(new Set(pids).size, 1);
});
