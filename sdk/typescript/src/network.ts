// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Calls } from "./calls.js";
import type { Check, Decision, NetworkLog, PolicyEdit, PublishedPort, Rules, StaticHost } from "./generated/schemas.js";

export interface NetworkLogOptions extends CallOptions {
  /** Only the newest so many. */
  limit?: number;
  blocked?: boolean;
}

/** What a sandbox may reach, what it has reached, and what reaches it. */
export class Network {
  constructor(private readonly calls: Calls, private readonly sandbox: string) {}

  policy(options?: CallOptions): Promise<Rules> {
    return this.calls.call("getPolicy", { path: this.#path }, options);
  }

  /** All edits or none, in their order, at once and for good. */
  edit(edits: PolicyEdit[], options?: CallOptions): Promise<Rules> {
    return this.calls.call("editPolicy", { path: this.#path, body: { edits } }, options);
  }

  /** Whether it may reach a URL or HOST[:PORT]. Nothing is connected to. */
  check(target: string, options?: CallOptions): Promise<Check> {
    return this.calls.call("checkPolicy", { path: this.#path, query: { target } }, options);
  }

  log(options: NetworkLogOptions = {}): Promise<NetworkLog> {
    return networkLog(this.calls, this.sandbox, options);
  }

  followLog(options: NetworkLogOptions = {}): AsyncGenerator<Decision> {
    return followNetworkLog(this.calls, this.sandbox, options);
  }

  ports(options?: CallOptions): Promise<PublishedPort[]> {
    return this.calls.call("getPorts", { path: this.#path }, options).then((answer) => answer.ports);
  }

  /** What is published then; without a host's port, any free one. */
  publish(port: number, at: { hostIp?: string; hostPort?: number } = {}, options?: CallOptions): Promise<PublishedPort[]> {
    const publish = [{ host_ip: at.hostIp ?? "127.0.0.1", host_port: at.hostPort ?? 0, port }];
    return this.#change({ publish }, options);
  }

  /** Entries as `ports` has them. */
  unpublish(ports: PublishedPort[], options?: CallOptions): Promise<PublishedPort[]> {
    return this.#change({ unpublish: ports }, options);
  }

  addHosts(hosts: StaticHost[], options?: CallOptions): Promise<StaticHost[]> {
    return this.calls.call("addHosts", { path: this.#path, body: { hosts } }, options).then((answer) => answer.hosts);
  }

  get #path(): { name: string } {
    return { name: this.sandbox };
  }

  #change(body: { publish?: PublishedPort[]; unpublish?: PublishedPort[] }, options?: CallOptions): Promise<PublishedPort[]> {
    return this.calls.call("changePorts", { path: this.#path, body }, options).then((answer) => answer.ports);
  }
}

export function networkLog(calls: Calls, sandbox: string | undefined, options: NetworkLogOptions): Promise<NetworkLog> {
  return calls.call("getNetworkLog", { query: queryOf(sandbox, options) }, options);
}

export async function* followNetworkLog(
  calls: Calls, sandbox: string | undefined, options: NetworkLogOptions,
): AsyncGenerator<Decision> {
  const query = { ...queryOf(sandbox, options), follow: "1" as const };
  for await (const { name, data } of calls.events("getNetworkLog", { query }, options))
    if (name === "decision") yield JSON.parse(data) as Decision;
}

function queryOf(sandbox: string | undefined, { limit, blocked }: NetworkLogOptions) {
  return {
    ...(sandbox !== undefined && { sandbox }),
    ...(limit !== undefined && { limit }),
    ...(blocked && { blocked: "1" as const }),
  };
}
