// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { type Operations, routes } from "./generated/operations.js";
import type { Progress } from "./generated/schemas.js";
import { BrokenOff, SandboxError } from "./errors.js";
import { eventsOf, type StreamEvent } from "./server_sent_events.js";
import { mostAsks, randomKey, type Request, type Transport, type Upgraded } from "./transport.js";

export type Operation = keyof Operations;
export type AnswerOf<O extends Operation> = Operations[O]["answer"];
export type ArgumentsOf<O extends Operation> = Omit<Operations[O], "answer" | "key">;

export interface CallOptions {
  /** Ends the request; what the daemon has begun it may finish. */
  signal?: AbortSignal | undefined;
  /** Of a create or an exec: the same key twice does it once. By default a new one for each call. */
  idempotencyKey?: string | undefined;
}

export interface ProgressOptions extends CallOptions {
  onProgress?: ((progress: Progress) => void) | undefined;
  /** What the steps of a build print. */
  onOutput?: ((text: string) => void) | undefined;
}

interface Arguments {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The operations of docs/openapi.yaml, by their names there. */
export class Calls {
  constructor(readonly transport: Transport) {}

  /** An operation whose answer is JSON, or nothing. */
  async call<O extends Operation>(operation: O, args: ArgumentsOf<O>, options: CallOptions = {}): Promise<AnswerOf<O>> {
    const text = await this.transport.text(requestFor(operation, args, options));
    return (text === "" ? undefined : JSON.parse(text)) as AnswerOf<O>;
  }

  /** One that takes its time: its progress, and then its result. A daemon that dies meanwhile is asked again. */
  async work<O extends Operation>(operation: O, args: ArgumentsOf<O>, options: ProgressOptions = {}): Promise<AnswerOf<O>> {
    const request = requestFor(operation, args, options);
    request.headers = { ...request.headers, Accept: "text/event-stream" };
    for (let asks = 1; ; ++asks) {
      try {
        const { body } = await this.transport.stream(request);
        return (await resultOf(eventsOf(body), options)) as AnswerOf<O>;
      } catch (error) {
        if (!(error instanceof BrokenOff) || typeof request.body !== "string" || asks >= mostAsks) throw error;
      }
    }
  }

  /** One whose answer is a stream of bytes. */
  stream<O extends Operation>(operation: O, args: ArgumentsOf<O>, options: CallOptions = {}): ReturnType<Transport["stream"]> {
    return this.transport.stream(requestFor(operation, args, options));
  }

  /** One whose answer is a stream of events, until it ends or the signal says so. */
  async *events<O extends Operation>(operation: O, args: ArgumentsOf<O>, options: CallOptions = {}): AsyncGenerator<StreamEvent> {
    const { body } = await this.stream(operation, args, options);
    yield* eventsOf(body);
  }

  upgrade<O extends Operation>(operation: O, args: ArgumentsOf<O>, options: CallOptions = {}): Promise<Upgraded> {
    return this.transport.upgrade(requestFor(operation, args, options), "sandbox-exec");
  }
}

function requestFor(operation: Operation, args: Arguments, options: CallOptions): Request {
  const [method, path] = routes[operation];
  const headers: Record<string, string> = {};
  if (method === "POST") headers["Idempotency-Key"] = options.idempotencyKey ?? randomKey();
  const request: Request = { method, path: filledIn(path, args), headers, signal: options.signal };
  if (args.body === undefined) return request;
  const isStream = typeof args.body === "object" && args.body !== null && Symbol.asyncIterator in args.body;
  headers["Content-Type"] = isStream ? "application/x-tar" : "application/json";
  request.body = isStream ? (args.body as AsyncIterable<Uint8Array>) : JSON.stringify(args.body);
  return request;
}

function filledIn(path: string, args: Arguments): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, args.path?.[name]));
  const query = Object.entries(args.query ?? {}).filter(([, value]) => value !== undefined);
  const words = query.map(([name, value]) => `${name}=${encodeURIComponent(wordOf(value))}`);
  return words.length === 0 ? filled : `${filled}?${words.join("&")}`;
}

// An empty segment would name the collection, not a member of it; a dot or two, something else.
function segment(name: string, value: unknown): string {
  const text = String(value ?? "");
  if (text === "" || text === "." || text === "..") throw new SandboxError("invalid", `"${text}" is no ${name}`);
  return encodeURIComponent(text);
}

function wordOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function resultOf(events: AsyncIterable<StreamEvent>, options: ProgressOptions): Promise<unknown> {
  for await (const { name, data } of events) {
    if (name === "error") throw SandboxError.fromBody(500, data);
    if (name === "result") return JSON.parse(data);
    if (name === "progress") options.onProgress?.(JSON.parse(data) as Progress);
    if (name === "output") options.onOutput?.((JSON.parse(data) as { text: string }).text);
  }
  throw new BrokenOff("the stream of events ended without a result");
}
