// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
// An MCP server with the official SDK, in front of an API that wants a key: issues_server.mjs URL
// Its tool `look_up` asks the API with ISSUES_TOKEN, and says what that answered and the token that it has itself.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const url = process.argv[2];
const token = process.env.ISSUES_TOKEN;
const server = new McpServer({ name: 'issues', version: '1.0.0' });
server.registerTool('look_up', { description: 'Looks an issue up' }, async () => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = `the API said ${answer.status} ${(await answer.text()).trim()} to ${token}`;
  return { content: [{ type: 'text', text }] };
});
await server.connect(new StdioServerTransport());
