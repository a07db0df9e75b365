// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// Generated from docs/openapi.yaml by generate_types.py. Do not edit.

export interface ErrorBody {
  error: {
    code: "internal" | "invalid" | "not_found" | "conflict" | "forbidden" | "too_large" | "unavailable" | "timeout" | "unsupported";
    message: string;
    /** A command or a step that would help. */
    hint?: string;
  };
}

export interface Version {
  version: string;
  /** 40 hexadecimal digits. */
  commit: string;
  pid: number;
  started_at: string;
}

export interface VmSummary {
  vm_id: string;
  vm_name: string;
  agent_name: string;
  workspace_dir: string;
}

export interface VmRequest {
  agent_name: string;
  /** An absolute path. */
  workspace_dir: string;
}

export interface Vm {
  vm_id: string;
  vm_name: string;
  vm_config: {
    socketPath: string;
    fileSharingDirectories: string[];
    stateDir: string;
    assetDir: string;
  };
  ca_cert_path: string;
  /** The PEM file at ca_cert_path, in base64. */
  ca_cert_data: string;
}

export interface Mount {
  source: string;
  target: string;
  readonly?: boolean;
}

/** 0 is no limit. */
export interface Limits {
  cpus?: number;
  /** Bytes. */
  memory?: number;
  pids?: number;
  /**
   * Bytes that its own disk may hold. Of a request, 0 is the default: at most 64 GB and half of what is free.
   * Of a sandbox, 0 is no bound.
   */
  disk?: number;
  /** What holds it to `disk`. Chosen at create; of a request it means nothing. */
  disk_bound?: "" | "virtual disk" | "project quota" | "loop image";
  /** Bytes that /tmp, which is in memory, may hold; absent: no bound but that of memory. */
  tmp?: number;
}

export type Environment = Record<string, string>;

/** What users and their programs note about a sandbox. A key is not empty; at most 64 KiB in all. */
export type Labels = Record<string, string>;

export interface CreateRequest {
  /** Required, unless there are `reuse` and a `name`. */
  agent?: string;
  /** By default <agent>-<directory>, made unique. */
  name?: string;
  /** The first is the primary one. A workspace has the same path on both sides. */
  workspaces?: Mount[];
  mounts?: Mount[];
  /** By default the agent's. */
  template?: string;
  pull?: "always" | "missing" | "never";
  /** Of a template that is fetched: linux/arm64. By default this host's. */
  platform?: string;
  /**
   * Where a template that is not here comes from; auto is its registry or, if that does not have it, the local
   * Docker, and `note` says so.
   */
  from?: "auto" | "registry" | "docker" | "podman";
  /** By default the configuration's */
  backend?: string;
  environment?: Environment;
  /** By default the primary workspace. */
  directory?: string;
  limits?: Limits;
  ports?: PublishedPort[];
  hosts?: StaticHost[];
  labels?: Labels;
  /** A workspace or mount may be, or contain, the user's home directory. */
  allow_home?: boolean;
  /** No page for the model is written at the first start (docs/agents.md). */
  no_guidance?: boolean;
  /**
   * The absolute path of the user's ssh-agent's socket, which is forwarded, filtered; empty: none
   * (docs/credentials.md).
   */
  ssh_agent?: string;
  /** Docker in the sandbox fetches images anew, and nothing of them is kept for other sandboxes. */
  no_docker_cache?: boolean;
  /** Requests to registries get the docker and npm logins of the host (docs/credentials.md). */
  registry_auth?: boolean;
  /**
   * Edits of the network policy, on top of the rules that new sandboxes have; they hold before the sandbox can
   * be started. Of a sandbox that is there they change the rules that it has, at once.
   */
  policy?: PolicyEdit[];
  /** MCP servers that its programs may use. */
  mcp?: McpGrant[];
  /** It is the MCP server NAME, its name is mcp-NAME, and this is its program (docs/mcp.md). */
  mcp_command?: string[];
  /** A sandbox that is there may be the answer. */
  reuse?: boolean;
  /** It runs when the answer comes. */
  start?: boolean;
  /** Seconds after which it is removed; 0: never. */
  ttl_s?: number;
  /** Seconds without a running exec after which it is stopped; 0: never. */
  idle_stop_s?: number;
  /** A Docker daemon of the sandbox's own. The empty word is on-demand for an agent and off for a shell. */
  docker?: "" | "off" | "on-demand" | "on";
}

