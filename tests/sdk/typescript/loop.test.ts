// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The functions of the agent loop (seed 004), with tools that the test plays: they say how they were called.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import {
  createLoopSandbox, destroyLoopSandbox, execInSandbox, isError, Sandboxd, spawnTool, type Tool, toolTimeouts,
} from "@sandboxd/sdk";

import { eventually, sandboxd, workspace, world } from "./world.js";

const workDir = await workspace("loop");
// Each argument in brackets, so that one that was split or joined is seen.
const fakeTool = `#!/bin/sh
if [ -n "$FAKE_HANG" ]; then sleep 5432 & sleep 5432; fi
printf '%s' "\${0##*/}"; for word; do printf ' [%s]' "$word"; done; echo
echo "in $PWD$FAKE_SAYS" >&2
echo story >> story
exit "\${FAKE_EXIT:-0}"
`;

after(async () => {
  for (const { name } of await sandboxd.list()) if (name.startsWith("loop-")) await sandboxd.sandbox(name).remove();
});

async function fakeInSandbox(name: string, tool: Tool): Promise<void> {
  await sandboxd.sandbox(name).files.write(`/usr/local/sbin/${tool}`, fakeTool, { mode: 0o755, user: "root" });
}

test("a loop's sandbox has its exact name, runs, and denies all but what agents need", async () => {
  const name = await createLoopSandbox("l1", "claude", workDir);
  assert.equal(name, "loop-l1-claude");
  const info = await sandboxd.sandbox(name).info();
  assert.deepEqual([info.status, info.agent, info.workspaces[0]?.source], ["running", "claude", workDir]);
  const rules = await sandboxd.sandbox(name).network.policy();
  assert.equal(rules.policy.default, "deny");
  assert.ok(rules.network.allowedDomains.includes("api.anthropic.com"));
  assert.equal(await createLoopSandbox("l1", "claude", workDir), name, "a loop that begins again finds it");
  assert.equal(await createLoopSandbox("l1", "codex", workDir), "loop-l1-codex");
});

test("the command line knows a loop's sandboxes, and they stop when they are idle", async () => {
  const name = await createLoopSandbox("l4", "codex", workDir);
  const { labels, idle_stop_s } = await sandboxd.sandbox(name).info();
  assert.deepEqual([labels, idle_stop_s], [{ "sandbox.loop": "l4" }, 3600]);
  const listed = spawnSync("sandbox", ["loop", "ls", "--json"], { encoding: "utf8" }).stdout;
  const { loops } = JSON.parse(listed) as { loops: { id: string; sandboxes: string[] }[] };
  const loop = loops.find(({ id }) => id === "l4");
  assert.deepEqual(loop?.sandboxes, [name]);
  assert.equal(spawnSync("sandbox", ["loop", "end", "l4"], { encoding: "utf8" }).stdout, `${name}\n`);
  await assert.rejects(sandboxd.sandbox(name).info(), (error) => isError(error, "not_found"));
});

test("another policy is the caller's to choose, and one that is refused leaves no sandbox", async () => {
  const name = await createLoopSandbox("l2", "codex", workDir, { policy: [{ name: "policy", value: "deny" }] });
  assert.deepEqual((await sandboxd.sandbox(name).network.policy()).network.allowedDomains, []);
  await assert.rejects(createLoopSandbox("l3", "codex", workDir, { policy: [{ name: "preset", value: "none" }] }));
  await assert.rejects(sandboxd.sandbox("loop-l3-codex").info(), (error) => isError(error, "not_found"));
});

test("execInSandbox: output form, exit code, environment and directory", async () => {
  const result = await execInSandbox("loop-l1-claude", ["sh", "-c", 'echo "$A in $PWD"; echo why >&2; exit 9'],
                                     { env: { A: "b c" }, workDir: "/tmp" });
  assert.deepEqual(result, { exitCode: 9, output: "b c in /tmp\n\n--- STDERR ---\nwhy\n" });
  assert.deepEqual(await execInSandbox("loop-l1-claude", ["true"]), { exitCode: 0, output: "\n--- STDERR ---\n" });
  assert.equal((await execInSandbox("loop-l1-claude", ["no-such-tool"])).exitCode, 127);
  assert.equal((await execInSandbox("loop-l1-claude", ["sh", "-c", "kill -9 $$"])).exitCode, 1, "no code of its own");
  await assert.rejects(execInSandbox("loop-none-claude", ["true"]), (error) => isError(error, "not_found"));
});

test("execInSandbox: a timeout ends the whole process group, also one that ignores TERM", async () => {
  const script = "trap '' TERM; echo begun; (trap '' TERM; sleep 4321) & sleep 4321";
  const { exitCode, output } = await execInSandbox("loop-l1-claude", ["sh", "-c", script], { timeout: 300 });
  assert.equal(exitCode, 1);
  assert.match(output, /^begun\n\n--- STDERR ---\n[^]*ended after 300 ms\n$/);
  await eventually(async () => (await execInSandbox("loop-l1-claude", ["pgrep", "-f", "sleep 4321"])).exitCode === 1);
});

