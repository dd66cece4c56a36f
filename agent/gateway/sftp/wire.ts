import { type FileAttributes, longName } from "./attributes";
import { MalformedPacket } from "./status";

/** SFTP version 3 (draft-ietf-secsh-filexfer-02), which is OpenSSH's. */
export const REQUEST = {
  INIT: 1,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  READLINK: 19,
  SYMLINK: 20,
  EXTENDED: 200,
} as const;

export const RESPONSE = {
  VERSION: 2,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  ATTRS: 105,
  EXTENDED: 201,
} as const;

const HAS = { SIZE: 1, OWNER: 2, MODE: 4, TIMES: 8, EXTENDED: 0x8000_0000 };

/** Reads the fields of one packet in their order. @throws MalformedPacket where they end too early */
export class PacketReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  number(): number {
    return this.#take(4).readUInt32BE();
  }

  /** Past 2^53 it is not exact, and of no file. */
  longNumber(): number {
    return Number(this.#take(8).readBigUInt64BE());
  }

  text(): Buffer {
    return this.#take(this.number());
  }

  attributes(): Partial<FileAttributes> {
    const has = this.number();
    const read: Partial<FileAttributes> = {};
    if (has & HAS.SIZE) read.size = this.longNumber();
    if (has & HAS.OWNER) Object.assign(read, { uid: this.number(), gid: this.number() });
    if (has & HAS.MODE) read.mode = this.number();
    if (has & HAS.TIMES) Object.assign(read, { atime: this.number(), mtime: this.number() });
    return read;
  }

  #take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at)
      throw new MalformedPacket("a field is longer than its packet");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** A whole packet, with its length before it. */
export function packet(type: number, ...fields: Buffer[]): Buffer {
  const length = fields.reduce((sum, field) => sum + field.length, 1);
  return Buffer.concat([number(length), Buffer.from([type]), ...fields], length + 4);
}

export function number(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function longNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(Math.trunc(value))));
  return bytes;
}

export function text(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}

export function attributes(file: FileAttributes): Buffer {
  const time = (seconds: number) => number(Math.min(Math.max(Math.trunc(seconds), 0), 0xffff_ffff));
  return Buffer.concat([
    number(HAS.SIZE | HAS.OWNER | HAS.MODE | HAS.TIMES),
    longNumber(file.size),
    ...[file.uid, file.gid, file.mode].map(number),
    ...[file.atime, file.mtime].map(time),
  ]);
}

export function nameEntry(name: Buffer, file: FileAttributes | null): Buffer {
  if (file === null) return Buffer.concat([text(name), text(name), number(0)]);
  return Buffer.concat([text(name), text(longName(name, file)), attributes(file)]);
}
