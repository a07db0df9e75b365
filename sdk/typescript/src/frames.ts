// Copyright 2026 The sandboxd authors.
// SPDX-License-Identifier: Apache-2.0
/**
 * After an upgrade both sides send frames (src/wire/frame.h): a header of 12 bytes, all little endian, then the payload.
 *
 *   0        4        8      9             12
 *   | length | stream | kind | zero (3)    | payload ...
 */
export const Kind = {
  opened: 17,
  data: 18,
  end: 19,
  out: 20,
  err: 21,
  exit: 22,
  resize: 23,
  signal: 24,
  position: 27,
} as const;

export interface Frame {
  kind: number;
  payload: Buffer;
}

const headerSize = 12;
const largestPayload = 256 * 1024;
const clientStream = 1;

export function encodeFrame(kind: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const frame = Buffer.alloc(headerSize + payload.length);
  frame.writeUInt32LE(payload.length, 0);
  frame.writeUInt32LE(clientStream, 4);
  frame.writeUInt8(kind, 8);
  frame.set(payload, headerSize);
  return frame;
}

/** Bytes of any number, in as many frames as they need. */
export function* encodeData(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += largestPayload)
    yield encodeFrame(Kind.data, bytes.subarray(at, at + largestPayload));
}

export function encodeWindow(rows: number, columns: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt16LE(rows, 0);
  payload.writeUInt16LE(columns, 2);
  return encodeFrame(Kind.resize, payload);
}

/** Takes bytes as they come, gives whole frames. */
export class FrameReader {
  #buffer = Buffer.alloc(0);

  feed(bytes: Uint8Array): void {
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#buffer, bytes]);
  }

  /** Throws a RangeError for a frame that breaks the rules. */
  next(): Frame | undefined {
    if (this.#buffer.length < headerSize) return undefined;
    const length = this.#buffer.readUInt32LE(0);
    if (length > largestPayload || this.#buffer.readUIntLE(9, 3) !== 0)
      throw new RangeError("the other side sent what is no frame");
    if (this.#buffer.length < headerSize + length) return undefined;
    const frame = { kind: this.#buffer.readUInt8(8), payload: this.#buffer.subarray(headerSize, headerSize + length) };
    this.#buffer = this.#buffer.subarray(headerSize + length);
    return frame;
  }
}