test("spawnTool: in the sandbox when there is one, with the prompt as one word", async () => {
  const prompt = 'do "it"; $(touch pwned) `id`\n-- now';
  await fakeInSandbox("loop-l1-claude", "claude");
  await fakeInSandbox("loop-l1-codex", "codex");
  assert.deepEqual(await spawnTool("claude", prompt, workDir, "l1", { model: "m2" }), {
    exitCode: 0,
    output: `claude [-p] [${prompt}] [--output-format] [text] [--dangerously-skip-permissions] [--model] [m2]\n\n--- STDERR ---\nin ${workDir}\n`,
  });
  assert.deepEqual(await spawnTool("codex", prompt, workDir, "l1", { model: "m1", env: { FAKE_EXIT: "4" } }), {
    exitCode: 4,
    output: `codex [exec] [--dangerously-bypass-approvals-and-sandbox] [-m] [m1] [${prompt}]\n\n--- STDERR ---\nin ${workDir}\n`,
  });
  assert.equal(await readFile(join(workDir, "story"), "utf8"), "story\nstory\n", "what it wrote is here");
  assert.deepEqual(await readdir(workDir), ["story"]);
});

test("the timeouts are those of the loop", () => {
  assert.deepEqual(toolTimeouts, { codex: 900_000, claude: 1_200_000, pi: 1_200_000 });
});

/** spawnTool in a process of its own, whose standard error we read. */
async function spawnElsewhere(tool: Tool, loopId: string, environment: Record<string, string>, timeout = 60_000) {
  const bin = join(world, "host-bin");
  await mkdir(bin, { recursive: true });
  for (const name of ["claude", "codex", "pi"]) {
    await writeFile(join(bin, name), fakeTool);
    await chmod(join(bin, name), 0o755);
  }
  const script = `import { spawnTool } from "@sandboxd/sdk";
    console.log(JSON.stringify(await spawnTool("${tool}", "the prompt", process.argv[1], "${loopId}",
      { model: "m1", timeout: ${timeout}, env: { FAKE_SAYS: ", by env" } })));`;
  const path = `${bin}:${process.env["PATH"]}`;
  const options = { env: { ...process.env, PATH: path, ...environment }, encoding: "utf8" as const };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script, workDir], options);
  return { result: stdout === "" ? undefined : (JSON.parse(stdout) as { exitCode: number; output: string }), stderr };
}

test("spawnTool: on the host when AGENT_LOOP_HOST=1, and says so", async () => {
  const { result, stderr } = await spawnElsewhere("claude", "l1", { AGENT_LOOP_HOST: "1" });
  assert.match(stderr, /WARNING: claude runs ON THE HOST, WITHOUT A SANDBOX: AGENT_LOOP_HOST=1/);
  assert.deepEqual(result, { exitCode: 0, output: `claude [-p] [the prompt] [--output-format] [text] [--model] [m1]\n\n--- STDERR ---\nin ${workDir}, by env\n` });
});

test("spawnTool: on the host when there is no sandbox, and says so", async () => {
  const { result, stderr } = await spawnElsewhere("codex", "none", { FAKE_EXIT: "3" });
  assert.match(stderr, /ON THE HOST, WITHOUT A SANDBOX: there is no sandbox loop-none-codex/);
  assert.deepEqual(result, { exitCode: 3, output: `codex [exec] [--full-auto] [-m] [m1] [the prompt]\n\n--- STDERR ---\nin ${workDir}, by env\n` });
});

test("spawnTool: AGENT_LOOP_HOST=0 refuses the host, where there is no sandbox or no sandboxd", async () => {
  const none = await spawnElsewhere("codex", "none", { AGENT_LOOP_HOST: "0" });
  assert.equal(none.result, undefined);
  assert.match(none.stderr, /no sandbox loop-none-codex, and AGENT_LOOP_HOST=0/);
  const nowhere = { PATH: join(world, "host-bin") + ":/usr/bin:/bin", SANDBOXES_HOME: join(world, "nothing") };
  const missing = await spawnElsewhere("pi", "l1", { AGENT_LOOP_HOST: "0", ...nowhere });
  assert.equal(missing.result, undefined);
  assert.match(missing.stderr, /sandbox: not found/);
});

test("spawnTool: a timeout on the host ends the tool and what it has started", async () => {
  const { result } = await spawnElsewhere("claude", "none", { FAKE_HANG: "1" }, 300);
  assert.deepEqual(result, { exitCode: 1, output: "\n--- STDERR ---\nsandboxd: ended after 300 ms\n" });
  await eventually(async () => spawnSync("pgrep", ["-f", "sleep 5432"]).status === 1);
});

test("spawnTool: on the host where sandboxd is not installed, and says so", async () => {
  const { result, stderr } = await spawnElsewhere("pi", "l1", { PATH: join(world, "host-bin") + ":/usr/bin:/bin", SANDBOXES_HOME: join(world, "nothing") });
  assert.match(stderr, /ON THE HOST, WITHOUT A SANDBOX: sandbox: not found/);
  assert.match(result?.output ?? "", /^pi \[--model\] \[m1\] \[-p\] \[the prompt\]\n/);
});

test("spawnTool: a daemon that cannot be started is an error, and no reason for the host", async () => {
  const program = join(world, "broken");
  await writeFile(program, "#!/bin/sh\necho broken >&2\nexit 1\n");
  await chmod(program, 0o755);
  const client = new Sandboxd({ home: join(world, "broken-home"), program });
  await assert.rejects(spawnTool("claude", "work", workDir, "l1", { client }), (error) => isError(error, "unavailable"));
});

test("destroyLoopSandbox removes all of its loop, and none of another's", async () => {
  await createLoopSandbox("l1-more", "codex", workDir);
  await destroyLoopSandbox("l1");
  const names = (await sandboxd.list()).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.startsWith("loop-l1")), ["loop-l1-more-codex"]);
  await destroyLoopSandbox("l1");
});
