// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";

import { type ToolResult, toolOutput } from "./tools.js";

export interface HostOptions {
  workDir: string;
  /** In milliseconds; then the tool's process group is killed. */
  timeout: number;
  /** Over this process's own. */
  env?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs a tool on the host, without a sandbox, and says so, and why, on standard error. */
export function spawnToolHost(command: string[], why: string, options: HostOptions): Promise<ToolResult> {
  const { workDir, timeout, env, signal } = options;
  const [program = "", ...args] = command;
  process.stderr.write(`sandboxd: WARNING: ${program} runs ON THE HOST, WITHOUT A SANDBOX: ${why}\n`);
  return new Promise((resolve, reject) => {
    // A process group of its own, so that its end is the end of what the tool has started, too.
    const child = spawn(program, args, {
      cwd: workDir, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const kill = (): void => void (child.pid !== undefined && killGroup(child.pid));
    const timer = setTimeout(() => {
      stderr.push(Buffer.from(`sandboxd: ended after ${timeout} ms\n`));
      kill();
    }, timeout);
    child.stdout.on("data", (bytes: Buffer) => stdout.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => stderr.push(bytes));
    child.on("error", (error) => stderr.push(Buffer.from(`sandboxd: ${error.message}\n`)));
    signal?.addEventListener("abort", kill);
    if (signal?.aborted) kill();
    child.on("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted) return reject(signal.reason);
      const exitCode = code !== null && code >= 0 ? code : 1;
      resolve({ exitCode, output: toolOutput(Buffer.concat(stdout), Buffer.concat(stderr)) });
    });
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
