// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Generated from docs/openapi.yaml by generate_types.py. Do not edit.
import type * as schemas from "./schemas.js";

/** The method and the path of each operation. */
export const routes = {
  getVersion: ["GET", "/version"],
  listVms: ["GET", "/vm"],
  createVm: ["POST", "/vm"],
  deleteVm: ["DELETE", "/vm/{name}"],
  listSandboxes: ["GET", "/sandboxes"],
  createSandbox: ["POST", "/sandboxes"],
  cancelCreate: ["DELETE", "/creates/{key}"],
  getSandbox: ["GET", "/sandboxes/{name}"],
  deleteSandbox: ["DELETE", "/sandboxes/{name}"],
  startSandbox: ["POST", "/sandboxes/{name}/start"],
  stopSandbox: ["POST", "/sandboxes/{name}/stop"],
  saveSandbox: ["POST", "/sandboxes/{name}/save"],
  execInSandbox: ["POST", "/sandboxes/{name}/exec"],
  listSessions: ["GET", "/sandboxes/{name}/sessions"],
  endSession: ["DELETE", "/sandboxes/{name}/sessions/{session}"],
  attachToSession: ["POST", "/sandboxes/{name}/sessions/{session}/attach"],
  getLogs: ["GET", "/sandboxes/{name}/logs"],
  getMcpGrants: ["GET", "/sandboxes/{name}/mcp"],
  changeMcpGrants: ["POST", "/sandboxes/{name}/mcp"],
  getPolicy: ["GET", "/sandboxes/{name}/network/policy"],
  editPolicy: ["POST", "/sandboxes/{name}/network/policy"],
  checkPolicy: ["GET", "/sandboxes/{name}/network/check"],
  getPorts: ["GET", "/sandboxes/{name}/network/ports"],
  changePorts: ["POST", "/sandboxes/{name}/network/ports"],
  addHosts: ["POST", "/sandboxes/{name}/network/hosts"],
  listTemplates: ["GET", "/templates"],
  listAgents: ["GET", "/agents"],
  updateAgent: ["POST", "/agents/{name}/update"],
  buildTemplate: ["POST", "/templates/build"],
  loadTemplates: ["POST", "/templates/load"],
  pruneTemplates: ["POST", "/templates/prune"],
  pullTemplate: ["POST", "/templates/pull"],
  tagTemplate: ["POST", "/templates/tag"],
  getTemplate: ["GET", "/templates/{name}"],
  deleteTemplate: ["DELETE", "/templates/{name}"],
  getTemplateHistory: ["GET", "/templates/{name}/history"],
  getTemplateArchive: ["GET", "/templates/{name}/archive"],
  getNetworkLog: ["GET", "/network/log"],
  getEvents: ["GET", "/events"],
  getDiskUsage: ["GET", "/system/df"],
  pruneSystem: ["POST", "/system/prune"],
  reset: ["POST", "/reset"],
  shutdown: ["POST", "/shutdown"],
  listSecrets: ["GET", "/secrets"],
  addSecret: ["POST", "/secrets"],
  getSecretsStatus: ["GET", "/secrets/status"],
  getAudit: ["GET", "/secrets/audit"],
  verifyAudit: ["GET", "/secrets/audit/verify"],
  removeSecret: ["DELETE", "/secrets/{secret}"],
  leaseSecret: ["POST", "/secrets/{secret}/lease"],
  listLeases: ["GET", "/leases"],
  revokeAllLeases: ["DELETE", "/leases"],
  revokeLease: ["DELETE", "/leases/{lease}"],
  listBindings: ["GET", "/bindings"],
  bindSecret: ["POST", "/bindings"],
  unbindSecret: ["DELETE", "/bindings/{binding}"],
  getCredentials: ["GET", "/sandboxes/{name}/credentials"],
} as const satisfies Record<string, readonly [string, string]>;

