// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { Daemon } from "./daemon.js";
import { BrokenOff, SandboxError } from "./errors.js";

export interface Request {
  method: string;
  /** With its query, encoded. */
  path: string;
  headers?: Record<string, string>;
  /** Text can be sent again when no answer came; a stream cannot. */
  body?: string | AsyncIterable<Uint8Array>;
  signal?: AbortSignal | undefined;
}

export interface Upgraded {
  socket: Socket;
  /** What came after the head of the answer. */
  head: Buffer;
}

interface Answer {
  response: IncomingMessage;
  upgraded?: Upgraded;
}

// A daemon that dies of a request must not be started for ever.
export const mostAsks = 8;
const mostStarts = 3;
const noDaemonCodes = new Set(["ENOENT", "ECONNREFUSED"]);
const brokenOff = new Set(["ECONNRESET", "EPIPE"]);

export const randomKey = (): string => randomUUID();

/**
 * HTTP over the daemon's socket, a connection for each request. Where no daemon listens one is started. A daemon may die
 * at any moment, and the answer with it: then the next one is asked again, at most eight times. That is safe because a
 * request changes nothing, or is idempotent, or is recognised by its key, which every POST has.
 */
export class Transport {
  constructor(readonly daemon: Daemon) {}

  /** The whole answer; what an earlier ask has removed is no error. */
  async text(request: Request): Promise<string> {
    for (const asks = new Asks(request); ; ) {
      const { response } = await this.#ask(request, asks);
      const body = await wholeBody(response).catch((error: unknown) => asks.againAfter(error));
      if (body === undefined) continue;
      const status = statusOf(response);
      if (status < 400) return body;
      if (status === 404 && request.method === "DELETE" && asks.made > 1) return "";
      throw SandboxError.fromBody(status, body);
    }
  }

  /** The body as it comes. One that breaks off throws `unavailable`; the caller knows what to ask for then. */
  async stream(request: Request): Promise<{ body: AsyncIterable<Uint8Array>; headers: IncomingMessage["headers"] }> {
    const { response } = await this.#ask(request, new Asks(request));
    if (statusOf(response) >= 400) throw SandboxError.fromBody(statusOf(response), await wholeBody(response));
    return { body: pieces(response, request), headers: response.headers };
  }

  /** The connection itself, speaking `protocol` from here on. */
  async upgrade(request: Request, protocol: string): Promise<Upgraded> {
    const headers = { ...request.headers, Connection: "Upgrade", Upgrade: protocol };
    const { response, upgraded } = await this.#ask({ ...request, headers }, new Asks(request));
    if (upgraded) return upgraded;
    throw SandboxError.fromBody(statusOf(response), await wholeBody(response));
  }

  async #ask(request: Request, asks: Asks): Promise<Answer> {
    for (let starts = 0; ; ) {
      try {
        asks.made += 1;
        // Connected first: what was read of a stream to be sent where no daemon listens would be lost.
        const connection = isRepeatable(request) ? undefined : await this.#connect();
        return await this.#once(request, connection);
      } catch (error) {
        if (!noDaemonCodes.has(codeOf(error)) || starts++ >= mostStarts) asks.againAfter(error);
        else await this.daemon.start();
      }
    }
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.daemon.socket);
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(socket);
      });
    });
  }

  #once(request: Request, connection?: Socket): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { method, path, body, signal } = request;
      const headers = { Host: "sandboxd", ...request.headers };
      const by = connection ? { createConnection: () => connection } : { socketPath: this.daemon.socket, agent: false };
      const options = { ...by, method, path, headers, ...(signal && { signal }) };
      const sent = httpRequest(options);
      sent.on("error", reject);
      sent.on("response", (response) => resolve({ response }));
      sent.on("upgrade", (response, socket, head) => resolve({ response, upgraded: { socket: socket as Socket, head } }));
      send(sent, body);
    });
  }
}

// An answer may come before the body was sent whole. Then sending fails, and what matters is the answer.
function send(request: ClientRequest, body: Request["body"]): void {
  if (body === undefined || typeof body === "string") request.end(body);
  else pipeline(Readable.from(body), request).catch((error: unknown) => request.destroy(error as Error));
}

async function wholeBody(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of response) parts.push(part as Uint8Array);
  return Buffer.concat(parts).toString();
}

async function* pieces(response: IncomingMessage, request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of response) yield piece as Uint8Array;
  } catch (error) {
    throw failure(error, request);
  }
}

/** How often a request was made, and whether it may be made again. */
class Asks {
  made = 0;

  constructor(readonly request: Request) {}

  /** Throws what the caller is told, unless it is to ask again. */
  againAfter(error: unknown): undefined {
    if (this.request.signal?.aborted || !isBrokenOff(error) || !isRepeatable(this.request) || this.made >= mostAsks)
      throw failure(error, this.request);
  }
}

function isRepeatable({ body }: Request): boolean {
  return body === undefined || typeof body === "string";
}

function statusOf(response: IncomingMessage): number {
  return response.statusCode ?? 500;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? "";
}

function isBrokenOff(error: unknown): boolean {
  return brokenOff.has(codeOf(error));
}

function failure(error: unknown, request: Request): unknown {
  if (request.signal?.aborted) return request.signal.reason;
  const what = `${request.method} ${request.path}`;
  if (isBrokenOff(error)) return new BrokenOff(what, { cause: error });
  return new SandboxError("unavailable", `${what}: ${(error as Error).message}`, "sandbox diagnose", { cause: error });
}
