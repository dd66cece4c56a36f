import Docker from "dockerode";
import { pino } from "pino";
import { Keeper } from "../../agent/containers/keeper";
import type { Wish } from "../../lib/contract/agent-protocol";

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
const keeper = new Keeper({
  docker,
  agentId: given.agentId,
  folder: given.folder,
  log: pino({ level: "silent" }),
  ports: given.ports,
  bind: "0.0.0.0",
  address: "203.0.113.9",
  slots: 4,
  machine: {
    gpus: [],
    cpuName: null,
    vcpu: 2,
    cpuCores: 2,
    cpuFreqGhz: null,
    ramGb: 2,
    diskGb: 10,
    maxCudaVersion: null,
    ethernetInMbps: null,
    ethernetOutMbps: null,
  },
  egress: "open",
  tokenKey: Buffer.alloc(32, 7),
  graceSeconds: 2,
  registryPassword: async () => null,
});
keeper.want(given.wishes);