/** What each operation takes and answers. */
export interface Operations {
  /** Which daemon this is. */
  getVersion: {
    answer: schemas.Version;
  };
  /** Every sandbox, in the vendor's words. */
  listVms: {
    answer: schemas.VmSummary[];
  };
  /** Create and start a sandbox named <agent_name>-vm. */
  createVm: {
    body: schemas.VmRequest;
    key: true;
    answer: schemas.Vm;
  };
  /** Stop and remove a sandbox. Its workspace is not touched. */
  deleteVm: {
    path: { name: string };
    answer: undefined;
  };
  /** Every sandbox. Never waits for one. */
  listSandboxes: {
    answer: schemas.SandboxList;
  };
  /** Create a sandbox, or with `reuse` find it, and with `start` start it. */
  createSandbox: {
    body: schemas.CreateRequest;
    key: true;
    answer: schemas.SandboxInfo;
  };
  /** Undo a create that is under way. */
  cancelCreate: {
    path: { key: string };
    answer: undefined;
  };
  /** One sandbox. */
  getSandbox: {
    path: { name: string };
    answer: schemas.SandboxInfo;
  };
  /** Stop and remove it. Its workspaces are not touched. */
  deleteSandbox: {
    path: { name: string };
    query?: { stopped?: "0" | "1" };
    answer: undefined;
  };
  /** Start it; nothing happens if it runs. */
  startSandbox: {
    path: { name: string };
    answer: schemas.SandboxInfo;
  };
  /** Stop it; what is on its disk stays. Nothing happens if it is stopped. */
  stopSandbox: {
    path: { name: string };
    body?: schemas.StopRequest;
    answer: schemas.SandboxInfo;
  };
  /** Make a template of its template and of what was changed in it. */
  saveSandbox: {
    path: { name: string };
    body: schemas.SaveRequest;
    answer: schemas.Saved;
  };
  /** Run a program in it; a stopped sandbox is started. */
  execInSandbox: {
    path: { name: string };
    body: schemas.ExecRequest;
    key: true;
    answer: schemas.Detached;
  };
  /** Its sessions, those that run and the last that have ended. None if it does not run. */
  listSessions: {
    path: { name: string };
    answer: schemas.SessionList;
  };
  /** End it, by HUP and TERM and, two seconds later, KILL. One that has ended is only told of. */
  endSession: {
    path: { name: string; session: number };
    answer: schemas.SessionInfo;
  };
  /** Become a client of it. */
  attachToSession: {
    path: { name: string; session: number };
    body: schemas.AttachRequest;
    answer: undefined;
  };
  /** What detached programs, or the machine's own kernel, have printed. */
  getLogs: {
    path: { name: string };
    query?: { tail?: string; from?: number; follow?: "0" | "1"; console?: "0" | "1" };
    answer: AsyncIterable<Uint8Array>;
  };
  /** The MCP servers that its programs may use. */
  getMcpGrants: {
    path: { name: string };
    answer: schemas.McpGrants;
  };
  /** Take MCP servers away from it, and give it others. */
  changeMcpGrants: {
    path: { name: string };
    body: schemas.McpChanges;
    answer: schemas.McpGrants;
  };
  /** Its network policy, as its file says. */
  getPolicy: {
    path: { name: string };
    answer: schemas.Rules;
  };
  /** Change it, running or not, at once and for good. */
  editPolicy: {
    path: { name: string };
    body: schemas.PolicyEdits;
    answer: schemas.Rules;
  };
  /** Whether it may reach something. Nothing is resolved or connected to. */
  checkPolicy: {
    path: { name: string };
    query: { target: string };
    answer: schemas.Check;
  };
  /** The ports that it publishes. */
  getPorts: {
    path: { name: string };
    answer: schemas.Ports;
  };
  /** Publish and unpublish, running or not. */
  changePorts: {
    path: { name: string };
    body: schemas.PortChanges;
    answer: schemas.Ports;
  };
  /** Give hosts addresses of the user's choice, running or not. */
  addHosts: {
    path: { name: string };
    body: schemas.Hosts;
    answer: schemas.Hosts;
  };
  /** Every template that is here, with the sandboxes that use it. */
  listTemplates: {
    answer: schemas.TemplateList;
  };
  /** The agents that there are, with the user's own. */
  listAgents: {
    answer: schemas.AgentList;
  };
  /** A newer version of an agent, for new sandboxes and those that are there. */
  updateAgent: {
    path: { name: string };
    body: schemas.AgentUpdate;
    answer: schemas.AgentUpdated;
  };
  /** Build a template from a Dockerfile, each step in a sandbox of its own. */
  buildTemplate: {
    query: { build: schemas.TemplateBuild };
    body: AsyncIterable<Uint8Array>;
    answer: schemas.TemplateDetails;
  };
  /** Take the images of an archive as templates. */
  loadTemplates: {
    query?: { tag?: string };
    body: AsyncIterable<Uint8Array>;
    answer: schemas.TemplatesLoaded;
  };
  /** Remove the templates that have no name and no sandbox; with `all`, also those that have a name. */
  pruneTemplates: {
    body?: schemas.TemplatePrune;
    answer: schemas.TemplatesRemoved;
  };
  /** Fetch an image, or what is new of it; a recipe of ours is built anew. */
  pullTemplate: {
    body: schemas.TemplatePull;
    answer: schemas.TemplateDetails;
  };
  /** Give a template another name. */
  tagTemplate: {
    body: schemas.TemplateTag;
    answer: schemas.TemplateDetails;
  };
  /** One template. */
  getTemplate: {
    path: { name: string };
    answer: schemas.TemplateDetails;
  };
  /** Take a name away, and with the last one the template. */
  deleteTemplate: {
    path: { name: string };
    answer: schemas.TemplatesRemoved;
  };
  /** How a template was made. */
  getTemplateHistory: {
    path: { name: string };
    answer: schemas.TemplateHistory;
  };
  /** A template as an archive that `docker load` takes. */
  getTemplateArchive: {
    path: { name: string };
    answer: AsyncIterable<Uint8Array>;
  };
  /** What the network policies have decided. */
  getNetworkLog: {
    query?: { sandbox?: string; limit?: number; blocked?: "0" | "1"; follow?: "0" | "1" };
    answer: schemas.NetworkLog;
  };
  /** What happens to sandboxes, from now on. */
  getEvents: {
    answer: undefined;
  };
  /** What sandboxes, templates and caches take on the disk. */
  getDiskUsage: {
    query?: { sandbox?: string };
    answer: schemas.DiskUsage;
  };
  /** Remove the blobs of registries that are kept for all sandboxes. */
  pruneSystem: {
    answer: schemas.SystemPruned;
  };
  /** Stop and remove every sandbox. No workspace is touched. */
  reset: {
    query?: { all?: "0" | "1" };
    answer: schemas.Reset;
  };
  /** End the daemon. Sandboxes run on. */
  shutdown: {
    answer: undefined;
  };
  /** The secrets that are stored, without their values. */
  listSecrets: {
    answer: schemas.SecretList;
  };
  /** Store a secret. */
  addSecret: {
    body: schemas.SecretAdd;
    key: true;
    answer: undefined;
  };
  /** Where secrets are kept, and whether the store can be used. */
  getSecretsStatus: {
    answer: schemas.SecretsStatus;
  };
  /** What was done with secrets. */
  getAudit: {
    query?: { tail?: number };
    answer: schemas.AuditTail;
  };
  /** Whether the audit log is as it was written. */
  verifyAudit: {
    answer: schemas.AuditReport;
  };
  /** Remove a secret, with its bindings and leases. */
  removeSecret: {
    path: { secret: string };
    answer: undefined;
  };
  /** Hand out the value of a secret, for a time. It is noted. */
  leaseSecret: {
    path: { secret: string };
    body: schemas.LeaseRequest;
    answer: schemas.LeasedSecret;
  };
  /** The leases that live. */
  listLeases: {
    answer: schemas.LeaseList;
  };
  /** End every lease. Running sandboxes lose theirs. */
  revokeAllLeases: {
    answer: schemas.RevokedLeases;
  };
  /** End a lease. */
  revokeLease: {
    path: { lease: string };
    answer: undefined;
  };
  /** Which secrets go where. */
  listBindings: {
    answer: schemas.BindingList;
  };
  /** Let requests to some hosts have a secret. */
  bindSecret: {
    body: schemas.BindRequest;
    answer: schemas.Binding;
  };
  /** Take back a binding, by its id, or all of a secret, by its name. */
  unbindSecret: {
    path: { binding: string };
    answer: undefined;
  };
  /** Which credentials requests of the sandbox get, never their values. */
  getCredentials: {
    path: { name: string };
    answer: schemas.SandboxCredentials;
  };
}
