import type { Seen, Wish } from "../../lib/contract/agent-protocol";
import { readFault } from "./engine-fault";
import { listPorts, makeJupyterToken, planLaunch } from "./launch";
import { pullImage } from "./pull-image";
import type { RunRecord } from "./run-record";
import { Postponed, Refused, type WorkPlace } from "./work-place";

const PORT_TAKEN =
  /already allocated|address already in use|ports? (?:is|are) (?:already )?(?:in use|not available)/i;

/**
 * Pulls the image and makes network and container, all of which may be there already. `signal` ends the pull.
 * @throws Refused, PullError, NameTakenError for the renter · Postponed · what dockerode rejects with
 */
export async function makeContainer(
  place: WorkPlace,
  wish: Wish,
  signal: AbortSignal,
  say: (state: Seen["state"], message: string) => void,
): Promise<void> {
  const { options } = place;
  const token = makeJupyterToken(options.tokenKey, wish.instanceId);
  const launch = planLaunch(wish.template, wish.instanceId, token);
  if ("problem" in launch) throw new Refused(launch.problem);
  const record = await allotPorts(place, wish);
  say("pulling", "pulling image");
  const image = await pullImage({
    docker: options.docker,
    image: wish.template.image,
    allowPrivate: options.privateImages,
    credentials: await askCredentials(place, wish),
    signal,
    onProgress: (message) => say("pulling", message),
  });
  say("starting", "making the container");
  await place.engine(wish.instanceId).create(wish, record, launch, image);
}

/**
 * Starts a container that is there.
 * @throws Postponed where one of its ports is taken · what dockerode rejects with
 */
export async function startContainer(place: WorkPlace, wish: Wish, hasRun: boolean): Promise<void> {
  const { records, machineBoot } = place;
  const record = records.get(wish.instanceId);
  if (record && record.machineBoot !== machineBoot) await records.write({ ...record, machineBoot });
  await place.guard();
  const engine = place.engine(wish.instanceId);
  try {
    await engine.start();
  } catch (error) {
    const fault = readFault(error);
    if (fault.kind === "away" || fault.kind === "conflict" || !PORT_TAKEN.test(fault.words)) throw error;
    // A container's ports are fixed once it is made; one that has run holds its renter's files.
    if (hasRun) throw new Postponed("waiting: another program on the machine uses one of its ports");
    await engine.removeContainer();
    await records.remove(wish.instanceId);
    throw new Postponed("starting again with other ports");
  }
}

/** Asked for at the last moment, and gone with the call. */
async function askCredentials({ options }: WorkPlace, { instanceId, template }: Wish) {
  if (template.login === null) return null;
  const password = await options.registryPassword(instanceId).catch(() => {
    throw new Postponed("waiting for the market to give the registry's password");
  });
  return password === null ? null : { username: template.login, password };
}

/** Ports are kept as long as the instance is, so that what a renter noted down stays true. */
async function allotPorts({ records, book, machineBoot }: WorkPlace, wish: Wish): Promise<RunRecord> {
  const { instanceId, boot, template } = wish;
  const asked = Object.entries(listPorts(template));
  const fresh = { instanceId, boot, mark: null, machineBoot };
  const known = records.get(instanceId);
  if (known && template.useSsh === (known.sshPort !== null) && asked.every(([guest]) => known.ports[guest])) {
    const record = { ...known, ...fresh };
    await records.write(record);
    return record;
  }
  const picked = await book.pick([
    ...asked.map(([, protocol]) => protocol),
    ...(template.useSsh ? (["tcp"] as const) : []),
  ]);
  if (!picked) throw new Postponed("waiting for free ports on the machine");
  const ports = Object.fromEntries(asked.map(([guest], at) => [guest, picked[at] ?? 0]));
  const record = { ...fresh, sshPort: template.useSsh ? (picked.at(-1) ?? null) : null, ports };
  await records.write(record).finally(() => book.settle(picked));
  return record;
}
