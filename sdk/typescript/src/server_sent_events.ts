// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
/** Server-sent events (the WHATWG HTML standard, 9.2.6). */
export interface StreamEvent {
  name: string;
  data: string;
}

/** The events of a body that comes in pieces of any size. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let name = "message";
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      if (data.length > 0) yield { name, data: data.join("\n") };
      name = "message";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
}
