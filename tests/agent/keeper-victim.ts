import Docker from "dockerode";
import { Keeper } from "../../agent/containers/keeper";
import type { Wish } from "../../lib/contract/agent-protocol";
import { makeOptions } from "./containers-fixture";

/** A keeper that is killed as if by -9 when it makes its n-th call to the engine, or once nothing is left to do. */
interface Given {
  folder: string;
  agentId: string;
  ports: { first: number; last: number };
  socket: string;
  wishes: Wish[];
  calls: number;
}
const given: Given = JSON.parse(process.argv[2] ?? "");
const docker = new Docker({ socketPath: given.socket });
let left = given.calls;
const dial = docker.modem.dial.bind(docker.modem);
docker.modem.dial = (...args: Parameters<typeof dial>) => {
  dial(...args);
  left -= 1;
  if (left === 0) setImmediate(() => process.kill(process.pid, "SIGKILL"));
};
const { agentId, folder, ports } = given;
new Keeper(makeOptions({ docker, agentId, folder, ports })).want(given.wishes);
