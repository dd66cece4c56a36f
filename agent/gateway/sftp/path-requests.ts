import { type FileAttributes, parseAttributes } from "./attributes";
import type { Lane, LaneAnswer } from "./lane";
import { SftpFailure, STATUS } from "./status";

const LONGEST_PATH = 4096;

/** What a client asks of paths, through the session's first lane. Names are bytes; relative ones start at home. */
export class PathRequests {
  readonly #lane: () => Promise<Lane>;
  #home: Buffer | null = null;

  constructor(lane: () => Promise<Lane>) {
    this.#lane = lane;
  }

  /** @throws SftpFailure where no file can have this name */
  async resolve(name: Buffer): Promise<Buffer> {
    if (name.includes(0) || name.length > LONGEST_PATH)
      throw new SftpFailure(STATUS.FAILURE, "Not a file name");
    if (name[0] === 0x2f) return name;
    this.#home ??= withoutNewline((await this.#run("home")).body);
    return name.length === 0 ? this.#home : Buffer.concat([this.#home, Buffer.from("/"), name]);
  }

  async stat(path: Buffer, verb: "stat" | "lstat"): Promise<FileAttributes> {
    return parseAttributes((await this.#run(verb, await this.resolve(path))).body.toString("latin1"));
  }

  /** A verb upon one or two paths. */
  async run(verb: string, path: Buffer, other?: Buffer | string): Promise<LaneAnswer> {
    const second = Buffer.isBuffer(other) ? await this.resolve(other) : other;
    return this.#run(verb, await this.resolve(path), second);
  }

  async setAttributes(path: Buffer, asked: Partial<FileAttributes>): Promise<void> {
    const resolved = await this.resolve(path);
    for (const [verb, ...values] of changesOf(asked)) await this.#run(verb, resolved, ...values);
  }

  async makeFolder(path: Buffer, { mode = 0o777 }: Partial<FileAttributes>): Promise<void> {
    await this.run("mkdir", path, (mode & 0o7777 & ~0o022).toString(8));
  }

  /** Where it stands without links; of a path that does not exist, as far as its text tells. */
  async realPath(path: Buffer): Promise<Buffer> {
    const resolved = await this.resolve(path);
    try {
      const found = withoutNewline((await this.#run("realpath", resolved)).body);
      return found.length > 0 ? found : normalise(resolved);
    } catch (error) {
      if (error instanceof SftpFailure) return normalise(resolved);
      throw error;
    }
  }

  async readLink(path: Buffer): Promise<Buffer> {
    return (await this.run("readlink", path)).body;
  }

  /** @param target as it will be read, so not resolved */
  async makeLink(target: Buffer, path: Buffer): Promise<void> {
    if (target.length === 0 || target.includes(0) || target.length > LONGEST_PATH)
      throw new SftpFailure(STATUS.FAILURE, "Not a link's target");
    await this.#run("symlink", target, await this.resolve(path));
  }

  /** Of the file system, in the order of OpenSSH's statvfs extension: block size, fragment size, blocks … */
  async statFileSystem(path: Buffer): Promise<number[]> {
    const { body } = await this.run("statvfs", path);
    const numbers = body.toString("latin1").trim().split(" ").map(Number);
    const [
      fragment = 0,
      block = 0,
      blocks = 0,
      free = 0,
      available = 0,
      files = 0,
      freeFiles = 0,
      longest = 255,
    ] = numbers.map((value) => (Number.isFinite(value) ? value : 0));
    return [block, fragment, blocks, free, available, files, freeFiles, freeFiles, 0, 0, longest];
  }

  async #run(verb: string, ...args: (Buffer | string | number | undefined)[]): Promise<LaneAnswer> {
    const lane = await this.#lane();
    return lane.run(
      verb,
      args.filter((each) => each !== undefined),
    );
  }
}

/** In the order of OpenSSH's server: size, permissions, times, owner. */
export function changesOf(asked: Partial<FileAttributes>): [verb: string, ...values: (string | number)[]][] {
  const changes: [string, ...(string | number)[]][] = [];
  if (asked.size !== undefined) {
    if (asked.size > Number.MAX_SAFE_INTEGER) throw new SftpFailure(STATUS.FAILURE, "File too large");
    changes.push(["size", asked.size]);
  }
  if (asked.mode !== undefined) changes.push(["chmod", (asked.mode & 0o7777).toString(8)]);
  if (asked.atime !== undefined && asked.mtime !== undefined)
    changes.push(["touch", asked.atime, asked.mtime]);
  if (asked.uid !== undefined && asked.gid !== undefined)
    changes.push(["chown", `${asked.uid}:${asked.gid}`]);
  return changes;
}

function withoutNewline(bytes: Buffer): Buffer {
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}

function normalise(path: Buffer): Buffer {
  const parts: string[] = [];
  for (const part of path.toString("latin1").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return Buffer.from(`/${parts.join("/")}`, "latin1");
}
