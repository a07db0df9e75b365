// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
export type { AnswerOf, ArgumentsOf, CallOptions, Operation, ProgressOptions } from "./calls.js";
export { Sandboxd } from "./client.js";
export type { DaemonOptions } from "./daemon.js";
export { type ErrorCode, isError, SandboxError } from "./errors.js";
export { Execution, type Opened, type Output } from "./execution.js";
export type { FileEntry, FileInfo, Files, FileType } from "./files.js";
export { type Operations, routes } from "./generated/operations.js";
export type * from "./generated/schemas.js";
export {
  createLoopSandbox, type CreateLoopOptions, destroyLoopSandbox, execInSandbox, type ExecInSandboxOptions, type LoopOptions,
  loopSandboxName, spawnTool, type SpawnToolOptions,
} from "./loop.js";
export type { Network, NetworkLogOptions } from "./network.js";
export { type AttachOptions, type DetachOptions, type ExecOptions, type LogOptions, Sandbox, type Stdin } from "./sandbox.js";
export type { Secrets } from "./secrets.js";
export type { Templates } from "./templates.js";
export { type Tool, toolCommand, type ToolResult, toolTimeouts } from "./tools.js";
