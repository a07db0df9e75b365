// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
export type Tool = "claude" | "codex" | "pi";

export interface ToolResult {
  /** 1 where the program has none, because a signal ended it. */
  exitCode: number;
  /** What it printed, then a line `--- STDERR ---`, then what it said on standard error. */
  output: string;
}

const minutes = 60_000;

/** How long a tool may work on one prompt, in milliseconds. */
export const toolTimeouts: Record<Tool, number> = { codex: 15 * minutes, claude: 20 * minutes, pi: 20 * minutes };

/** How a tool is asked. In a sandbox it need not ask back: what it may do is the sandbox's to say. */
export function toolCommand(tool: Tool, prompt: string, where: "host" | "sandbox", model?: string): string[] {
  const byModel = model === undefined ? [] : [tool === "codex" ? "-m" : "--model", model];
  if (tool === "codex") {
    const trust = where === "sandbox" ? "--dangerously-bypass-approvals-and-sandbox" : "--full-auto";
    return ["codex", "exec", trust, ...byModel, prompt];
  }
  // Seed 004 has `pi --prompt PROMPT --no-tui`, which pi refuses: it knows neither option.
  if (tool === "pi") return ["pi", ...byModel, "-p", prompt];
  const trust = where === "sandbox" ? ["--dangerously-skip-permissions"] : [];
  return ["claude", "-p", prompt, "--output-format", "text", ...trust, ...byModel];
}

export function toolOutput(stdout: Buffer, stderr: Buffer): string {
  return `${stdout}\n--- STDERR ---\n${stderr}`;
}