export interface PublishedPort {
  /** An address of the host's. */
  host_ip: string;
  /** 0: any that is free. */
  host_port: number;
  /** In the sandbox. */
  port: number;
}

export interface StaticHost {
  name: string;
  address: string;
}

export interface Ports {
  ports: PublishedPort[];
}

export interface Hosts {
  hosts: StaticHost[];
}

export interface PortChanges {
  publish?: PublishedPort[];
  unpublish?: PublishedPort[];
}

/** docs/network-policy.md says what they mean. */
export interface Rules {
  policy: {
    default: "allow" | "deny";
    logBlocked: boolean;
    logAllowed: boolean;
  };
  network: {
    allowedDomains: string[];
    rawDomains?: string[];
    blockedDomains: string[];
    blockedCIDRs: string[];
    allowedCIDRs?: string[];
    bypassDomains: string[];
    bypassCIDRs: string[];
  };
}

export interface McpChanges {
  /** One of the same name is replaced. */
  grant?: McpGrant[];
  /** Names. */
  revoke?: string[];
}

export interface McpGrants {
  mcp: McpGrant[];
}

export interface McpGrant {
  /** Letters in lower case, digits, - and _, 32 at most. */
  name: string;
  /** Of one on the network; without it, it runs in the sandbox mcp-<name>. */
  url?: string;
}

export interface PolicyEdit {
  /** A flag of `network proxy`, without its dashes. */
  name: string;
  value?: string;
}

export interface PolicyEdits {
  edits: PolicyEdit[];
}

export interface Check {
  /** HOST:PORT. */
  target: string;
  allowed: boolean;
  decision: "deny" | "tunnel" | "inspect";
  rule: string;
  reason: string;
  /** HTTP and HTTPS; also what is neither HTTP nor TLS; anything, and nothing is looked at. */
  passes: "http" | "other" | "raw";
  /** What the name resolves to is checked, too, when it is connected to. */
  addresses_matter: boolean;
  /** The command that turns it around. */
  remedy?: string;
  /** Of a port that only HTTP and TLS may use: the command that lets ssh and others pass. */
  raw_remedy?: string;
  /** Which credential requests get, and where it is from. */
  credential?: string;
}

export interface SecretAdd {
  /** At most 128 letters, digits, underscores, hyphens and dots. */
  name: string;
  /** At most 64 KiB. */
  value: string;
  /** Overwrite one of that name. */
  update?: boolean;
}

export interface SecretInfo {
  name: string;
  /** That uses it by its name. */
  service?: string;
  created_at: string;
  updated_at: string;
  /** Of a login that is refreshed. */
  token_expires_at?: string;
  /** Why the last refresh of it failed. */
  refresh_problem?: string;
}

export interface SecretList {
  secrets: SecretInfo[];
}

export interface LeaseRequest {
  /** At most a day; 0: an hour. */
  ttl_s?: number;
  client_id?: string;
}

export interface LeaseInfo {
  lease_id: string;
  secret_name: string;
  client_id: string;
  created_at: string;
  expires_at: string;
  /** Of a sandbox, whose lease is renewed while it runs. */
  sandbox_id?: string;
  /** Of a sandbox, which gets another one when it starts. */
  revoked?: boolean;
}

export interface LeaseList {
  leases: LeaseInfo[];
}

export interface LeasedSecret {
  lease_id: string;
  secret_name: string;
  value: string;
  client_id: string;
  expires_at: string;
  /** In seconds. */
  ttl: number;
}

export interface RevokedLeases {
  revoked: number;
}

export interface Binding {
  id: string;
  secret: string;
  service?: string;
  hosts?: string[];
  header?: string;
  /** {} stands for the secret. */
  format?: string;
  /** That programs in the guest have, with a placeholder. */
  variable?: string;
  /** Without it: every one. */
  sandbox?: string;
  sandbox_id?: string;
  expires_at?: string;
}

