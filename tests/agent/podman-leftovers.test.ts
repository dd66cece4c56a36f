import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEngine } from "../../agent/connect-engine";
import { PodmanLeftovers } from "../../agent/containers/podman-leftovers";

const ID = "0123456789abcdef".repeat(4);
const WITHOUT_STORAGE = { status: 500, message: `getting container from store "${ID}": container not known` };
const NAME_IN_USE = { status: 500, message: `the container name "berth-inst_1" is already in use by ${ID}.` };
const MISSING = { status: 404, message: "no such container" };

/** "breaks": the engine is gone over it. */
type Answer = "breaks" | { status: number; message?: string };

/** An engine in the states that Podman is found in, which no test brings it to at will. */
describe("what Podman leaves", () => {
  let folder: string;
  let server: Server;
  let leftovers: PodmanLeftovers;
  let calls: string[];
  let answers: Record<string, Answer[]>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "berth-podman-"));
    calls = [];
    server = createServer(({ method = "", url = "", socket }, response) => {
      const call = `${method} ${url.split("?")[0]}`;
      calls.push(call);
      const answer = answers[call]?.shift() ?? { status: 200 };
      if (answer === "breaks") socket.destroy();
      else response.writeHead(answer.status).end(JSON.stringify({ message: answer.message }));
    });
    await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    leftovers = new PodmanLeftovers(openEngine(`unix://${join(folder, "socket")}`));
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const create = () => leftovers.create({ name: "berth-inst_1" });
  const CREATE = "POST /containers/create";
  const INSPECT = "GET /containers/berth-inst_1/json";
  const REMOVE = "DELETE /containers/berth-inst_1";

  it("CTR-66 removes what a create left that broke off, before the next", async () => {
    answers = { [CREATE]: ["breaks"], [INSPECT]: [MISSING] };
    await expect(create()).rejects.toThrow();
    await create();
    await create();
    expect(calls).toEqual([CREATE, INSPECT, REMOVE, CREATE, CREATE]);
  });

  it("CTR-66 leaves a disk that the engine lost sight of", async () => {
    answers = { [CREATE]: [NAME_IN_USE, "breaks"] };
    await expect(create()).rejects.toThrow("already in use");
    await expect(create()).rejects.toThrow();
    leftovers.noteMade("berth-inst_1");
    await create();
    expect(calls).toEqual([CREATE, CREATE, CREATE]);
  });

  it("CTR-66 leaves what is there after a create that broke off", async () => {
    answers = { [CREATE]: ["breaks"] };
    await expect(create()).rejects.toThrow();
    await leftovers.clearCreate("berth-inst_1");
    expect(calls).toEqual([CREATE, INSPECT]);
  });

  it("CTR-66 ends its own removal that keeps the engine from listing, and nobody else's", async () => {
    const removal = `DELETE /containers/${ID}`;
    const refused = new Error(WITHOUT_STORAGE.message);
    answers = { [removal]: ["breaks"] };
    expect(await leftovers.clearRemoval(refused)).toBe(false);
    expect(calls).toEqual([]);
    await expect(leftovers.remove(ID, true)).rejects.toThrow();
    expect(await leftovers.clearRemoval(new Error("something else"))).toBe(false);
    expect(await leftovers.clearRemoval(refused)).toBe(true);
    expect(await leftovers.clearRemoval(refused)).toBe(false);
    expect(calls).toEqual([removal, removal]);
  });
});
