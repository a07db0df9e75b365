// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import type { CallOptions, Calls } from "./calls.js";
import type {
  AuditEntry, AuditReport, Binding, BindRequest, LeasedSecret, LeaseInfo, LeaseRequest, SecretInfo, SecretsStatus,
} from "./generated/schemas.js";

/** Secrets, their leases and where they go. Values are only ever in the answer to a lease. */
export class Secrets {
  constructor(private readonly calls: Calls) {}

  list(options?: CallOptions): Promise<SecretInfo[]> {
    return this.calls.call("listSecrets", {}, options).then((answer) => answer.secrets);
  }

  /** A name that is taken is a conflict, unless `update` is set. */
  add(name: string, value: string, options: CallOptions & { update?: boolean } = {}): Promise<undefined> {
    return this.calls.call("addSecret", { body: { name, value, update: options.update ?? false } }, options);
  }

  /** With its bindings and leases. */
  remove(secret: string, options?: CallOptions): Promise<undefined> {
    return this.calls.call("removeSecret", { path: { secret } }, options);
  }

  /** Its value, for a time. It is noted in the audit log. */
  lease(secret: string, request: LeaseRequest = {}, options?: CallOptions): Promise<LeasedSecret> {
    return this.calls.call("leaseSecret", { path: { secret }, body: request }, options);
  }

  leases(options?: CallOptions): Promise<LeaseInfo[]> {
    return this.calls.call("listLeases", {}, options).then((answer) => answer.leases);
  }

  revoke(lease: string, options?: CallOptions): Promise<undefined> {
    return this.calls.call("revokeLease", { path: { lease } }, options);
  }

  /** How many there were. */
  revokeAll(options?: CallOptions): Promise<number> {
    return this.calls.call("revokeAllLeases", {}, options).then((answer) => answer.revoked);
  }

  bindings(options?: CallOptions): Promise<Binding[]> {
    return this.calls.call("listBindings", {}, options).then((answer) => answer.bindings);
  }

  /** Lets requests to some hosts have a secret, which the sandbox itself never sees. */
  bind(request: BindRequest, options?: CallOptions): Promise<Binding> {
    return this.calls.call("bindSecret", { body: request }, options);
  }

  /** One by its id, or all of a secret by its name. */
  unbind(binding: string, options?: CallOptions): Promise<undefined> {
    return this.calls.call("unbindSecret", { path: { binding } }, options);
  }

  /** The last lines of the audit log; without a number, all. */
  audit(tail = 0, options?: CallOptions): Promise<AuditEntry[]> {
    return this.calls.call("getAudit", { query: { tail } }, options).then((answer) => answer.entries);
  }

  verifyAudit(options?: CallOptions): Promise<AuditReport> {
    return this.calls.call("verifyAudit", {}, options);
  }

  status(options?: CallOptions): Promise<SecretsStatus> {
    return this.calls.call("getSecretsStatus", {}, options);
  }
}
