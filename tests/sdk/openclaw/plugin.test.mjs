// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The plugin as OpenClaw installed it, driven by OpenClaw's own functions against the real daemon.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";

import { configWith, internal, runSpec, world } from "./openclaw.mjs";

const installed = join(process.env.OPENCLAW_STATE_DIR, "extensions", "sandboxd");
const load = (file) => import(pathToFileURL(join(installed, file)).href);
const { default: plugin } = await load("index.js");
const { readConfig } = await load("config.js");
const { Sandboxd } = await load("node_modules/@sandboxd/sdk/dist/index.js");
const resolveSandboxContext = await internal("context-", "resolveSandboxContext");
const listSandboxContainers = await internal("manage-", "listSandboxContainers");
const removeSandboxContainer = await internal("manage-", "removeSandboxContainer");

const sandboxd = new Sandboxd();
const cleanups = [];
const register = (pluginConfig) =>
  plugin.register({ registrationMode: "full", pluginConfig, lifecycle: { registerRuntimeLifecycle: (one) => cleanups.push(one) } });

await sandboxd.secrets.add("token", "sk-of-the-host");
register({
  network: { preset: "deny", allow: ["up.test"] },
  credentials: [{ secret: "token", hosts: ["up.test"], header: "x-api-key" }],
});

const workspaceDir = join(world, "agent");
mkdirSync(workspaceDir, { recursive: true });
writeFileSync(join(workspaceDir, "README"), "of the host\n");
const sessionKey = "agent:main:subagent:one";
const context = await resolveSandboxContext({ config: configWith("sandboxd"), sessionKey, workspaceDir });
const { backend, fsBridge } = context;
after(async () => {
  for (const { name } of await sandboxd.list()) await sandboxd.sandbox(name).remove();
});

test("a session has a sandbox of its own, by `sandbox exec`", async () => {
  assert.equal(backend.id, "sandboxd");
  assert.match(backend.runtimeId, /^openclaw-agent-main-subagent-one-(.*-)?[0-9a-f]{12}$/);
  const { argv, stdout, stderr, code } = await runSpec(backend, "cat README; pwd; id -un; echo oops >&2; exit 6");
  assert.deepEqual(argv.slice(0, 7), ["sandbox", "exec", "-i", "-w", workspaceDir, backend.runtimeId, "/bin/sh"]);
  assert.deepEqual([stdout, stderr, code], [`of the host\n${workspaceDir}\nagent\n`, "oops\n", 6]);
  const again = await resolveSandboxContext({ config: configWith("sandboxd"), sessionKey, workspaceDir });
  assert.equal(again.backend.runtimeId, backend.runtimeId);
});

test("variables, standard input and a terminal", async () => {
  const env = { WORD: "it's \"$HOME\"" };
  assert.equal((await runSpec(backend, 'printf %s "$WORD"', { env })).stdout, env.WORD);
  assert.equal((await runSpec(backend, "cat", { stdin: "from stdin" })).stdout, "from stdin");
  const onTerminal = await runSpec(backend, "test -t 0 && test -t 1 && echo terminal; read word; echo got $word; exit 5", { usePty: true, stdin: "hello\n" });
  assert.match(onTerminal.stdout, /terminal\r\n[^]*got hello\r\n/);
  assert.equal(onTerminal.code, 5);
});

test("runShellCommand: arguments are words, output is bytes, a failure is told or thrown", async () => {
  const script = 'printf "%s|" "$@"; cat';
  const { stdout } = await backend.runShellCommand({ script, args: ["a b", "$(id)"], stdin: Buffer.from([0, 255]) });
  assert.deepEqual(stdout, Buffer.concat([Buffer.from("a b|$(id)|"), Buffer.from([0, 255])]));
  assert.equal((await backend.runShellCommand({ script: "exit 3", allowFailure: true })).code, 3);
  await assert.rejects(backend.runShellCommand({ script: "echo no >&2; exit 3" }), /no/);
});

test("the file bridge reads and writes the workspace, which is the host's", async () => {
  await fsBridge.writeFile({ filePath: "notes/one.txt", cwd: workspaceDir, data: "text" });
  assert.equal(readFileSync(join(workspaceDir, "notes/one.txt"), "utf8"), "text");
  assert.equal(`${await fsBridge.readFile({ filePath: "notes/one.txt", cwd: workspaceDir })}`, "text");
  await fsBridge.rename({ from: "notes/one.txt", to: "notes/two.txt", cwd: workspaceDir });
  assert.equal((await fsBridge.stat({ filePath: "notes/two.txt", cwd: workspaceDir })).type, "file");
  await fsBridge.remove({ filePath: "notes/two.txt", cwd: workspaceDir });
  assert.equal(existsSync(join(workspaceDir, "notes/two.txt")), false);
});

test("the file bridge follows no link out of the workspace, and neither would it reach the host", async () => {
  symlinkSync("/etc", join(workspaceDir, "planted"));
  await assert.rejects(fsBridge.readFile({ filePath: "planted/hostname", cwd: workspaceDir }));
  await assert.rejects(fsBridge.writeFile({ filePath: "planted/x", cwd: workspaceDir, data: "x" }));
  await assert.rejects(fsBridge.readFile({ filePath: "/etc/hostname", cwd: workspaceDir }));
});

