// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// OpenClaw's own docker backend, unchanged: the stock docker client, with DOCKER_HOST the docker.sock of a sandbox.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs, { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { configWith, internal, runSpec } from "./openclaw.mjs";

// A machine that was made from a container's image has its mark, and OpenClaw would ask Docker for the container that it
// runs in. It runs in none that this Docker daemon knows.
const existsSync = fs.existsSync;
fs.existsSync = (path) => path !== "/.dockerenv" && existsSync(path);

const resolveSandboxContext = await internal("context-", "resolveSandboxContext");
const listSandboxContainers = await internal("manage-", "listSandboxContainers");
const removeSandboxContainer = await internal("manage-", "removeSandboxContainer");

// The workspace of the sandbox: its Docker daemon has it at the same path, so that OpenClaw's bind mounts are right.
const shared = process.env.SHARED;
const workspaceDir = join(shared, "agent");
mkdirSync(workspaceDir, { recursive: true });
writeFileSync(join(workspaceDir, "README"), "of the host\n");
const docker = (...args) => execFileSync("docker", args, { encoding: "utf8" }).trim();

// In the sandbox the workspace is the agent's, whoever has it on the host; root without capabilities may not write to it.
const dockerConfig = { image: process.env.IMAGE, memory: "256m", user: "1000:1000" };
const config = configWith("docker", { workspaceRoot: join(shared, "sandboxes"), docker: dockerConfig });
const context = await resolveSandboxContext({ config, sessionKey: "agent:main:subagent:docker", workspaceDir });
const { backend, fsBridge } = context;
after(() => docker("rm", "-f", backend.runtimeId));

test("the container is in the sandbox, as OpenClaw wants it: no network, read-only, no capabilities", async () => {
  assert.equal(backend.id, "docker");
  const { HostConfig: host, State: state } = JSON.parse(docker("inspect", backend.runtimeId))[0];
  assert.deepEqual([state.Running, host.NetworkMode, host.ReadonlyRootfs, host.CapDrop, host.Memory], [true, "none", true, ["ALL"], 256 << 20]);
  const { stdout } = await runSpec(backend, "cat README; touch /etc/x || echo read-only; cat /proc/net/dev | grep -c eth");
  assert.match(stdout, /^of the host\nread-only\n0\n$/);
});

test("exec: output, exit code, variables, standard input", async () => {
  const { stdout, stderr, code } = await runSpec(backend, 'echo "$WORD"; cat; echo oops >&2; exit 6', { env: { WORD: "a b" }, stdin: "in" });
  assert.deepEqual([stdout, stderr, code], ["a b\nin", "oops\n", 6]);
});

test("the file bridge reads and writes the workspace, which is the host's", async () => {
  await fsBridge.writeFile({ filePath: "/workspace/notes.txt", cwd: "/workspace", data: "text" });
  assert.equal(readFileSync(join(workspaceDir, "notes.txt"), "utf8"), "text");
  assert.equal(`${await fsBridge.readFile({ filePath: "/workspace/notes.txt", cwd: "/workspace" })}`, "text");
});

test("OpenClaw lists and removes it", async () => {
  const listed = (await listSandboxContainers()).find(({ containerName }) => containerName === backend.runtimeId);
  assert.deepEqual([listed.backendId, listed.running], ["docker", true]);
  await removeSandboxContainer(backend.runtimeId);
  assert.equal(docker("ps", "-aq", "--filter", `name=${backend.runtimeId}`), "");
});
