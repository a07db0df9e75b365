// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { type AnswerOf, type ArgumentsOf, Calls, type CallOptions, type Operation, type ProgressOptions } from "./calls.js";
import { Daemon, type DaemonOptions } from "./daemon.js";
import { isError } from "./errors.js";
import type {
  AgentInfo, AgentUpdated, CreateRequest, Decision, DiskUsage, NetworkLog, SandboxEvent, SandboxInfo, Version,
} from "./generated/schemas.js";
import { followNetworkLog, networkLog, type NetworkLogOptions } from "./network.js";
import { Sandbox } from "./sandbox.js";
import { Secrets } from "./secrets.js";
import { Templates } from "./templates.js";
import { randomKey, Transport } from "./transport.js";

/**
 * The daemon of this user, which is started when it is needed.
 *
 *   const sandboxd = new Sandboxd();
 *   const box = await sandboxd.create({ agent: "shell", workspaces: [{ source: dir, target: dir }] });
 *   const { exit, stdout } = await box.run(["git", "status"]);
 */
export class Sandboxd {
  readonly templates: Templates;
  readonly secrets: Secrets;
  readonly #calls: Calls;

  constructor(options?: DaemonOptions) {
    this.#calls = new Calls(new Transport(new Daemon(options)));
    this.templates = new Templates(this.#calls);
    this.secrets = new Secrets(this.#calls);
  }

  /** Any operation of docs/openapi.yaml whose answer is JSON, by its operationId. */
  call<O extends Operation>(operation: O, args: ArgumentsOf<O>, options?: CallOptions): Promise<AnswerOf<O>> {
    return this.#calls.call(operation, args, options);
  }

  version(options?: CallOptions): Promise<Version> {
    return this.#calls.call("getVersion", {}, options);
  }

  list(options?: CallOptions): Promise<SandboxInfo[]> {
    return this.#calls.call("listSandboxes", {}, options).then((answer) => answer.sandboxes);
  }

  sandbox(name: string): Sandbox {
    return new Sandbox(this.#calls, name);
  }

  /** An abort undoes what was made so far, and is thrown when nothing is left of it. A sandbox that was whole by then stays. */
  async create(request: CreateRequest, options: ProgressOptions = {}): Promise<Sandbox> {
    const idempotencyKey = options.idempotencyKey ?? randomKey();
    try {
      const made = await this.#calls.work("createSandbox", { body: request }, { ...options, idempotencyKey });
      return this.sandbox(made.name);
    } catch (error) {
      if (options.signal?.aborted) await this.#undo(idempotencyKey);
      throw error;
    }
  }

  agents(options?: CallOptions): Promise<AgentInfo[]> {
    return this.#calls.call("listAgents", {}, options).then((answer) => answer.agents);
  }

  /** Without a version, the latest. */
  updateAgent(name: string, version?: string, options?: ProgressOptions): Promise<AgentUpdated> {
    const body = version === undefined ? {} : { version };
    return this.#calls.work("updateAgent", { path: { name }, body }, options);
  }

  networkLog(options: NetworkLogOptions = {}): Promise<NetworkLog> {
    return networkLog(this.#calls, undefined, options);
  }

  followNetworkLog(options: NetworkLogOptions = {}): AsyncGenerator<Decision> {
    return followNetworkLog(this.#calls, undefined, options);
  }

  /**
   * What happens to sandboxes, from now on. Throws `unavailable` when the daemon ends; what happens until the next call
   * is not in any stream, so a program that keeps a list asks for `list()` after it has begun to listen again.
   */
  async *events(options?: CallOptions): AsyncGenerator<SandboxEvent> {
    for await (const { data } of this.#calls.events("getEvents", {}, options)) yield JSON.parse(data) as SandboxEvent;
  }

  diskUsage(sandbox?: string, options?: CallOptions): Promise<DiskUsage> {
    return this.#calls.call("getDiskUsage", { query: sandbox === undefined ? {} : { sandbox } }, options);
  }

  /** Removes the blobs of registries that are kept for all sandboxes: how many bytes are free then. */
  prune(options?: CallOptions): Promise<number> {
    return this.#calls.call("pruneSystem", {}, options).then((answer) => answer.docker_cache_bytes);
  }

  /** Removes every sandbox; with `all`, templates and caches, too. Says which sandboxes there were. */
  reset(options: CallOptions & { all?: boolean } = {}): Promise<string[]> {
    const query = options.all ? { all: "1" as const } : {};
    return this.#calls.call("reset", { query }, options).then((answer) => answer.removed);
  }

  /** Ends the daemon. Sandboxes run on. */
  shutdown(options?: CallOptions): Promise<undefined> {
    return this.#calls.call("shutdown", {}, options);
  }

  // A create that has ended, or found its sandbox there, is not found.
  async #undo(key: string): Promise<void> {
    await this.#calls.call("cancelCreate", { path: { key } }).catch((error: unknown) => {
      if (!isError(error, "not_found")) throw error;
    });
  }
}
