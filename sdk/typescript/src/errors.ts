// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import type { ErrorBody } from "./generated/schemas.js";

export type ErrorCode = ErrorBody["error"]["code"];

/** What the daemon, or the way to it, says went wrong: what was attempted, on what, why, and what may help. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** A command or a step that would help. */
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Of an answer of 400 and above. */
  static fromBody(status: number, body: string): SandboxError {
    try {
      const { code, message, hint } = (JSON.parse(body) as ErrorBody).error;
      return new SandboxError(code, message, hint);
    } catch {
      return new SandboxError("internal", `the daemon answered with status ${status}`);
    }
  }
}

export function isError(error: unknown, code: ErrorCode): error is SandboxError {
  return error instanceof SandboxError && error.code === code;
}

/** The answer ended before it was whole: the daemon has died, and the next one may be asked again. */
export class BrokenOff extends SandboxError {
  constructor(what: string, options?: ErrorOptions) {
    super("unavailable", `${what}: the daemon ended before it had answered`, "sandbox diagnose", options);
  }
}
