// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { SandboxError } from "./errors.js";

export interface DaemonOptions {
  /** Where state is; by default $SANDBOXES_HOME, or ~/.docker/sandboxes. */
  home?: string;
  /** The program that starts the daemon; by default `sandbox`, found in $PATH. */
  program?: string;
  /** Whether a daemon that does not run is started; by default it is. */
  start?: boolean;
}

/** The daemon of a home: where it listens, and how it is started. */
export class Daemon {
  readonly home: string;
  readonly #program: string;
  readonly #mayStart: boolean;
  #starting: Promise<void> | undefined;

  constructor(options: DaemonOptions = {}) {
    this.home = options.home ?? (process.env["SANDBOXES_HOME"] || join(homedir(), ".docker", "sandboxes"));
    if (!isAbsolute(this.home)) throw new SandboxError("invalid", "SANDBOXES_HOME must be an absolute path");
    this.#program = options.program ?? "sandbox";
    this.#mayStart = options.start ?? true;
  }

  get socket(): string {
    return join(this.home, "sandboxd.sock");
  }

  /** Returns when a daemon serves. Calls that come meanwhile wait for the same start. */
  start(): Promise<void> {
    this.#starting ??= this.#run().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  #run(): Promise<void> {
    if (!this.#mayStart)
      return Promise.reject(new SandboxError("unavailable", "no daemon is running", "sandbox daemon start"));
    const environment = { ...process.env, SANDBOXES_HOME: this.home };
    return new Promise((resolve, reject) => {
      execFile(this.#program, ["daemon", "start"], { env: environment }, (error, _stdout, stderr) => {
        if (!error) resolve();
        else if (error.code === "ENOENT") reject(this.#notInstalled(error));
        else reject(new SandboxError("unavailable", stderr.trim() || error.message, undefined, { cause: error }));
      });
    });
  }

  #notInstalled(cause: Error): SandboxError {
    return new SandboxError("unsupported", `${this.#program}: not found, so no daemon can be started`,
                            "install sandboxd, or pass its path as `program`", { cause });
  }
}