test("what the policy denies is not reached, and what it allows gets a credential that the sandbox never has", async () => {
  await sandboxd.sandbox(backend.runtimeId).network.addHosts([{ name: "up.test", address: "127.0.0.1" }, { name: "other.test", address: "127.0.0.1" }]);
  const record = (host) => runSpec(backend, `curl -s -m 20 -w '%{http_code}' https://${host}:${process.env.TLS_PORT}/record`);
  assert.match((await record("other.test")).stdout, /403$/);
  const { stdout } = await record("up.test");
  assert.match(stdout, /recorded/);
  assert.match(readFileSync(join(world, "upstreams", "recorded"), "utf8"), /x-api-key: sk-of-the-host/);
  assert.doesNotMatch((await runSpec(backend, "env; cat /proc/1/environ 2>/dev/null")).stdout, /sk-of-the-host/);
});

test("what was taken out of the configuration holds no more", async () => {
  register({ network: { preset: "agent" } });
  await resolveSandboxContext({ config: configWith("sandboxd"), sessionKey, workspaceDir });
  const sandbox = sandboxd.sandbox(backend.runtimeId);
  assert.equal((await sandbox.network.check("https://up.test")).allowed, false);
  assert.equal((await sandbox.network.check("https://api.anthropic.com")).allowed, true);
  assert.deepEqual(await sandboxd.secrets.bindings(), []);
});

test("access to the workspace is what the configuration says, by the kernel's word", async () => {
  const open = async (workspaceAccess, key) =>
    (await resolveSandboxContext({ config: configWith("sandboxd", { workspaceAccess }), sessionKey: key, workspaceDir })).backend;
  const readOnly = await open("ro", "agent:main:subagent:ro");
  assert.equal((await runSpec(readOnly, `cat ${workspaceDir}/README`)).stdout, "of the host\n");
  assert.match((await runSpec(readOnly, `echo x >${workspaceDir}/README`)).stderr, /Read-only file system/);
  const none = await open("none", "agent:main:subagent:none");
  assert.notEqual((await runSpec(none, `cat ${workspaceDir}/README`)).code, 0);
  assert.equal((await runSpec(none, "echo own >file; cat file")).stdout, "own\n");
});

test("limits and setupCommand of the docker section are kept, and the command is run once", async () => {
  const docker = { memory: "256m", pidsLimit: 200, setupCommand: "echo ran >>/etc/setup" };
  const key = "agent:main:subagent:limits";
  for (let round = 0; round < 2; ++round) {
    const { backend: limited } = await resolveSandboxContext({ config: configWith("sandboxd", { docker }), sessionKey: key, workspaceDir });
    assert.equal((await runSpec(limited, "cat /etc/setup")).stdout, "ran\n");
    const { limits } = await sandboxd.sandbox(limited.runtimeId).info();
    assert.deepEqual([limits.memory, limits.pids], [256 << 20, 200]);
  }
});

test("what cannot be kept is refused, and leaves nothing that runs", async () => {
  const make = (sandbox, key) => resolveSandboxContext({ config: configWith("sandboxd", sandbox), sessionKey: key, workspaceDir });
  await assert.rejects(make({ docker: { binds: ["/tmp:/tmp"] } }, "agent:main:subagent:binds"), /binds/);
  register({ credentials: [{ secret: "no-such-secret", service: "anthropic" }] });
  await assert.rejects(make({}, "agent:main:subagent:secret"));
  const { status } = (await sandboxd.list()).find(({ name }) => name.startsWith("openclaw-agent-main-subagent-secret-"));
  assert.equal(status, "stopped");
  register({});
});

test("an unknown key of the configuration is an error", () => {
  for (const config of [{ polcy: {} }, { network: { allowed: ["a"] } }, { network: { preset: "open" } }, { credentials: [{ secret: "a", host: "b" }] },
                        { credentials: [{ secret: "a" }] }, { credentials: {} }, []])
    assert.throws(() => readConfig(config), /sandboxd: /);
});

test("OpenClaw lists its runtimes, and removing one removes the sandbox and no other", async () => {
  const listed = (await listSandboxContainers()).find(({ containerName }) => containerName === backend.runtimeId);
  assert.deepEqual([listed.backendId, listed.running], ["sandboxd", true]);
  const before = (await sandboxd.list()).length;
  await removeSandboxContainer(backend.runtimeId);
  const left = await sandboxd.list();
  assert.equal(left.length, before - 1);
  assert.ok(!left.some(({ name }) => name === backend.runtimeId));
  assert.equal(readFileSync(join(workspaceDir, "README"), "utf8"), "of the host\n");
});

test("a plugin that is disabled takes its backend away", async () => {
  for (const { cleanup } of cleanups) await cleanup({ reason: "disable" });
  await assert.rejects(resolveSandboxContext({ config: configWith("sandboxd"), sessionKey, workspaceDir }), /not registered/);
});
