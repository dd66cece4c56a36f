import type { Duplex } from "node:stream";

export interface OutputFrame {
  from: "stdout" | "stderr";
  data: Buffer;
}

const HEADER_LENGTH = 8;

/**
 * What a process says, piece by piece; the process waits while nobody asks for the next one. Without a terminal, the
 * engine puts before each piece its stream's number (1 stdout, 2 stderr), three zeros and its length (uint32).
 * Where an engine sends plain text instead, it says why it could not start the process.
 * @throws Error where the connection to the engine breaks
 */
export async function* readFrames(stream: Duplex, hasTerminal: boolean): AsyncGenerator<OutputFrame> {
  let header = Buffer.alloc(0);
  let from: OutputFrame["from"] = "stdout";
  let left = 0;
  for await (const piece of stream) {
    let chunk: Buffer = piece;
    if (hasTerminal) yield { from: "stdout", data: chunk };
    else
      while (chunk.length > 0) {
        if (left > 0) {
          const data = chunk.subarray(0, left);
          chunk = chunk.subarray(data.length);
          left -= data.length;
          yield { from, data };
          continue;
        }
        const missing = HEADER_LENGTH - header.length;
        header = Buffer.concat([header, chunk.subarray(0, missing)]);
        chunk = chunk.subarray(missing);
        if (header.length < HEADER_LENGTH) break;
        if (header.readUInt32BE(0) >= 0x03_00_00_00) throw new UnframedOutput(header, chunk);
        from = header[0] === 2 ? "stderr" : "stdout";
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      }
  }
}

export class UnframedOutput extends Error {
  constructor(...parts: Buffer[]) {
    super(Buffer.concat(parts).toString("utf8").slice(0, 500));
  }
}