export interface BindRequest {
  secret: string;
  /** Of the table; or hosts and a header. */
  service?: string;
  hosts?: string[];
  header?: string;
  format?: string;
  variable?: string;
  sandbox?: string;
  /** 0: for good. */
  ttl_s?: number;
}

export interface BindingList {
  bindings: Binding[];
}

export interface AuditEntry {
  line: number;
  timestamp: string;
  action: "secret_add" | "secret_update" | "secret_delete" | "lease_acquire" | "lease_revoke" | "lease_expire" | "revoke_all" | "bind" | "unbind" | "token_refresh" | "ssh_sign";
  secret_name?: string;
  client_id?: string;
  lease_id?: string;
  details?: string;
  success: boolean;
}

export interface AuditTail {
  entries: AuditEntry[];
}

export interface AuditReport {
  intact: boolean;
  /** That are as they were written. */
  lines: number;
  /** The first line that was changed or is missing. */
  problem?: number;
  reason?: string;
}

export interface SecretsStatus {
  directory: string;
  /** file or keyring; without it: there is no store yet. */
  key?: string;
  /** Why the store cannot be used. */
  error?: string;
  secrets: number;
  leases: number;
  bindings: number;
  /** Logins that could not be refreshed. */
  problems?: string[];
}

export interface SandboxCredential {
  /** Or the name of the secret that is bound. */
  service: string;
  source: string;
  hosts: string[];
  header: string;
  variables?: string[];
  lease_id?: string;
  expires_at?: string;
  /** ready, or why requests that need it are refused. */
  state: string;
}

export interface SandboxCredentials {
  credentials: SandboxCredential[];
}

export interface NetworkLog {
  blocked_hosts: LoggedHost[];
  allowed_hosts: LoggedHost[];
  /** Logs that miss decisions, because they could not be written. */
  unwritten: UnwrittenDecisions[];
}

export interface UnwrittenDecisions {
  vm_name: string;
  /** Since the log was begun. */
  count: number;
  /** When the first of them was made. */
  since: string;
  /** And the last. */
  last_seen: string;
}

export interface LoggedHost {
  /** HOST:PORT; or `<other hosts>` of a rule, when there were too many to keep their names. */
  host: string;
  vm_name: string;
  proxy_type: "forward" | "forward-bypass" | "transparent" | "transparent-bypass";
  rule: string;
  last_seen: string;
  since: string;
  count_since: number;
  reason: string;
}

export interface Decision {
  time: string;
  vm_name: string;
  /** HOST:PORT. */
  host: string;
  proxy_type: "forward" | "forward-bypass" | "transparent" | "transparent-bypass";
  allowed: boolean;
  /** Empty, as path, where nothing was inspected. */
  method: string;
  /** Without the query. */
  path: string;
  rule: string;
  reason: string;
  /** Of the answer; 0: none. */
  status: number;
  /** Bytes from the sandbox. */
  sent: number;
  received: number;
  /** -1: it goes on. */
  duration_us: number;
}

export interface SandboxList {
  sandboxes: SandboxInfo[];
}

export interface Progress {
  step: string;
  done: number;
  /** 0: unknown. */
  total: number;
}

