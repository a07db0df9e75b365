// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { registerSandboxBackend } from "openclaw/plugin-sdk/sandbox";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

import { backendId, createBackend } from "./backend.js";
import { readConfig } from "./config.js";

export default definePluginEntry({
  id: "sandboxd",
  name: "sandboxd",
  description: "Sandbox backend with egress rules and credential injection.",
  register(api) {
    if (api.registrationMode !== "full") return;
    const unregister = registerSandboxBackend(backendId, createBackend(readConfig(api.pluginConfig)));
    api.lifecycle.registerRuntimeLifecycle({
      id: "sandboxd-backend",
      cleanup: ({ reason, sessionKey, runId }) => {
        const isOfPlugin = sessionKey === undefined && runId === undefined;
        if (isOfPlugin && (reason === "disable" || reason === "restart")) unregister();
      },
    });
  },
});
