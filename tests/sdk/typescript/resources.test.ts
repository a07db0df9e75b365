// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { isError, type Decision, type Progress } from "@sandboxd/sdk";

import { box, eventually, sandboxd, world } from "./world.js";

const sandbox = await box("resources");

test("a policy is changed as a whole or not at all, and says what it allows", async () => {
  const rules = await sandbox.network.edit([{ name: "preset", value: "agent" }, { name: "allow-host", value: "a.test" }]);
  assert.equal(rules.policy.default, "deny");
  assert.ok(rules.network.allowedDomains.includes("a.test"));
  await assert.rejects(sandbox.network.edit([{ name: "allow-host", value: "b.test" }, { name: "allow-host", value: "a..b" }]),
                       (error) => isError(error, "invalid"));
  assert.ok(!(await sandbox.network.policy()).network.allowedDomains.includes("b.test"));
  assert.equal((await sandbox.network.check("https://a.test/x?y=1&z")).allowed, true);
  const refused = await sandbox.network.check("https://evil.test");
  assert.deepEqual([refused.allowed, refused.decision], [false, "deny"]);
  assert.match(refused.remedy ?? "", /--allow-host/);
});

test("what was decided is in the log, and told while it happens", async () => {
  const controller = new AbortController();
  const seen: Decision[] = [];
  const following = (async () => {
    for await (const decision of sandbox.network.followLog({ signal: controller.signal })) seen.push(decision);
  })();
  await eventually(async () => {
    await sandbox.run(["curl", "-s", "-m", "5", "http://evil.test/"]);
    return seen.some(({ host, allowed }) => host === "evil.test:80" && !allowed);
  });
  controller.abort();
  await assert.rejects(following, { name: "AbortError" });
  const log = await sandbox.network.log({ blocked: true });
  assert.ok(log.blocked_hosts.some(({ host }) => host === "evil.test:80"));
  assert.deepEqual(log.allowed_hosts, []);
  assert.ok((await sandboxd.networkLog({ limit: 5 })).blocked_hosts.length > 0);
});

test("a port is published, reached and taken away", async () => {
  await sandbox.detach(["python3", "-c", "import socket\ns = socket.create_server(('0.0.0.0', 8080))\nwhile True: s.accept()[0].sendall(b'hi')"]);
  const [published] = await sandbox.network.publish(8080);
  assert.ok(published && published.host_port > 0);
  await eventually(async () => (await said(published.host_port)) === "hi");
  assert.deepEqual(await sandbox.network.ports(), [published]);
  assert.deepEqual(await sandbox.network.unpublish([published]), []);
  assert.deepEqual(await sandbox.network.addHosts([{ name: "db.test", address: "10.0.0.1" }]), [{ name: "db.test", address: "10.0.0.1" }]);
});

function said(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.on("data", (bytes) => (socket.destroy(), resolve(`${bytes}`)));
    socket.on("error", () => resolve(""));
    socket.on("close", () => resolve(""));
  });
}

const tarOf = (directory: string): AsyncIterable<Uint8Array> => spawn("tar", ["-C", directory, "-c", "."]).stdout;

test("templates are pulled, tagged, listed, archived, loaded and removed", async () => {
  const { templates } = sandboxd;
  const image = `${process.env["REGISTRY"]}/busy:1`;
  const steps: Progress[] = [];
  const pulled = await templates.pull(image, { from: "registry", onProgress: (step) => steps.push(step) });
  assert.ok(steps.length > 0);
  await templates.tag(image, "org/mine:2");
  assert.equal((await templates.get("org/mine:2")).digest, pulled.digest);
  assert.ok((await templates.list()).some(({ names }) => names.some((name) => name.includes("org/mine"))));
  assert.ok((await templates.history("org/mine:2")).length > 0);
  const loaded = await templates.load(templates.archive("org/mine:2"));
  assert.equal(loaded.templates.length, 1);
  await templates.remove("org/mine:2");
  await assert.rejects(templates.get("org/mine:2"), (error) => isError(error, "not_found"));
  await assert.rejects(templates.pull(`${process.env["REGISTRY"]}/none:1`), (error) => error instanceof Error);
});

test("a Dockerfile is built, and what its steps print comes as it is printed", async () => {
  const directory = join(world, "build");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "Dockerfile"), "FROM shell\nCOPY file /etc/built\nRUN echo step-output\n");
  await writeFile(join(directory, "file"), "content");
  let printed = "";
  const built = await sandboxd.templates.build({ tag: "built:1" }, tarOf(directory), { onOutput: (text) => (printed += text) });
  assert.match(printed, /step-output/);
  const other = await box("built", { template: "built:1" });
  assert.equal(await other.files.readText("/etc/built"), "content");
  assert.ok((await sandboxd.templates.get(built.digest)).used_by.includes("built"));
  await other.files.write("/etc/saved", "x", { user: "root" });
  assert.match((await other.save("saved:1")).digest, /^sha256:/);
  await other.remove();
  const removed = await sandboxd.templates.remove("saved:1");
  assert.equal(removed.names.length, 1);
  assert.ok((await sandboxd.templates.prune()).bytes >= 0);
  await assert.rejects(sandboxd.templates.build({ tag: "x:1" }, tarOf("/var/empty-or-not-there")), Error);
});

test("a secret is stored, leased, bound and gone; its value is only ever in a lease", async () => {
  const { secrets } = sandboxd;
  await secrets.add("token", "s3cr3t");
  await assert.rejects(secrets.add("token", "other"), (error) => isError(error, "conflict"));
  await secrets.add("token", "n3w3r", { update: true });
  assert.ok(!JSON.stringify(await secrets.list()).includes("n3w3r"));
  const lease = await secrets.lease("token", { ttl_s: 60, client_id: "test" });
  assert.equal(lease.value, "n3w3r");
  assert.ok((await secrets.leases()).some(({ lease_id }) => lease_id === lease.lease_id));
  const binding = await secrets.bind({ secret: "token", hosts: ["api.test"], header: "X-Key", sandbox: sandbox.name });
  assert.deepEqual((await secrets.bindings()).map(({ id }) => id), [binding.id]);
  assert.ok((await sandbox.credentials()).some(({ hosts }) => hosts.includes("api.test")));
  await secrets.unbind(binding.id);
  await secrets.revoke(lease.lease_id);
  assert.ok(!(await secrets.leases()).some(({ lease_id }) => lease_id === lease.lease_id));
  const another = await secrets.lease("token");
  assert.ok((await secrets.revokeAll()) >= 1);
  assert.ok(!(await secrets.leases()).some(({ lease_id }) => lease_id === another.lease_id));
  assert.ok((await secrets.audit(3)).length === 3);
  assert.equal((await secrets.verifyAudit()).intact, true);
  await secrets.remove("token");
  assert.equal((await secrets.status()).secrets, 0);
});

test("what has no method of its own is called by its name", async () => {
  assert.ok((await sandboxd.call("listVms", {})).some(({ vm_name }) => vm_name === sandbox.name));
});
