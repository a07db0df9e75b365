// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";

import type { CallOptions } from "./calls.js";
import { SandboxError } from "./errors.js";
import { bytesOf, type Execution, type Output } from "./execution.js";
import type { ExecRequest } from "./generated/schemas.js";
import type { Stdin, StreamOptions } from "./sandbox.js";

export type FileType = "file" | "directory" | "link" | "other";

export interface FileEntry {
  name: string;
  type: FileType;
  size: number;
  mode: number;
  /** Seconds since 1970. */
  modified: number;
}

export interface FileInfo {
  exists: boolean;
  type?: string;
  size?: number;
  mode?: number;
}

export interface As {
  /** name|uid[:group|gid]; by default agent. */
  user?: string;
}

export interface WriteOptions extends CallOptions, As {
  /** By default 0o644. */
  mode?: number;
}

/** What runs a request in the sandbox. */
export type Run = (request: ExecRequest, options: StreamOptions) => Promise<Execution>;

// The new file has its name when it is whole: a client that goes away in the middle leaves the old one.
const writeScript = `set -e
new=$(mktemp -- "$1.XXXXXX")
trap 'rm -f -- "$new"' EXIT
cat >"$new"
[ "$(wc -c <"$new")" -eq "$2" ]
chmod -- "$3" "$new"
mv -fT -- "$new" "$1"`;

const listScript = `stat -- "$1" >/dev/null && cd -- "$1" && find . -mindepth 1 -maxdepth 1 -exec sh -c '
for file; do printf "%s %s\\0" "$(stat -c "%f %s %Y" -- "$file")" "\${file#./}"; done' sh {} +`;

/** The files of a sandbox, as its agent sees them. */
export class Files {
  constructor(private readonly run: Run) {}

  async read(path: string, options: CallOptions & As = {}): Promise<Buffer> {
    return (await this.#output(path, { command: ["cat", "--", path] }, options)).stdout;
  }

  async readText(path: string, options: CallOptions & As = {}): Promise<string> {
    return (await this.read(path, options)).toString();
  }

  /** Makes the file, or replaces it in one step. Its directory has to be there. */
  async write(path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { mode = 0o644, ...rest } = options;
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const command = ["sh", "-c", writeScript, "write", path, String(bytes.length), mode.toString(8)];
    await this.#output(path, { command }, { ...rest, stdin: bytes });
  }

  /** What is in a directory, by name. */
  async list(path: string, options: CallOptions & As = {}): Promise<FileEntry[]> {
    const { stdout } = await this.#output(path, { command: ["sh", "-c", listScript, "list", path] }, options);
    return stdout.toString().split("\0").slice(0, -1).map(entryOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async stat(path: string, options: CallOptions & { followLink?: boolean } = {}): Promise<FileInfo> {
    const { followLink = false, ...rest } = options;
    const { stdout } = await this.#output(path, { builtin: "stat", path, follow_link: followLink }, rest);
    return JSON.parse(stdout.toString()) as FileInfo;
  }

  /** A file or a tree as a tar archive, as it comes. What could not be packed whole ends with an error. */
  async *pack(path: string, options: CallOptions & { followLink?: boolean } = {}): AsyncGenerator<Uint8Array> {
    const { followLink = false, ...rest } = options;
    const execution = await this.run({ builtin: "pack", path, follow_link: followLink }, rest);
    const said = bytesOf(execution.stderr);
    yield* execution.stdout;
    const exit = await execution.exit;
    if (exit.code !== 0) throw refusal(path, { exit, stderr: await said });
  }

  /** Makes the entries of a tar archive beneath a directory. */
  async unpack(directory: string, archive: Exclude<Stdin, true>, options: CallOptions = {}): Promise<void> {
    await this.#output(directory, { builtin: "unpack", path: directory }, { ...options, stdin: archive });
  }

  async #output(path: string, request: ExecRequest, options: StreamOptions & As): Promise<Output> {
    if (path === "") throw new SandboxError("invalid", "the path is empty");
    const { user, ...rest } = options;
    const execution = await this.run(user === undefined ? request : { ...request, user }, rest);
    const output = await execution.output();
    if (output.exit.code !== 0) throw refusal(posix.normalize(path), output);
    return output;
  }
}

function refusal(path: string, { exit, stderr }: Omit<Output, "stdout">): SandboxError {
  const why = stderr.toString().trim() || exit.error || `ended with ${exit.code}`;
  return new SandboxError(/no such file|not found/i.test(why) ? "not_found" : "invalid", `${path}: ${why}`);
}

const types: Record<number, FileType> = { 0o100000: "file", 0o040000: "directory", 0o120000: "link" };

function entryOf(line: string): FileEntry {
  const [, mode = "0", size, modified, name = ""] = /^(\S+) (\S+) (\S+) ([^]*)$/.exec(line) ?? [];
  const bits = parseInt(mode, 16);
  return { name, type: types[bits & 0o170000] ?? "other", size: Number(size), mode: bits & 0o7777, modified: Number(modified) };
}
