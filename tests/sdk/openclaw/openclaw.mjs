// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// OpenClaw's own functions, of the version that openclaw.bats installs. Those that are no part of its plugin SDK are found
// by their names in its sources, which its bundles keep.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { spawn } from "node:child_process";

const dist = join(process.env.OPENCLAW, "dist");

export const world = process.env.WORLD;

/** A function of the bundle whose file begins so. */
export async function internal(prefix, name) {
  for (const file of readdirSync(dist).filter((one) => one.startsWith(prefix) && one.endsWith(".mjs"))) {
    const exported = new RegExp(`^export \\{.*\\b${name}(?: as (\\w+))?[,} ]`, "m").exec(readFileSync(join(dist, file), "utf8"));
    if (exported) return (await import(pathToFileURL(join(dist, file)).href))[exported[1] ?? name];
  }
  throw new Error(`OpenClaw has no ${name} in ${prefix}*.mjs any more`);
}

/** A configuration of OpenClaw in which every session has a sandbox of its own. */
export function configWith(backend, sandbox = {}) {
  return { agents: { defaults: { sandbox: { mode: "all", scope: "session", workspaceAccess: "rw", backend, ...sandbox } } } };
}

/** What OpenClaw's exec tool does with what buildExecSpec says. */
export async function runSpec(backend, command, { env = {}, workdir, usePty = false, stdin = "" } = {}) {
  const spec = await backend.buildExecSpec({ command, workdir, env, usePty });
  const [program, ...args] = spec.argv;
  const child = spawn(program, args, { env: spec.env, cwd: spec.cwd });
  const output = { argv: spec.argv, stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (output.stdout += bytes));
  child.stderr.on("data", (bytes) => (output.stderr += bytes));
  child.stdin.end(stdin);
  output.code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  await backend.finalizeExec?.({ token: spec.finalizeToken });
  return output;
}
