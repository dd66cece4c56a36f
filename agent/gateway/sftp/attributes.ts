import { SftpFailure, STATUS } from "./status";

export interface FileAttributes {
  size: number;
  uid: number;
  gid: number;
  /** Kind and permissions, as stat's st_mode. */
  mode: number;
  /** Seconds since 1970. */
  atime: number;
  mtime: number;
  links: number;
  owner: string;
  group: string;
}

const KINDS: Record<number, string> = { 1: "p", 2: "c", 4: "d", 6: "b", 8: "-", 10: "l", 12: "s" };
const HALF_A_YEAR = 180 * 24 * 3600;

/** From a line that a lane's `stat` printed. @throws SftpFailure where it printed something else */
export function parseAttributes(line: string): FileAttributes {
  const [mode = "", ...rest] = line.trim().split(" ");
  const [size, uid, gid, atime, mtime, links] = rest.slice(0, 6).map(Number);
  const file = { mode: Number.parseInt(mode, 16), size, uid, gid, atime, mtime, links };
  if (!isWhole(file)) throw new SftpFailure(STATUS.FAILURE, "The instance's stat program is not understood");
  return { ...file, owner: rest[6] ?? String(uid), group: rest[7] ?? String(gid) };
}

type Numbers = Record<"mode" | "size" | "uid" | "gid" | "atime" | "mtime" | "links", number>;

function isWhole(file: Record<keyof Numbers, number | undefined>): file is Numbers {
  return Object.values(file).every((value) => Number.isFinite(value));
}

/** As `ls -l` prints it, which clients show as it is. */
export function longName(name: Buffer, file: FileAttributes): Buffer {
  const kind = KINDS[file.mode >> 12] ?? "?";
  const links = String(file.links).padStart(4);
  const [owner, group] = [file.owner.padEnd(8), file.group.padEnd(8)];
  const size = String(file.size).padStart(8);
  const before = `${kind}${permissions(file.mode)} ${links} ${owner} ${group} ${size} ${dateOf(file.mtime)} `;
  return Buffer.concat([Buffer.from(before), name]);
}

function permissions(mode: number): string {
  return [6, 3, 0]
    .map((shift, place) => {
      const special = (mode >> (11 - place)) & 1;
      const [run, plain] = place === 2 ? ["t", "T"] : ["s", "S"];
      const x = (mode >> shift) & 1 ? (special ? run : "x") : special ? plain : "-";
      return `${(mode >> shift) & 4 ? "r" : "-"}${(mode >> shift) & 2 ? "w" : "-"}${x}`;
    })
    .join("");
}

function dateOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "Jan  1  1970";
  const month = date.toLocaleString("en-US", { month: "short", timeZone: "UTC" });
  const day = String(date.getUTCDate()).padStart(2);
  const isOld = Math.abs(Date.now() / 1000 - seconds) > HALF_A_YEAR;
  return `${month} ${day} ${isOld ? ` ${date.getUTCFullYear()}` : date.toISOString().slice(11, 16)}`;
}
