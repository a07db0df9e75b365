// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The sandbox of one scope: made, held to its rules, given its credentials, and only then started.
import { createHash } from "node:crypto";
import path from "node:path";

const longestName = 63;

/** The same scope has the same sandbox, and two scopes never have one. */
export function runtimeName(scopeKey) {
  const hash = createHash("sha256").update(scopeKey).digest("hex").slice(0, 12);
  const readable = scopeKey.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `openclaw-${readable.slice(0, longestName - 22)}-${hash}`.replace(/-+/g, "-");
}

export async function ensureRuntime(client, config, params) {
  const sandbox = await client.create({ ...requestFor(config, params), reuse: true });
  await bindExactly(client.secrets, sandbox.name, config.credentials);
  await sandbox.start();
  await setUp(sandbox, params.cfg.docker.setupCommand);
  return sandbox;
}

export async function removeRuntime(client, name) {
  await bindExactly(client.secrets, name, []);
  await client.sandbox(name).remove().catch((error) => {
    if (error.code !== "not_found") throw error;
  });
}

function requestFor(config, { scopeKey, cfg, workspaceDir, agentWorkspaceDir }) {
  const limits = limitsOf(cfg.docker);
  return {
    agent: config.agent,
    policy: config.policy,
    name: runtimeName(scopeKey),
    ...(config.template && { template: config.template }),
    ...(config.backend && { backend: config.backend }),
    workspaces: workspacesOf(cfg.workspaceAccess, workspaceDir, agentWorkspaceDir),
    ...(Object.keys(limits).length > 0 && { limits }),
    environment: cfg.docker.env ?? {},
    docker: "off",
  };
}

// Directories have the same path on both sides. With the access "ro" all are read-only, with "none" the agent's is not there.
function workspacesOf(access, workspaceDir, agentWorkspaceDir) {
  const readonly = access === "ro";
  const directories = access === "none" ? [workspaceDir] : [workspaceDir, agentWorkspaceDir];
  const paths = [...new Set(directories.map((directory) => path.resolve(directory)))];
  return paths.map((source) => ({ source, target: source, readonly }));
}

function limitsOf({ memory, cpus, pidsLimit }) {
  return {
    ...(memory !== undefined && { memory: bytesOf(memory) }),
    ...(cpus !== undefined && { cpus: Number(cpus) }),
    ...(pidsLimit !== undefined && pidsLimit > 0 && { pids: pidsLimit }),
  };
}

function bytesOf(size) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([bkmg]?)b?$/i.exec(String(size)) ?? [];
  if (number === undefined) throw new Error(`sandboxd: docker.memory is no size: ${size}`);
  return Math.round(Number(number) * 1024 ** "bkmg".indexOf((unit || "b").toLowerCase()));
}

/** What the sandbox has bound to it is what is asked for: no more, and no less. */
async function bindExactly(secrets, sandbox, wanted) {
  const bound = (await secrets.bindings()).filter((binding) => binding.sandbox === sandbox);
  const isWanted = (binding) => wanted.some((one) => isSame(one, binding));
  for (const binding of bound) if (!isWanted(binding)) await secrets.unbind(binding.id);
  for (const one of wanted) if (!bound.some((binding) => isSame(one, binding))) await secrets.bind({ ...one, sandbox });
}

function isSame(wanted, bound) {
  const words = ["secret", "service", "header", "format", "variable"];
  const hosts = (value) => JSON.stringify(value.hosts ?? []);
  return words.every((word) => wanted[word] === undefined || wanted[word] === bound[word]) &&
    (wanted.hosts === undefined || hosts(wanted) === hosts(bound));
}

// Once for each sandbox and command, also when a gateway has died in between.
async function setUp(sandbox, command) {
  if (!command) return;
  const done = `/var/lib/openclaw-setup-${createHash("sha256").update(command).digest("hex").slice(0, 16)}`;
  const script = `[ -e "$1" ] || { /bin/sh -lc "$2" && touch "$1"; }`;
  const { exit, stderr } = await sandbox.run(["sh", "-c", script, "setup", done, command], { user: "root" });
  if (exit.code !== 0) throw new Error(`sandboxd: setupCommand failed in ${sandbox.name}: ${stderr.toString().trim() || exit.code}`);
}
