import { type FileAttributes, parseAttributes } from "./attributes";
import type { Lane } from "./lane";

export interface FolderEntry {
  name: Buffer;
  file: FileAttributes;
}

/** A directory that a client reads, page by page; a lane of its own holds what is left. */
export class OpenFolder {
  readonly lane: Lane;
  #isRead = false;

  private constructor(lane: Lane) {
    this.lane = lane;
  }

  /** @throws SftpFailure */
  static async open(lane: Lane, path: Buffer): Promise<OpenFolder> {
    await lane.run("opendir", [path]);
    return new OpenFolder(lane);
  }

  /** The next entries, null after the last. @throws SftpFailure */
  async readPage(): Promise<FolderEntry[] | null> {
    // What was removed since leaves a page smaller, or empty.
    while (!this.#isRead) {
      const { mark, code, body } = await this.lane.run("readdir", [], [], [0, 1]);
      this.#isRead = code === 1;
      const entries = parsePage(body, mark);
      if (entries.length > 0) return entries;
    }
    return null;
  }

  async close(): Promise<void> {
    await this.lane.run("closedir");
  }
}

/** Each entry is a name of any bytes, then a line with the mark, which no name can hold, and the attributes. */
function parsePage(body: Buffer, mark: string): FolderEntry[] {
  const entries: FolderEntry[] = [];
  const separator = Buffer.from(`\n${mark} `);
  for (let start = 0; ; ) {
    const end = body.indexOf(separator, start);
    if (end === -1) return entries;
    const lineStart = end + separator.length;
    const newline = body.indexOf(10, lineStart);
    const lineEnd = newline === -1 ? body.length : newline;
    const file = parseAttributes(body.toString("latin1", lineStart, lineEnd));
    entries.push({ name: Buffer.from(body.subarray(start, end)), file });
    start = lineEnd + 1;
  }
}
