import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ssh2, { type Client, type ClientChannel } from "ssh2";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as wire from "@/agent/gateway/sftp/wire";
import { describeWithEngine } from "../support/describe-with-engine";
import { waitUntil } from "../support/wait-until";
import { type GatewayWorld, startGatewayWorld } from "./gateway-fixture";

const { REQUEST, RESPONSE } = wire;
const READ_ONLY = 1;
const WRITE_CREATE = 2 | 8;
const FAILURE = 4;

describeWithEngine("clients that mean harm", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
    await world.ssh("echo content >file");
  });
  afterAll(() => world.remove());

  const dial = async () => {
    const client = new ssh2.Client();
    client.on("error", () => undefined);
    const privateKey = await readFile(join(world.folder, "id"));
    client.connect({ host: "127.0.0.1", port: world.port, username: "root", privateKey });
    await once(client, "ready");
    return client;
  };
  const openSftp = (client: Client) =>
    new Promise<ClientChannel>((resolve, reject) =>
      client.subsys("sftp", (error, channel) => (error ? reject(error) : resolve(channel))),
    );

  /** Says packets and hears whole answers. */
  const talk = async () => {
    const client = await dial();
    const channel = await openSftp(client);
    let heard = Buffer.alloc(0);
    channel.on("data", (data: Buffer) => {
      heard = Buffer.concat([heard, data]);
    });
    const hear = async () => {
      const isWhole = () => heard.length >= 4 && heard.length >= 4 + heard.readUInt32BE();
      await waitUntil("an answer", async () => isWhole());
      const answer = heard.subarray(4, 4 + heard.readUInt32BE());
      heard = heard.subarray(4 + heard.readUInt32BE());
      return { type: answer[0], rest: answer.subarray(5) };
    };
    const ask = (type: number, ...fields: Buffer[]) => {
      channel.write(wire.packet(type, wire.number(7), ...fields));
      return hear();
    };
    channel.write(wire.packet(REQUEST.INIT, wire.number(3)));
    expect((await hear()).type).toBe(RESPONSE.VERSION);
    const open = async (path: string, flags: number) =>
      (await ask(REQUEST.OPEN, wire.text(path), wire.number(flags), wire.number(0))).rest;
    return { client, channel, ask, open };
  };
  const status = ({ type, rest }: { type: number | undefined; rest: Buffer }) =>
    type === RESPONSE.STATUS ? rest.readUInt32BE() : `answer ${type}`;

  it("GW-60 ends an SFTP session at a packet that cannot be, and serves the next", async () => {
    const init = wire.packet(REQUEST.INIT, wire.number(3));
    for (const bytes of [
      Buffer.from([0xff, 0xff, 0xff, 0xff, 1]),
      Buffer.from([0, 0, 0, 0]),
      Buffer.from([0x7f, 0xff, 0xff, 0xff, 1]),
      wire.packet(REQUEST.STAT, wire.number(1), wire.text("/")),
      Buffer.concat([init, wire.packet(REQUEST.STAT)]),
      Buffer.concat([init, wire.packet(REQUEST.STAT, Buffer.from([1]))]),
    ]) {
      const client = await dial();
      const channel = await openSftp(client);
      channel.write(bytes);
      channel.resume();
      await once(channel, "close");
      client.end();
    }
    expect((await world.ssh("echo in")).stdout.toString()).toBe("in\n");
  });

  it("GW-61 answers requests that make no sense with a failure and goes on", async () => {
    const { ask, open, client } = await talk();
    const bad: [number, ...Buffer[]][] = [
      [REQUEST.STAT, wire.number(0xffff_ffff)],
      [REQUEST.OPEN, wire.text("/x")],
      [99, wire.text("?")],
      [REQUEST.EXTENDED, wire.text("nobody@example.org")],
      [REQUEST.EXTENDED, wire.text("__proto__")],
      [REQUEST.CLOSE, wire.text("none")],
      [REQUEST.READDIR, wire.text("1")],
      [REQUEST.READ, wire.text("none"), wire.longNumber(0), wire.number(10)],
      [REQUEST.STAT, wire.text("/a\0b")],
      [REQUEST.STAT, wire.text(Buffer.alloc(100_000, 0x61))],
      [REQUEST.SYMLINK, wire.text(""), wire.text("/tmp/l")],
      [REQUEST.OPEN, wire.text("/root/file"), wire.number(0), wire.number(0)],
      [REQUEST.SETSTAT, wire.text("/root/file"), wire.number(1), Buffer.alloc(8, 0xff)],
    ];
    for (const [type, ...fields] of bad)
      expect(status(await ask(type, ...fields)), `${type}`).toBeGreaterThan(1);
    const handle = await open("/root/file", READ_ONLY);
    const read = (offset: bigint, length: number) => {
      const at = Buffer.alloc(8);
      at.writeBigUInt64BE(offset);
      return ask(REQUEST.READ, handle, at, wire.number(length));
    };
    for (const offset of [8n, 2n ** 40n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n])
      expect(status(await read(offset, 10)), `${offset}`).toBe(1);
    expect((await read(2n, 0xffff_ffff)).rest.subarray(4).toString()).toBe("ntent\n");
    expect((await read(0n, 3)).rest.subarray(4).toString()).toBe("con");
    expect(status(await ask(REQUEST.WRITE, handle, wire.longNumber(0), wire.text("x")))).toBe(3);
    expect((await world.ssh("cat file")).stdout.toString()).toBe("content\n");
    client.end();
  });

  it("GW-62 writes where it is told to, in any order, and refuses where no file can be", async () => {
    const { ask, open, client } = await talk();
    const handle = await open("/root/holes", WRITE_CREATE);
    const write = (offset: number, data: string) =>
      ask(REQUEST.WRITE, handle, wire.longNumber(offset), wire.text(data));
    for (const [offset, data] of [
      [10, "cd"],
      [0, "ab"],
      [11, "D"],
      [3_000_000_000, "far"],
    ] as const)
      expect(status(await write(offset, data))).toBe(0);
    const { stdout } = await world.ssh("head -c 12 holes | tr '\\0' .; tail -c 3 holes; stat -c ' %s' holes");
    expect(stdout.toString()).toBe("ab........cDfar 3000000003\n");
    const absurd = Buffer.alloc(8, 0x7f);
    expect(status(await ask(REQUEST.WRITE, handle, absurd, wire.text("x")))).toBe(FAILURE);
    client.end();
  });

  it("GW-63 keeps an open file through its renaming and removal", async () => {
    const { ask, open, client } = await talk();
    const handle = await open("/root/moved", WRITE_CREATE);
    expect(status(await ask(REQUEST.RENAME, wire.text("moved"), wire.text("elsewhere")))).toBe(0);
    expect(status(await ask(REQUEST.WRITE, handle, wire.longNumber(0), wire.text("kept")))).toBe(0);
    expect((await world.ssh("cat elsewhere")).stdout.toString()).toBe("kept");
    expect(status(await ask(REQUEST.REMOVE, wire.text("elsewhere")))).toBe(0);
    const { type } = await ask(REQUEST.READ, handle, wire.longNumber(0), wire.number(10));
    expect(type).toBe(RESPONSE.DATA);
    expect(status(await ask(REQUEST.CLOSE, handle))).toBe(0);
    client.end();
  });

  it("GW-64 bounds what one client can hold open", async () => {
    const { open, client, ask } = await talk();
    const handles = [];
    for (let i = 0; i < 30; i++) handles.push(await open("/root/file", READ_ONLY));
    expect(handles.filter((handle) => handle.readUInt32BE() === FAILURE).length).toBeGreaterThan(0);
    const [first = Buffer.alloc(0)] = handles;
    expect(status(await ask(REQUEST.CLOSE, first))).toBe(0);
    expect((await open("/root/file", READ_ONLY)).length).toBeLessThan(10);
    client.end();
    await waitUntil(
      "all have ended",
      async () => !(await world.ssh("ps")).stdout.toString().includes("while read -r mark"),
    );
    const other = await dial();
    const sessions = Array.from(
      { length: 80 },
      () => new Promise<boolean>((resolve) => other.exec("sleep 3000", (error) => resolve(!error))),
    );
    const opened = (await Promise.all(sessions)).filter(Boolean).length;
    expect(opened).toBe(64);
    other.end();
    expect((await world.ssh("echo in")).stdout.toString()).toBe("in\n");
  });

  it("GW-65 stands a client that takes packets of no bytes", async () => {
    const client = await dial();
    // ssh2's client asks for its own packet size; the field is in the protocol's packet, made below it.
    const protocol: unknown = Reflect.get(client, "_protocol");
    if (typeof protocol !== "object" || protocol === null) throw new Error("no protocol");
    const original: unknown = Reflect.get(protocol, "session");
    if (typeof original !== "function") throw new Error("no session");
    Reflect.set(protocol, "session", (channel: number, window: number) =>
      Reflect.apply(original, protocol, [channel, window, 0]),
    );
    const code = await new Promise((resolve) =>
      client.exec("echo out", (error, channel) =>
        error ? resolve("refused") : channel.resume().once("close", () => resolve("closed")),
      ),
    );
    expect(["refused", "closed"]).toContain(code);
    client.end();
    expect((await world.ssh("echo in")).stdout.toString()).toBe("in\n");
  });

  it("GW-66 ends the connection of a client that sends more than it was given room for", async () => {
    const client = await dial();
    const channel = await new Promise<ClientChannel>((resolve, reject) =>
      client.exec("sleep 3001", (error, each) => (error ? reject(error) : resolve(each))),
    );
    const [protocol, outgoing]: unknown[] = [
      Reflect.get(client, "_protocol"),
      Reflect.get(channel, "outgoing"),
    ];
    if (typeof protocol !== "object" || protocol === null) throw new Error("no protocol");
    if (typeof outgoing !== "object" || outgoing === null) throw new Error("no channel");
    const send: unknown = Reflect.get(protocol, "channelData");
    if (typeof send !== "function") throw new Error("no data");
    const closed = new Promise((resolve) => client.once("close", () => resolve(null)));
    const before = process.memoryUsage().rss;
    // No divisor of the window: ssh2 minds a window of exactly nothing.
    const data = Buffer.alloc(30_000);
    for (let sent = 0; sent < 1000; sent++)
      Reflect.apply(send, protocol, [Reflect.get(outgoing, "id"), data]);
    await closed;
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    const isThere = async () => (await world.ssh("ps")).stdout.toString().includes("sleep 3001");
    await waitUntil("its process has ended", async () => !(await isThere()));
  });
});
