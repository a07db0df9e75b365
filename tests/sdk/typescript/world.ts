// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What the tests share: the daemon of the world that typescript.bats has made, and a sandbox to work in.
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";

import { Sandboxd, type CreateRequest, type Sandbox } from "@sandboxd/sdk";

export const world = process.env["WORLD"] ?? "";
export const sandboxd = new Sandboxd();

export const workspace = (name: string): Promise<string> => mkdtemp(join(world, `ws-${name}-`));

/** A sandbox that is removed when the tests of the file are over. */
export async function box(name: string, more: CreateRequest = {}): Promise<Sandbox> {
  const directory = await workspace(name);
  const workspaces = [{ source: directory, target: directory }];
  const sandbox = await sandboxd.create({ agent: "shell", name, workspaces, start: true, ...more });
  after(async () => {
    if ((await sandboxd.list()).some((one) => one.name === name)) await sandbox.remove();
  });
  return sandbox;
}

/** Waits for something that must happen. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
