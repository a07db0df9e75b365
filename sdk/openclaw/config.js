// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The configuration of the plugin, `plugins.entries.sandboxd.config`. An unknown key is an error: a rule that is not read
// must not be taken for one that holds.

const known = {
  config: ["program", "home", "agent", "template", "backend", "network", "credentials"],
  network: ["preset", "allow", "block"],
  credential: ["secret", "service", "hosts", "header", "format", "variable"],
};

const presets = {
  agent: { name: "preset", value: "agent" },
  deny: { name: "policy", value: "deny" },
  allow: { name: "policy", value: "allow" },
};

/** What sandboxes are made of, the edits that make their policy, and what is bound to them. */
export function readConfig(raw = {}) {
  check("config", raw);
  const { network = {}, credentials = [], ...rest } = raw;
  check("network", network);
  if (!Array.isArray(credentials)) throw new Error("sandboxd: credentials is no list");
  credentials.forEach(checkCredential);
  return { ...rest, agent: rest.agent ?? "shell", policy: policyOf(network), credentials };
}

// From the default rules on, so that what was taken out of the configuration holds no more.
function policyOf({ preset = "agent", allow = [], block = [] }) {
  const begin = presets[preset];
  if (!begin) throw new Error(`sandboxd: network.preset is agent, deny or allow, not ${JSON.stringify(preset)}`);
  return [
    { name: "reset" },
    begin,
    ...allow.map((value) => ({ name: "allow-host", value })),
    ...block.map((value) => ({ name: "block-host", value })),
  ];
}

function checkCredential(credential) {
  check("credential", credential);
  if (!credential.secret) throw new Error("sandboxd: a credential without a secret");
  const isPlaced = credential.service || (credential.hosts?.length > 0 && credential.header);
  if (!isPlaced) throw new Error(`sandboxd: credential ${credential.secret} needs a service, or hosts and a header`);
}

function check(what, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`sandboxd: ${what} is no object`);
  const stranger = Object.keys(value).find((key) => !known[what].includes(key));
  if (stranger !== undefined) throw new Error(`sandboxd: ${what} has no key "${stranger}": there are ${known[what].join(", ")}`);
}
