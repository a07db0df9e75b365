// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { constants } from "node:os";
import { Readable, Writable } from "node:stream";

import { SandboxError } from "./errors.js";
import { encodeData, encodeFrame, encodeWindow, type Frame, FrameReader, Kind } from "./frames.js";
import type { ExecExit, OutputPosition } from "./generated/schemas.js";
import type { Upgraded } from "./transport.js";

export interface Opened {
  pid: number;
  /** The number of its session, if it has a terminal. */
  session?: number;
}

export interface Output {
  exit: ExecExit;
  stdout: Buffer;
  stderr: Buffer;
}

export interface ExecutionOptions {
  /** Kills the program's process group, or only leaves; `exit` is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  onAbort?: "kill" | "leave";
  /** Of a session: which output comes next. */
  onPosition?: ((position: OutputPosition) => void) | undefined;
}

/**
 * A program that runs in a sandbox, or a session that was attached to. The connection is the sandbox's own: a daemon that
 * ends or is restarted does not disturb it. What is not read stops the program, as a pipe does, and `exit` comes after
 * the last output: read both streams, or use `output()`.
 */
export class Execution {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** When the program runs. */
  readonly opened: Promise<Opened>;
  /** When it has ended, and all it printed has come. */
  readonly exit: Promise<ExecExit>;

  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #options: ExecutionOptions;
  #resolveOpened!: (opened: Opened) => void;
  #resolveExit!: (exit: ExecExit) => void;
  #rejectOpened!: (error: unknown) => void;
  #rejectExit!: (error: unknown) => void;
  #over = false;

  constructor({ socket, head }: Upgraded, options: ExecutionOptions = {}) {
    this.#socket = socket;
    this.#options = options;
    this.opened = new Promise((resolve, reject) => ((this.#resolveOpened = resolve), (this.#rejectOpened = reject)));
    this.exit = new Promise((resolve, reject) => ((this.#resolveExit = resolve), (this.#rejectExit = reject)));
    // That a caller does not look at one of them must not end its process.
    this.opened.catch(() => {});
    this.exit.catch(() => {});
    this.stdin = this.#input();
    this.stdout = new Readable({ read: () => void socket.resume() });
    this.stderr = new Readable({ read: () => void socket.resume() });
    this.#listen(head);
  }

  /** To the program's process group: "SIGTERM", or a number. */
  kill(signal: NodeJS.Signals | number = "SIGTERM"): void {
    const number = typeof signal === "number" ? signal : constants.signals[signal];
    this.#send(encodeFrame(Kind.signal, Uint8Array.of(number)));
  }

  /** The size of its terminal. */
  resize(rows: number, columns: number): void {
    this.#send(encodeWindow(rows, columns));
  }

  /** Leaves. The program runs on; with a terminal, as a session that can be attached to. */
  leave(): void {
    this.#end(new SandboxError("unavailable", "the client has left the program"));
  }

  /** All that it prints, and how it ends. */
  async output(): Promise<Output> {
    const [stdout, stderr, exit] = await Promise.all([bytesOf(this.stdout), bytesOf(this.stderr), this.exit]);
    return { exit, stdout, stderr };
  }

  #listen(head: Buffer): void {
    const { signal } = this.#options;
    const abort = (): void => {
      if (this.#options.onAbort !== "leave") this.kill("SIGKILL");
      this.#end(signal?.reason);
    };
    this.#socket.on("data", (bytes) => this.#take(bytes));
    this.#socket.on("error", (error) => this.#end(brokenOff(error)));
    this.#socket.on("close", () => {
      signal?.removeEventListener("abort", abort);
      this.#end(brokenOff());
    });
    signal?.addEventListener("abort", abort, { once: true });
    if (head.length > 0) this.#take(head);
    if (signal?.aborted) abort();
  }

  #take(bytes: Uint8Array): void {
    try {
      this.#reader.feed(bytes);
      for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) this.#handle(frame);
    } catch (error) {
      this.#end(new SandboxError("internal", (error as Error).message, undefined, { cause: error }));
    }
  }

  #handle({ kind, payload }: Frame): void {
    if (kind === Kind.out) this.#pass(this.stdout, payload);
    if (kind === Kind.err) this.#pass(this.stderr, payload);
    if (kind === Kind.opened) this.#resolveOpened(json<Opened>(payload));
    if (kind === Kind.position) this.#options.onPosition?.(json<OutputPosition>(payload));
    if (kind === Kind.exit) this.#finish(json<ExecExit>(payload));
  }

  // No more is read from the socket than a stream's reader takes.
  #pass(stream: Readable, payload: Buffer): void {
    if (!stream.push(payload)) this.#socket.pause();
  }

  #finish(exit: ExecExit): void {
    if (this.#over) return;
    this.#over = true;
    this.#rejectOpened(new SandboxError("unavailable", exit.error ?? "the program has ended"));
    this.stdout.push(null);
    this.stderr.push(null);
    this.#resolveExit(exit);
    this.#socket.end();
  }

  #end(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#rejectOpened(reason);
    this.#rejectExit(reason);
    this.stdout.push(null);
    this.stderr.push(null);
    this.stdin.destroy();
    this.#socket.destroySoon();
  }

  #send(frame: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#over) done?.();
    else this.#socket.write(frame, done);
  }

  #input(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const frames = [...encodeData(chunk)];
        const last = frames.pop();
        for (const frame of frames) this.#send(frame);
        if (last) this.#send(last, done);
        else done();
      },
      final: (done) => this.#send(encodeFrame(Kind.end), done),
    });
  }
}

function brokenOff(cause?: Error): SandboxError {
  return new SandboxError("unavailable", "the sandbox ended before the program did", "sandbox ls", { cause });
}

function json<T>(payload: Buffer): T {
  return JSON.parse(payload.toString()) as T;
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
