import { expect, it } from "vitest";
import { decideStep, type SeenContainer, type Situation } from "../../agent/containers/decide-step";
import { makeJupyterToken, makeUiUrl, planLaunch } from "../../agent/containers/launch";
import { bridgeOf, planContainer } from "../../agent/containers/plan-container";
import { registryOf } from "../../agent/containers/pull-image";
import { splitWords } from "../../lib/contract/split-words";
import { makeOptions, makeWish } from "./containers-fixture";

const template = makeWish("inst_x").template;
const container: SeenContainer = {
  id: "c",
  pid: 1,
  isRunning: true,
  isFrozen: false,
  startedAt: "T1",
  finishedAtMs: 0,
  exitCode: 0,
  wasOutOfMemory: false,
};
const ended = { ...container, isRunning: false };
const record = { instanceId: "i", boot: 1, mark: null, machineBoot: "m", sshPort: null, ports: {} };
const situation: Situation = {
  wanted: "running",
  boot: 1,
  record,
  container,
  machineBoot: "m",
  wasEngineAway: false,
};

it.each<[string, Partial<Situation>, unknown]>([
  ["nothing there", { container: null }, { do: "create" }],
  ["made, never run", { container: { ...ended, startedAt: null } }, { do: "start" }],
  ["running", {}, { do: "nothing", state: "running" }],
  ["running, of an older boot", { boot: 2 }, { do: "record", boot: 2, mark: "T1" }],
  ["running, and marked", { record: { ...record, mark: "T1" } }, { do: "stop" }],
  ["ended, and marked", { record: { ...record, mark: "T1" }, container: ended }, { do: "start" }],
  ["ended by itself", { container: ended }, { do: "nothing", state: "exited" }],
  [
    "ended by itself, newer boot wished",
    { container: ended, boot: 2 },
    { do: "record", boot: 2, mark: "T1" },
  ],
  ["ended with the machine", { container: ended, machineBoot: "n" }, { do: "record", boot: 1, mark: "T1" }],
  ["ended with the engine", { container: ended, wasEngineAway: true }, { do: "record", boot: 1, mark: "T1" }],
  ["standing still", { container: { ...container, isFrozen: true } }, { do: "thaw" }],
  ["to pause", { wanted: "paused" }, { do: "record", boot: 1, mark: "T1" }],
  ["to pause, marked", { wanted: "paused", record: { ...record, mark: "T1" } }, { do: "stop" }],
  [
    "paused",
    { wanted: "paused", record: { ...record, mark: "T1" }, container: ended },
    { do: "nothing", state: "stopped" },
  ],
  ["to pause, nothing there", { wanted: "paused", container: null }, { do: "nothing", state: "stopped" }],
  ["record lost", { record: null }, { do: "restore record" }],
])("CTR-30 decides by what there is: %s", (_, given, step) => {
  expect(decideStep({ ...situation, ...given })).toEqual(step);
});

it.each([
  [`python3 -m http.server "8 0" 'a\\b' c\\ d`, ["python3", "-m", "http.server", "8 0", "a\\b", "c d"]],
  [`--name="x y"z '' "\\"q\\" \\n"`, ["--name=x yz", "", '"q" \\n']],
  ["a && b > c $HOME", ["a", "&&", "b", ">", "c", "$HOME"]],
  ["it's open", null],
  ['"', null],
])("CTR-31 reads a command's words as a shell does: %s", (command, words) => {
  expect(splitWords(command)).toEqual(words);
});

it("CTR-32 leaves the image its entrypoint where neither SSH nor Jupyter is asked for", () => {
  expect(planLaunch({ ...template, useSsh: false }, "inst_x", "t")).toEqual({
    Env: ["BERTH_INSTANCE_ID=inst_x"],
  });
  expect(planLaunch({ ...template, useSsh: false, command: "--port 1" }, "inst_x", "t")).toMatchObject({
    Cmd: ["--port", "1"],
  });
  expect(planLaunch({ ...template, useSsh: false, command: "'" }, "inst_x", "t")).toHaveProperty("problem");
});

it("CTR-33 gives Jupyter's token by the environment only, the same for each run, and a whole address", () => {
  const token = makeJupyterToken(Buffer.alloc(32, 1), "inst_x");
  const jupyter = { ...template, useJupyter: true, useJupyterLab: true };
  const launch = planLaunch({ ...jupyter, variables: { JUPYTER_TOKEN: "mine" } }, "inst_x", token);
  expect(launch).toMatchObject({ Env: ["BERTH_INSTANCE_ID=inst_x", `JUPYTER_TOKEN=${token}`] });
  expect(JSON.stringify({ ...launch, Env: [] })).not.toContain(token);
  expect(makeJupyterToken(Buffer.alloc(32, 1), "inst_x")).toBe(token);
  expect(makeJupyterToken(Buffer.alloc(32, 1), "inst_y")).not.toBe(token);
  expect(makeUiUrl(jupyter, "203.0.113.9", 10_005, token)).toBe(
    `http://203.0.113.9:10005/lab?token=${token}`,
  );
  expect(makeUiUrl({ ...jupyter, useJupyterLab: false }, "2001:db8::1", 1, "t")).toBe(
    "http://[2001:db8::1]:1/tree?token=t",
  );
});

it("CTR-34 names a registry as engines do, and a bridge as the kernel can", () => {
  expect(registryOf("docker.io/library/x:1")).toBe("https://index.docker.io/v1/");
  expect(registryOf("ghcr.io/a/b@sha256:00")).toBe("ghcr.io");
  expect(registryOf("127.0.0.1:5000/a")).toBe("127.0.0.1:5000");
  expect(bridgeOf("inst_0123456789abcdefghij")).toMatch(/^bth-[0-9a-f]{11}$/);
});

it("CTR-35 gives a container the GPUs of its slot by their ids, whatever its image and template say", () => {
  const gpus = ["GPU-a", "GPU-b", "GPU-c", "GPU-d"].map((uuid) => ({
    uuid,
    vendor: "NVIDIA" as const,
    name: "NVIDIA H100",
    vramGb: 80,
  }));
  const options = makeOptions({ slots: 2, machine: { ...makeOptions().machine, gpus } });
  const planned = (slot: number, slots = 2) =>
    planContainer(
      { ...options, slots },
      { takesDiskSize: true, takesSwapLimit: true },
      makeWish("inst_x", {}, { slot, storageGb: 20 }),
      { ...record, ports: { "8080": 10_001 } },
      { Env: ["NVIDIA_VISIBLE_DEVICES=all"] },
      "sha256:0",
    );
  expect(planned(1).HostConfig).toMatchObject({
    DeviceRequests: [{ DeviceIDs: ["GPU-c", "GPU-d"], Capabilities: [["gpu"]] }],
    StorageOpt: { size: "20G" },
    PortBindings: { "8080/tcp": [{ HostIp: "", HostPort: "10001" }] },
  });
  expect(planned(1).Env).toEqual(["NVIDIA_VISIBLE_DEVICES=GPU-c,GPU-d"]);
  expect(planned(5, 8).Env).toEqual(["NVIDIA_VISIBLE_DEVICES=void"]);
});
