// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { realpath } from "node:fs/promises";

import { Sandboxd } from "./client.js";
import { isError, SandboxError } from "./errors.js";
import type { PolicyEdit, SandboxInfo } from "./generated/schemas.js";
import { spawnToolHost } from "./host_tool.js";
import type { Sandbox } from "./sandbox.js";
import { type Tool, toolCommand, toolOutput, type ToolResult, toolTimeouts } from "./tools.js";

export interface LoopOptions {
  /** By default the daemon of this user. */
  client?: Sandboxd;
  signal?: AbortSignal;
}

export interface CreateLoopOptions extends LoopOptions {
  /** By default `--preset agent`: everything is denied but what an agent and its builds need. */
  policy?: PolicyEdit[];
  /** By default the tool's own. */
  template?: string;
}

export interface ExecInSandboxOptions extends LoopOptions {
  env?: Record<string, string>;
  /** By default the sandbox's workspace. */
  workDir?: string;
  /** In milliseconds; then the program's process group is ended. */
  timeout?: number;
}

export interface SpawnToolOptions extends LoopOptions {
  /** By default the tool's own of `toolTimeouts`. */
  timeout?: number;
  model?: string;
  env?: Record<string, string>;
}

const defaultPolicy: PolicyEdit[] = [{ name: "preset", value: "agent" }];
const graceMs = 2_000;
// As `sandbox loop start` has them, so that `sandbox loop ls` and `loop end` know what was made here.
const loopLabel = "sandbox.loop";
const idleSeconds = 60 * 60;

export function loopSandboxName(loopId: string, tool: string): string {
  return `loop-${loopId}-${tool}`;
}

/**
 * Makes and starts the sandbox of a loop's tool, and says its name. One that is there for the same directory is used
 * again. One that is made has its policy from the beginning: what fails leaves no sandbox that is open.
 */
export async function createLoopSandbox(
  loopId: string, tool: Tool, workDir: string, options: CreateLoopOptions = {},
): Promise<string> {
  const { client = new Sandboxd(), signal, policy = defaultPolicy, template } = options;
  const directory = await realpath(workDir);
  const workspaces = [{ source: directory, target: directory }];
  const name = loopSandboxName(loopId, tool);
  const labels = { [loopLabel]: loopId };
  const kept = { labels, idle_stop_s: idleSeconds, reuse: true, start: true };
  await client.create({ agent: tool, name, workspaces, policy, ...kept, ...(template && { template }) }, { signal });
  return name;
}

/** Runs a command in a sandbox to its end. */
export async function execInSandbox(
  sandboxName: string, command: string[], options: ExecInSandboxOptions = {},
): Promise<ToolResult> {
  const { client = new Sandboxd(), env, workDir, timeout, signal } = options;
  const asked = { ...(env && { environment: env }), ...(workDir !== undefined && { directory: workDir }), signal };
  return runBounded(client.sandbox(sandboxName), command, asked, timeout);
}

/** Removes every sandbox of a loop, whatever tool it is for. None is no error. */
export async function destroyLoopSandbox(loopId: string, options: LoopOptions = {}): Promise<void> {
  const { client = new Sandboxd(), signal } = options;
  const sandboxes = (await client.list({ signal })).filter((sandbox) => isOfLoop(sandbox, loopId));
  const removed = await Promise.allSettled(sandboxes.map(({ name }) => client.sandbox(name).remove({ signal })));
  for (const result of removed)
    if (result.status === "rejected" && !isError(result.reason, "not_found")) throw result.reason;
}

/**
 * Asks a tool to do something: in the loop's sandbox if there is one, or else on the host, which is said on standard error.
 * AGENT_LOOP_HOST=1 means the host, and AGENT_LOOP_HOST=0 never the host: then it is an error that there is no sandbox. A
 * sandbox that is there and cannot be used is an error, and never a reason to run the tool on the host.
 */
export async function spawnTool(
  tool: Tool, prompt: string, workDir: string, loopId: string, options: SpawnToolOptions = {},
): Promise<ToolResult> {
  const { client = new Sandboxd(), timeout = toolTimeouts[tool], model, env, signal } = options;
  const why = await reasonForHost(client, loopSandboxName(loopId, tool), signal);
  if (why !== undefined)
    return spawnToolHost(toolCommand(tool, prompt, "host", model), why, { workDir, timeout, env, signal });
  const asked = { workDir, timeout, client, ...(env && { env }), ...(signal && { signal }) };
  return execInSandbox(loopSandboxName(loopId, tool), toolCommand(tool, prompt, "sandbox", model), asked);
}

// A beginning of the name would not do: loop-a-b-claude is of the loop a-b, and not of a.
function isOfLoop(sandbox: SandboxInfo, loopId: string): boolean {
  return sandbox.labels?.[loopLabel] === loopId || sandbox.name === loopSandboxName(loopId, sandbox.agent);
}

async function reasonForHost(client: Sandboxd, name: string, signal?: AbortSignal): Promise<string | undefined> {
  if (process.env["AGENT_LOOP_HOST"] === "1") return "AGENT_LOOP_HOST=1";
  try {
    await client.sandbox(name).info({ signal });
    return undefined;
  } catch (error) {
    const refused = process.env["AGENT_LOOP_HOST"] === "0";
    if (isError(error, "not_found") && !refused) return `there is no sandbox ${name}`;
    if (isError(error, "unsupported") && !refused) return error.message;
    if (isError(error, "not_found"))
      throw new SandboxError("not_found", `no sandbox ${name}, and AGENT_LOOP_HOST=0`, "sandbox loop start", { cause: error });
    throw error;
  }
}

async function runBounded(
  sandbox: Sandbox, command: string[], asked: Parameters<Sandbox["exec"]>[1], timeout?: number,
): Promise<ToolResult> {
  const execution = await sandbox.exec(command, asked);
  const timers: NodeJS.Timeout[] = [];
  let note = "";
  const after = (ms: number, act: () => void): number => timers.push(setTimeout(act, ms));
  if (timeout !== undefined) {
    after(timeout, () => {
      note = `sandboxd: ended after ${timeout} ms\n`;
      execution.kill("SIGTERM");
    });
    after(timeout + graceMs, () => execution.kill("SIGKILL"));
  }
  try {
    const { exit, stdout, stderr } = await execution.output();
    const said = Buffer.concat([stderr, Buffer.from(exit.error ? `${exit.error}\n` : ""), Buffer.from(note)]);
    return { exitCode: exit.signal ? 1 : exit.code, output: toolOutput(stdout, said) };
  } finally {
    timers.forEach(clearTimeout);
  }
}
