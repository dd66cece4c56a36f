import { expect } from "vitest";
import { waitUntil } from "./wait-until";

/** What a client that knows the specification reads of an instance. */
export interface Instance {
  id: string;
  status: string;
  phase: string;
  message: string | null;
  ssh_host: string;
  ssh_port: number;
  ssh_username: string;
  fingerprint: string;
  ports: Record<string, string>;
  address: string;
  logs: string | null;
}

/** An account that calls a server over its sockets. */
export interface Renter {
  url: string;
  key: string;
  userId: string;
}

/** Calls the API as any program would; anything but 200 fails the test. */
export async function call<T = unknown>(
  { url, key }: Renter,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const init = { method, headers: { "x-api-key": key, "content-type": "application/json" } };
  const answer = await fetch(url + path, body ? { ...init, body: JSON.stringify(body) } : init);
  const json = await answer.json();
  expect(answer.status, `${method} ${path} ${JSON.stringify(json)}`).toBe(200);
  return json.data;
}

export async function look(renter: Renter, id: string): Promise<Instance> {
  const found = (await call<Instance[]>(renter, "GET", "/v0/instances")).find((one) => one.id === id);
  if (!found) throw new Error("the instance is gone");
  return found;
}

/** Waits until the instance has got there. */
export function reach(renter: Renter, id: string, status: string, phase = status): Promise<Instance> {
  return waitUntil(`it is ${status} (${phase})`, async () => {
    const found = await look(renter, id);
    if (found.status === "error" && status !== "error") throw new Error(`it failed: ${found.message}`);
    return found.status === status && found.phase === phase ? found : null;
  });
}