export interface SandboxInfo {
  id: string;
  name: string;
  /** How `run` starts it; absent: that is not known. */
  agent_command?: string[];
  agent: string;
  status: "creating" | "running" | "stopped" | "removing" | "failed";
  /** Why it is stopped or failed, when the user did not ask for it. */
  reason: string;
  /** Weakest first; empty: not known. */
  isolation: "" | "container" | "microvm-emulated" | "gvisor" | "microvm";
  backend: string;
  template: string;
  template_digest: string;
  created_at: string;
  /** When it was started, run or executed in last; absent: never. */
  used_at?: string;
  /** Seconds after which it is removed; absent: never. */
  ttl_s?: number;
  /** Seconds without a running exec after which it is stopped; absent: never. */
  idle_stop_s?: number;
  /**
   * Its own Docker daemon, by docker.sock in its state_directory; absent: off, in a sandbox of an older
   * version.
   */
  docker?: "" | "off" | "on-demand" | "on";
  state_directory: string;
  directory: string;
  workspaces: Mount[];
  mounts: Mount[];
  environment: Environment;
  limits: Limits;
  limits_enforced: boolean;
  /** A workspace or mount may be the user's home directory; absent: not. */
  allow_home?: boolean;
  /** No page for the model is written; absent: one is. */
  no_guidance?: boolean;
  /** The socket of the ssh-agent that is forwarded; absent: none is. */
  ssh_agent?: string;
  /** Docker in the sandbox uses no blobs that others have fetched; absent: it does. */
  no_docker_cache?: boolean;
  /** Requests to registries get the docker and npm logins of the host; absent: they do not. */
  registry_auth?: boolean;
  /** MCP servers that its programs may use; absent: none. */
  mcp?: McpGrant[];
  /** It is an MCP server, and this is its program; absent: it is none. */
  mcp_command?: string[];
  ports: PublishedPort[];
  hosts: StaticHost[];
  labels?: Labels;
  workspace_missing: boolean;
  /** Unix sockets of the host's in workspaces and mounts that were covered at the start; the first of them. */
  covered_sockets: string[];
  /** False if what is shared was too large to be looked through for them. */
  sockets_searched: boolean;
  /** 0 when it does not run. */
  shim_pid: number;
  init_pid: number;
  /** Of the last start, in microseconds. */
  timings: Record<string, number>;
  /** False in the answer to a create that found an existing sandbox. */
  created: boolean;
  /** In the answer to a create: a line that the user should read; usually empty. */
  note: string;
}

export interface StopRequest {
  grace_ms?: number;
}

export interface SaveRequest {
  /** The name of the template: `org/box:1`. */
  tag: string;
}

export interface Saved {
  /** As docker shows it. */
  name: string;
  /** Of the image's configuration: `sha256:...`. */
  digest: string;
}

export interface ExecRequest {
  /** Required unless there is a builtin. */
  command?: string[];
  /** A program of init's own, on `path`; by default none. */
  builtin?: "" | "pack" | "unpack" | "stat" | "list" | "read" | "hold" | "changes" | "connect" | "listens";
  path?: string;
  follow_link?: boolean;
  /** The first byte that the builtin `read` writes; by default 0. */
  offset?: number;
  environment?: Environment;
  preferences?: Environment;
  /** name|uid[:group|gid]; by default agent. */
  user?: string;
  /** By default the sandbox's. */
  directory?: string;
  tty?: boolean;
  interactive?: boolean;
  detach?: boolean;
  privileged?: boolean;
  /** It is the sandbox's agent: with a terminal, the session that `run` goes back to. */
  agent?: boolean;
  rows?: number;
  columns?: number;
}

export interface Detached {
  pid?: number;
  /** Its session, if it has a terminal. */
  session?: number;
  /** From which byte on its output is in the log (`from` of logs). */
  log_position?: number;
  exit?: ExecExit;
}

export interface ExecExit {
  code: number;
  /** That ended it; absent: none. */
  signal?: number;
  /** Why the program could not be started. */
  error?: string;
}

export interface SessionList {
  sessions: SessionInfo[];
}

export interface SessionInfo {
  session: number;
  /** Of a long one, the beginning. */
  command: string[];
  /** As it was asked for; empty: agent. */
  user: string;
  agent: boolean;
  state: "running" | "ended";
  started_at: string;
  /** When a client came or typed */
  used_at: string;
  /** Empty: it runs. */
  ended_at: string;
  exit?: ExecExit;
  /** The window: that of the client that was used last. */
  rows: number;
  columns: number;
  /** That may type. */
  clients: number;
  /** That may not. */
  watchers: number;
  /** The number of the oldest byte of output that is kept. */
  output_from: number;
  /** And of the next one to come. */
  output_to: number;
}

export interface AttachRequest {
  /**
   * A number of the output to go on from. Without it, what brings the last screen back: 128 KiB at most, what
   * the terminal must be told first (`modes` of kPosition), and the program is made to draw its screen anew.
   */
  from?: number;
  read_only?: boolean;
  /** A conflict if there is another client that may type. */
  alone?: boolean;
  rows?: number;
  columns?: number;
}

export interface SessionOpened {
  session: number;
  pid: number;
}

