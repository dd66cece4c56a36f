import type { Readable } from "node:stream";
import { MalformedPacket } from "./status";

/** Of OpenSSH's own server. */
export const LONGEST_PACKET = 256 * 1024;

/** The packets of a stream without their lengths, one after another; the stream is left as it is. @throws MalformedPacket */
export async function* readPackets(stream: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let have = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    parts.push(chunk);
    have += chunk.length;
    if (have < 4 || have < 4 + lengthOf(parts)) continue;
    let bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    while (bytes.length >= 4) {
      const length = lengthOf([bytes]);
      if (bytes.length < 4 + length) break;
      yield bytes.subarray(4, 4 + length);
      bytes = bytes.subarray(4 + length);
    }
    parts = bytes.length > 0 ? [bytes] : [];
    have = bytes.length;
  }
}

function lengthOf(parts: Buffer[]): number {
  const [first = Buffer.alloc(0)] = parts;
  const length = (first.length >= 4 ? first : Buffer.concat(parts)).readUInt32BE();
  if (length === 0 || length > LONGEST_PACKET) throw new MalformedPacket(`a packet of ${length} bytes`);
  return length;
}
