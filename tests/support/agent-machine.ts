import { once } from "node:events";
import { Server } from "ssh2";
import { onTestFinished } from "vitest";
import { makeHostKey } from "@/agent/gateway/host-key";
import { createHostToken } from "@/lib/agents/create-host-token";
import {
  AGENT_PROTOCOL,
  type JoinAnswer,
  type JoinBody,
  joinAnswer,
  type Seen,
} from "@/lib/contract/agent-protocol";
import { toResponse } from "@/lib/http/answers";
import { dispatch } from "@/lib/http/router";

/** What a machine with one RTX 4090 says of itself. */
export const machine: JoinBody["machine"] = {
  gpus: [{ uuid: "GPU-1", vendor: "NVIDIA", name: "NVIDIA GeForce RTX 4090", vramGb: 24 }],
  cpuName: "AMD EPYC 7543",
  vcpu: 16,
  cpuCores: 8,
  cpuFreqGhz: 2.8,
  ramGb: 64,
  diskGb: 500,
  maxCudaVersion: 12.8,
  ethernetInMbps: 1000,
  ethernetOutMbps: 1000,
};

export interface AgentAnswer<T> {
  status: number;
  data: T;
  error: { code?: string; detail?: unknown };
}

/** Calls what agents call, in process. */
export async function callAgent<T = unknown>(
  path: string,
  options: { secret?: string | null; body?: object; rawBody?: string } = {},
): Promise<AgentAnswer<T>> {
  const { secret, body, rawBody } = options;
  const payload = rawBody ?? (body === undefined ? null : JSON.stringify(body));
  const isRead = path.startsWith("/agent/wishes") || path.startsWith("/agent/keys");
  const request = new Request(`http://127.0.0.1${path}`, {
    method: isRead ? "GET" : "POST",
    headers: {
      ...(secret ? { authorization: `Bearer ${secret}` } : {}),
      ...(payload === null ? {} : { "content-type": "application/json" }),
    },
    body: payload,
  });
  const answer = toResponse(await dispatch(request, { address: "127.0.0.1" }));
  const json = await answer.json();
  return { status: answer.status, data: json.data, error: json };
}

/** A gateway that proves a host key and lets nobody in. */
export async function openGateway(): Promise<{ port: number; fingerprint: string }> {
  const { privateKey, fingerprint } = makeHostKey();
  const server = new Server({ hostKeys: [privateKey] }, (client) => client.on("error", () => undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: Number(Reflect.get(Object(server.address()), "port")), fingerprint };
}

export type Joining = Partial<JoinBody> & { fingerprint: string; port: number };

export function joinBody(joining: Joining): JoinBody {
  return {
    protocol: AGENT_PROTOCOL,
    token: null,
    address: null,
    firstPort: 20_000,
    lastPort: 20_100,
    slots: 1,
    price: 0.42,
    diskPrice: 0.1,
    place: { city: "Oslo", country: "Norway", region: "Europe" },
    engine: "Podman Engine 4.3.1",
    egressGuarded: true,
    machine,
    failures: [],
    ...joining,
  };
}

/** Joins a machine of the account that can be reached. */
export async function joinMachine(
  userId: string,
  joining: Partial<JoinBody> = {},
): Promise<JoinAnswer & { secret: string; body: JoinBody }> {
  const body = joinBody({
    ...(await openGateway()),
    ...joining,
    token: (await createHostToken(userId)).token,
  });
  const { status, data, error } = await callAgent("/agent/join", { body });
  if (status !== 200) throw new Error(`joining answered ${status} ${JSON.stringify(error)}`);
  const joined = joinAnswer.parse(data);
  return { ...joined, secret: joined.secret ?? "", body };
}

/** What an agent says of an instance that runs. */
export function seen(instanceId: string, state: Seen["state"], more: Partial<Seen> = {}): Seen {
  const isUp = state === "running";
  return {
    instanceId,
    boot: 0,
    state,
    message: state,
    containerId: state === "pulling" ? null : "c0ffee",
    address: isUp ? "127.0.0.1" : null,
    sshPort: isUp ? 20_001 : null,
    ports: isUp ? { "22": "20001" } : {},
    uiUrl: null,
    stats: null,
    ...more,
  };
}

export function report(secret: string, ...containers: Seen[]): Promise<AgentAnswer<unknown>> {
  return callAgent("/agent/report", { secret, body: { engineAvailable: true, seen: containers, logs: {} } });
}