export interface OutputPosition {
  /** The number of the next byte of output. */
  from: number;
  /** Output below this number was printed before the client came. */
  live: number;
  /** Bytes that the client has missed. */
  skipped?: number;
  /** Control sequences for the terminal; not part of the output. */
  modes?: string;
}

export interface DiskUsage {
  home: string;
  sandboxes: SandboxUsage[];
  templates: TemplateUsage[];
  /** Of all, each layer once. */
  templates_bytes: number;
  /** Blobs that were fetched from registries, for all sandboxes. */
  docker_cache_bytes: number;
  cache_bytes: number;
}

export interface SystemPruned {
  /** Bytes that are free now. */
  docker_cache_bytes: number;
}

export interface SandboxUsage {
  name: string;
  bytes: number;
}

export interface TemplateUsage {
  digest: string;
  names: string[];
  /** Of its layers, those that it shares included. */
  bytes: number;
  /** A sandbox stands on it. */
  in_use: boolean;
}

export interface Reset {
  removed: string[];
}

export interface TemplateLayer {
  digest: string;
  /** Of its archive. */
  bytes: number;
}

/** How its programs are meant to be run. */
export interface TemplateConfig {
  user: string;
  directory: string;
  entrypoint: string[];
  command: string[];
  environment: string[];
  labels: Record<string, string>;
}

export interface TemplateDetails {
  /** Of its configuration. */
  digest: string;
  /** None: another has its name now. */
  names: string[];
  /** Where it came from. */
  source: string;
  added_at: string;
  /** Says its maker; may be empty. */
  created_at: string;
  architecture: string;
  /** Of its layers, those that it shares included. */
  bytes: number;
  /** The lowest first. */
  layers: TemplateLayer[];
  config: TemplateConfig;
  /** Sandboxes. */
  used_by: string[];
}

export interface TemplateList {
  templates: TemplateDetails[];
}

export interface TemplateStep {
  created_at: string;
  created_by: string;
  comment: string;
  /** The digest of what it made; empty: no layer. */
  layer: string;
  bytes: number;
}

export interface TemplateHistory {
  steps: TemplateStep[];
}

export interface TemplatePull {
  name: string;
  /** linux/arm64. By default this host's. */
  platform?: string;
  from?: "auto" | "registry" | "docker" | "podman";
}

export interface TemplateTag {
  /** Of the template, or its digest. */
  name: string;
  /** The new name; of another template, it is taken from that. */
  tag: string;
}

export interface AgentUpdate {
  /** Of the agent's package; absent: the latest. */
  version?: string;
}

export interface UpdatedSandbox {
  name: string;
  state: "unknown" | "updated" | "at next start" | "current" | "kept";
  /** Why it was kept as it is. */
  reason?: string;
}

export interface AgentUpdated {
  agent: string;
  /** The version of new sandboxes before; empty: it has none. */
  previous: string;
  version: string;
  /** Of the template. */
  digest: string;
  sandboxes: UpdatedSandbox[];
}

export interface AgentList {
  agents: AgentInfo[];
}

export interface AgentInfo {
  name: string;
  /** How it is started. */
  command: string[];
  /** Of its sandboxes. */
  template: string;
  /** That its template has; empty where it has none. */
  version: string;
  /** Whose credentials it works with; empty: any. */
  service: string;
  /** It is the user's, by agents.json. */
  own: boolean;
}

export interface TemplateBuild {
  /** The name for the template. */
  tag: string;
  /** Its path in the archive. */
  file?: string;
  /** The stage to build; empty: the last. */
  target?: string;
  arguments?: Environment;
  /** No step is taken from the cache. */
  anew?: boolean;
}

export interface BuildOutput {
  text: string;
}

export interface TemplatePrune {
  all?: boolean;
}

export interface TemplatesLoaded {
  /** That came with the archive. */
  names: string[];
  templates: TemplateDetails[];
}

export interface TemplatesRemoved {
  names: string[];
  digests: string[];
  /** That were freed. */
  bytes: number;
}

export interface SandboxEvent {
  time: string;
  kind: "create" | "start" | "stop" | "remove" | "die" | "exec_start" | "exec_exit";
  sandbox: string;
  detail: Record<string, unknown>;
}
