// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// What OpenClaw asks of a sandbox backend (openclaw/plugin-sdk/sandbox), by `sandbox exec`.
import path from "node:path";

import { Sandboxd } from "@sandboxd/sdk";
import {
  createRemoteShellSandboxBackend, createRemoteShellSandboxFsBridge, createRemoteShellSandboxSession,
} from "openclaw/plugin-sdk/sandbox";

import { ensureRuntime, removeRuntime } from "./runtime.js";

export const backendId = "sandboxd";

export function createBackend(config) {
  const client = new Sandboxd({ ...(config.home && { home: config.home }), ...(config.program && { program: config.program }) });
  return {
    factory: (params) => createHandle(client, config, params),
    manager: createManager(client, config),
    resolveWorkdir: ({ workspaceDir }) => path.resolve(workspaceDir),
  };
}

async function createHandle(client, config, params) {
  if (params.cfg.docker.binds?.length > 0) throw new Error("sandboxd: sandbox.docker.binds is not supported; use workspaceAccess");
  params.assertRuntimeCurrent?.();
  const { name } = await ensureRuntime(client, config, params);
  const remoteWorkspaceDir = path.resolve(params.workspaceDir);
  const shared = await createRemoteShellSandboxBackend(params, {
    backendId,
    runtimeId: name,
    configLabel: labelOf(config),
    configLabelKind: "Template",
    preprovisionedWorkdir: { runtimeId: name, remoteWorkspaceDir },
    createSession: async () => createSession(config, name, remoteWorkspaceDir, params.assertRuntimeCurrent),
  });
  // The agent's own workspace is where it is on the host, too.
  const handle = { ...shared, remoteAgentWorkspaceDir: path.resolve(params.agentWorkspaceDir) };
  handle.createFsBridge = ({ sandbox }) => createRemoteShellSandboxFsBridge({ sandbox, runtime: handle });
  return handle;
}

function createSession(config, name, workdir, assertCurrent) {
  const env = { ...process.env, ...(config.home && { SANDBOXES_HOME: config.home }) };
  const program = config.program ?? "sandbox";
  return createRemoteShellSandboxSession({
    assertCurrent,
    buildCommand: ({ remoteCommand, tty }) => ({
      argv: [program, "exec", "-i", "-w", workdir, name, ...(tty ? onTerminal(remoteCommand) : ["/bin/sh", "-c", remoteCommand])],
      env,
      cwd: workdir,
    }),
  });
}

// OpenClaw's end is a pipe, of which `sandbox exec -t` would make no terminal: it is made in the sandbox.
function onTerminal(remoteCommand) {
  return ["script", "-qefc", remoteCommand, "/dev/null"];
}

function createManager(client, config) {
  return {
    async describeRuntime({ entry }) {
      const configLabelMatch = entry.image === labelOf(config);
      try {
        const info = await client.sandbox(entry.containerName).info();
        return { running: info.status === "running", actualConfigLabel: entry.image, configLabelMatch };
      } catch (error) {
        if (error.code !== "not_found") throw error;
        return { running: false, actualConfigLabel: entry.image, configLabelMatch };
      }
    },
    async removeRuntime({ entry }) {
      if (!entry.containerName.startsWith("openclaw-")) throw new Error(`sandboxd: ${entry.containerName} is no runtime of OpenClaw's`);
      await removeRuntime(client, entry.containerName);
    },
  };
}

function labelOf(config) {
  return config.template ?? config.agent;
}
