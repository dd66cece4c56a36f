import { parseAttributes } from "./attributes";
import type { Handles } from "./handles";
import { MOST_LANES } from "./lane-pool";
import { FLAG, OpenFile } from "./open-file";
import { OpenFolder } from "./open-folder";
import { LONGEST_PACKET } from "./packets";
import { changesOf, type PathRequests } from "./path-requests";
import { SftpFailure, STATUS } from "./status";
import * as wire from "./wire";

/** As OpenSSH's server: the longest packet without room for its other fields. */
export const LONGEST_DATA = LONGEST_PACKET - 1024;

export interface Answer {
  type: number;
  fields: Buffer[];
}

export interface Served {
  paths: PathRequests;
  handles: Handles;
}

type Ask = (from: wire.PacketReader, served: Served) => Promise<Answer>;

const { REQUEST, RESPONSE } = wire;
const done: Answer = status(STATUS.OK, "Success");

export function status(code: number, words: string): Answer {
  return { type: RESPONSE.STATUS, fields: [wire.number(code), wire.text(words), wire.text("")] };
}

const names = (...entries: Buffer[]): Answer => ({
  type: RESPONSE.NAME,
  fields: [wire.number(entries.length), ...entries],
});

/** By the request's type: reads its fields before anything else happens, so that a malformed one changes nothing. */
const ASKS: Record<number, Ask> = {
  [REQUEST.OPEN]: async (from, { paths, handles }) => {
    const [path, flags, asked] = [from.text(), from.number(), from.attributes()];
    if (!(flags & (FLAG.READ | FLAG.WRITE))) throw new SftpFailure(STATUS.FAILURE, "Neither read nor write");
    const resolved = await paths.resolve(path);
    const handle = await handles.add((lane) => OpenFile.open(lane, resolved, flags, asked));
    return { type: RESPONSE.HANDLE, fields: [wire.text(handle)] };
  },
  [REQUEST.CLOSE]: async (from, { handles }) => {
    await handles.close(from.text());
    return done;
  },
  [REQUEST.READ]: async (from, { handles }) => {
    const [handle, offset, length] = [from.text(), from.longNumber(), from.number()];
    const data = await handles.file(handle).read(offset, Math.min(length, LONGEST_DATA));
    if (data.length === 0 && length > 0) return status(STATUS.EOF, "End of file");
    return { type: RESPONSE.DATA, fields: [wire.number(data.length), data] };
  },
  [REQUEST.WRITE]: async (from, { handles }) => {
    const [handle, offset, data] = [from.text(), from.longNumber(), from.text()];
    await handles.file(handle).write(offset, data);
    return done;
  },
  [REQUEST.STAT]: (from, { paths }) => attributesOf(paths, from.text(), "stat"),
  [REQUEST.LSTAT]: (from, { paths }) => attributesOf(paths, from.text(), "lstat"),
  [REQUEST.FSTAT]: async (from, { handles }) => {
    const { body } = await handles.file(from.text()).run("stat");
    return { type: RESPONSE.ATTRS, fields: [wire.attributes(parseAttributes(body.toString("latin1")))] };
  },
  [REQUEST.SETSTAT]: async (from, { paths }) => {
    await paths.setAttributes(from.text(), from.attributes());
    return done;
  },
  [REQUEST.FSETSTAT]: async (from, { handles }) => {
    const [file, asked] = [handles.file(from.text()), from.attributes()];
    for (const [verb, ...values] of changesOf(asked)) await file.run(verb, ...values);
    return done;
  },
  [REQUEST.OPENDIR]: async (from, { paths, handles }) => {
    const path = await paths.resolve(from.text());
    const handle = await handles.add((lane) => OpenFolder.open(lane, path));
    return { type: RESPONSE.HANDLE, fields: [wire.text(handle)] };
  },
  [REQUEST.READDIR]: async (from, { handles }) => {
    const page = await handles.folder(from.text()).readPage();
    if (page === null) return status(STATUS.EOF, "End of directory");
    return names(...page.map(({ name, file }) => wire.nameEntry(name, file)));
  },
  [REQUEST.REMOVE]: (from, served) => changed(served, "remove", from.text()),
  [REQUEST.RMDIR]: (from, served) => changed(served, "rmdir", from.text()),
  [REQUEST.MKDIR]: async (from, { paths }) => {
    await paths.makeFolder(from.text(), from.attributes());
    return done;
  },
  [REQUEST.REALPATH]: async (from, { paths }) =>
    names(wire.nameEntry(await paths.realPath(from.text()), null)),
  [REQUEST.READLINK]: async (from, { paths }) =>
    names(wire.nameEntry(await paths.readLink(from.text()), null)),
  [REQUEST.RENAME]: (from, served) => changed(served, "rename", from.text(), from.text()),
  // OpenSSH's clients and server send the target first, against the draft.
  [REQUEST.SYMLINK]: async (from, { paths }) => {
    await paths.makeLink(from.text(), from.text());
    return done;
  },
  [REQUEST.EXTENDED]: (from, served) => {
    const extended = EXTENDED.get(from.text().toString("latin1"));
    if (!extended) throw new SftpFailure(STATUS.UNSUPPORTED, "Not supported");
    return extended.ask(from, served);
  },
};

const EXTENDED = new Map<string, { version: string; ask: Ask }>(
  Object.entries({
    "posix-rename@openssh.com": {
      version: "1",
      ask: (from, served) => changed(served, "replace", from.text(), from.text()),
    },
    "hardlink@openssh.com": {
      version: "1",
      ask: (from, served) => changed(served, "link", from.text(), from.text()),
    },
    "statvfs@openssh.com": {
      version: "2",
      ask: async (from, { paths }) => {
        const numbers = await paths.statFileSystem(from.text());
        return { type: RESPONSE.EXTENDED, fields: numbers.map(wire.longNumber) };
      },
    },
    "fsync@openssh.com": {
      version: "1",
      ask: async (from, { handles }) => {
        await handles.file(from.text()).run("sync");
        return done;
      },
    },
    "limits@openssh.com": {
      version: "1",
      ask: async () => ({
        type: RESPONSE.EXTENDED,
        fields: [LONGEST_PACKET, LONGEST_DATA, LONGEST_DATA, MOST_LANES - 1].map(wire.longNumber),
      }),
    },
  }),
);

export const extensions = [...EXTENDED].map(([name, { version }]) => ({ name, version }));

/** @throws SftpFailure, MalformedPacket */
export async function answerRequest(type: number, from: wire.PacketReader, served: Served): Promise<Answer> {
  const ask = ASKS[type];
  if (!ask) throw new SftpFailure(STATUS.UNSUPPORTED, "Not supported");
  return ask(from, served);
}

async function changed({ paths }: Served, verb: string, path: Buffer, other?: Buffer): Promise<Answer> {
  await paths.run(verb, path, other);
  return done;
}

async function attributesOf(paths: PathRequests, path: Buffer, verb: "stat" | "lstat"): Promise<Answer> {
  return { type: RESPONSE.ATTRS, fields: [wire.attributes(await paths.stat(path, verb))] };
}
