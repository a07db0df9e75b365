// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";

import type { CallOptions, Calls, ProgressOptions } from "./calls.js";
import { BrokenOff } from "./errors.js";
import { Execution, type Output } from "./execution.js";
import { Files } from "./files.js";
import type {
  AttachRequest, Detached, ExecRequest, McpChanges, McpGrant, OutputPosition, SandboxCredential, SandboxInfo, Saved, SessionInfo,
} from "./generated/schemas.js";
import { Network } from "./network.js";

/** What the program reads; `true`: what the caller writes to `stdin` of the execution. Without it: nothing. */
export type Stdin = string | Uint8Array | AsyncIterable<Uint8Array> | true;

export interface StreamOptions extends CallOptions {
  stdin?: Stdin | undefined;
}

type Asked = Pick<ExecRequest, "environment" | "user" | "directory" | "tty" | "privileged" | "agent" | "rows" | "columns">;
export interface ExecOptions extends StreamOptions, Asked {}
export interface DetachOptions extends CallOptions, Asked {}

export interface AttachOptions extends CallOptions, AttachRequest {
  onPosition?: (position: OutputPosition) => void;
}

export interface LogOptions extends CallOptions {
  /** Only the last lines. */
  tail?: number;
  /** From this byte on of all that was ever printed. */
  from?: number;
  /** Go on until the sandbox stops. */
  follow?: boolean;
}

/** One sandbox, by its name. Nothing is asked before a method is called. */
export class Sandbox {
  readonly files: Files;
  readonly network: Network;

  constructor(private readonly calls: Calls, readonly name: string) {
    this.files = new Files((request, options) => this.#open(request, options));
    this.network = new Network(calls, name);
  }

  info(options?: CallOptions): Promise<SandboxInfo> {
    return this.calls.call("getSandbox", { path: this.#path }, options);
  }

  start(options?: CallOptions): Promise<SandboxInfo> {
    return this.calls.call("startSandbox", { path: this.#path }, options);
  }

  /** What is on its disk stays. */
  stop(graceMs?: number, options?: CallOptions): Promise<SandboxInfo> {
    const body = graceMs === undefined ? {} : { grace_ms: graceMs };
    return this.calls.call("stopSandbox", { path: this.#path, body }, options);
  }

  /** Stops and removes it. Its workspaces are not touched. */
  remove(options: CallOptions & { onlyIfStopped?: boolean } = {}): Promise<undefined> {
    const query = options.onlyIfStopped ? { stopped: "1" as const } : {};
    return this.calls.call("deleteSandbox", { path: this.#path, query }, options);
  }

  /** Makes a template of it. */
  save(tag: string, options?: ProgressOptions): Promise<Saved> {
    return this.calls.work("saveSandbox", { path: this.#path, body: { tag } }, options);
  }

  credentials(options?: CallOptions): Promise<SandboxCredential[]> {
    return this.calls.call("getCredentials", { path: this.#path }, options).then((answer) => answer.credentials);
  }

  /** The MCP servers that its programs may use. */
  mcp(options?: CallOptions): Promise<McpGrant[]> {
    return this.calls.call("getMcpGrants", { path: this.#path }, options).then((answer) => answer.mcp);
  }

  /** What is in `revoke` ends at once, what is in `grant` counts from the next start on. All of them then. */
  changeMcp(body: McpChanges, options?: CallOptions): Promise<McpGrant[]> {
    return this.calls.call("changeMcpGrants", { path: this.#path, body }, options).then((answer) => answer.mcp);
  }

  /** Starts a program, and the sandbox if that is stopped. */
  exec(command: string[], options: ExecOptions = {}): Promise<Execution> {
    const { stdin, signal, idempotencyKey, ...asked } = options;
    return this.#open({ ...asked, command }, { stdin, signal, idempotencyKey });
  }

  /** Runs a program to its end. Its exit code is the caller's to judge. */
  async run(command: string[], options: ExecOptions = {}): Promise<Output> {
    return (await this.exec(command, options)).output();
  }

  /** Starts a program in the background; its output goes to the log. */
  detach(command: string[], options: DetachOptions = {}): Promise<Detached> {
    const { signal, idempotencyKey, ...asked } = options;
    const body = { ...asked, command, detach: true };
    return this.calls.call("execInSandbox", { path: this.#path, body }, { signal, idempotencyKey });
  }

  /** Execs with a terminal, those that run and the last that have ended. */
  sessions(options?: CallOptions): Promise<SessionInfo[]> {
    return this.calls.call("listSessions", { path: this.#path }, options).then((answer) => answer.sessions);
  }

  /** Becomes a client of a session; an abort leaves it. To go on after the connection has ended: `from`, a number that onPosition told. */
  async attach(session: number, options: AttachOptions = {}): Promise<Execution> {
    const { signal, idempotencyKey, onPosition, ...body } = options;
    const path = { ...this.#path, session };
    const upgraded = await this.calls.upgrade("attachToSession", { path, body }, { signal, idempotencyKey });
    return new Execution(upgraded, { signal, onAbort: "leave", onPosition });
  }

  endSession(session: number, options?: CallOptions): Promise<SessionInfo> {
    return this.calls.call("endSession", { path: { ...this.#path, session } }, options);
  }

  /** What detached programs have printed. A daemon that ends meanwhile is asked to go on where it broke off. */
  async *logs(options: LogOptions = {}): AsyncGenerator<Uint8Array> {
    const { tail, follow = false, signal } = options;
    let { from } = options;
    for (;;) {
      const place = from === undefined ? { tail: String(tail ?? "all") } : { from };
      const query = { ...place, follow: follow ? ("1" as const) : ("0" as const) };
      const { body, headers } = await this.calls.stream("getLogs", { path: this.#path, query }, { signal });
      from = Number(headers["log-position"]);
      try {
        for await (const piece of body) {
          from += piece.length;
          yield piece;
        }
        return;
      } catch (error) {
        if (!(error instanceof BrokenOff)) throw error;
      }
    }
  }

  get #path(): { name: string } {
    return { name: this.name };
  }

  async #open(request: ExecRequest, { stdin, signal, idempotencyKey }: StreamOptions): Promise<Execution> {
    const body = { ...request, interactive: stdin !== undefined };
    const upgraded = await this.calls.upgrade("execInSandbox", { path: this.#path, body }, { signal, idempotencyKey });
    const execution = new Execution(upgraded, { signal });
    if (stdin !== undefined && stdin !== true) feed(execution, stdin);
    return execution;
  }
}

// A program that ends before it has read all is no error; a source that fails is, and ends the program.
function feed(execution: Execution, stdin: Exclude<Stdin, true>): void {
  const bytes = typeof stdin === "string" ? Buffer.from(stdin) : stdin;
  const source = bytes instanceof Uint8Array ? Readable.from([bytes]) : Readable.from(bytes);
  source.on("error", () => execution.kill("SIGKILL"));
  pipeline(source, execution.stdin).catch(() => {});
}
