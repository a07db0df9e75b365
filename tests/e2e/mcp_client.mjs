// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// The official client of MCP, driven by lines: mcp_client.mjs [--user accept|decline] -- SERVER [ARG...]
//   TOOL JSON            calls it, and prints what it answers: {"ok":true,"data":...}
//   cancel FILE TOOL JSON  calls it and cancels the call when there is such a file
//   together N TOOL JSON calls it so many times at once
//   plain TOOL JSON      calls it on a server that is not ours, and prints all that it answers
//   tools | resources | read URI
// One line of JSON for each. $ID is the id of the last exec_start, $NEXT the position of the last exec_read.
import { deepStrictEqual } from 'node:assert';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const sdk = (path) => import(pathToFileURL(`${process.env.MCP_SDK}/node_modules/@modelcontextprotocol/sdk/dist/esm/${path}`));
const { Client } = await sdk('client/index.js');
const { StdioClientTransport } = await sdk('client/stdio.js');
const { ElicitRequestSchema } = await sdk('types.js');

const options = process.argv.slice(2);
const user = options[0] === '--user' ? options[1] : undefined;
const [command, ...args] = options.slice(options.indexOf('--') + 1);

const client = new Client(
  { name: 'test', version: '1' },
  { capabilities: user ? { elicitation: {} } : {} },
);
if (user)
  client.setRequestHandler(ElicitRequestSchema, (request) => {
    console.error(request.params.message);
    return { action: user };
  });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));

const last = { id: '', next: 0 };
async function call(name, json, signal) {
  const text = json.replaceAll('$ID', last.id).replaceAll('$NEXT', String(last.next));
  const steps = [];
  const result = await client.callTool({ name, arguments: JSON.parse(text || '{}') }, undefined, {
    signal,
    onprogress: (step) => steps.push(step.message),
  });
  const answer = result.structuredContent;
  deepStrictEqual(JSON.parse(result.content[0].text), answer);
  if (answer.ok === result.isError) throw new Error('isError does not fit');
  last.id = answer.data?.id ?? last.id;
  last.next = answer.data?.next ?? last.next;
  return steps.length ? { ...answer, steps } : answer;
}

function whenThere(file) {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    controller.abort();
  }, 20);
  return controller.signal;
}

async function run(line) {
  const [word, ...rest] = line.split(' ');
  if (word === 'plain') return client.callTool({ name: rest[0], arguments: JSON.parse(rest.slice(1).join(' ')) });
  if (word === 'tools') return client.listTools();
  if (word === 'resources') return client.listResources();
  if (word === 'read') return client.readResource({ uri: rest[0] });
  if (word === 'together') {
    const many = Array.from({ length: Number(rest[0]) }, () => call(rest[1], rest.slice(2).join(' ')));
    return Promise.all(many);
  }
  if (word === 'cancel')
    return call(rest[1], rest.slice(2).join(' '), whenThere(rest[0]));
  return call(word, rest.join(' '));
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify(await run(line)));
  } catch (error) {
    console.log(JSON.stringify({ thrown: String(error.message ?? error) }));
  }
}
await client.close();
