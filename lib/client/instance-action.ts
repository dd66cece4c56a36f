import type { InstanceAction } from "../contract/words";
import { callOperation } from "./call-operation";
import type { Instance } from "./own-instances";

/** What is done to an instance as a whole, a click each. */
export const lifeActions = ["start", "pause", "reboot", "destroy"] as const satisfies InstanceAction[];
export type LifeAction = (typeof lifeActions)[number];

/** What asks for it. */
export function actionCall(action: LifeAction, id: string) {
  const params = { instance_id: id };
  switch (action) {
    case "start":
      return { name: "controlInstance", call: { params, query: { action } } } as const;
    case "pause":
      return { name: "controlInstance", call: { params, query: { action } } } as const;
    case "reboot":
      return { name: "rebootInstance", call: { params } } as const;
    case "destroy":
      return { name: "deleteInstance", call: { params } } as const;
  }
}

/** @throws ApiError */
export function act(action: LifeAction, id: string): Promise<unknown> {
  const { name, call } = actionCall(action, id);
  return callOperation(name, call);
}

/** What the instance is to look like until the server has answered. Nothing else can be done to it meanwhile. */
export function foresee(instance: Instance, action: LifeAction): Instance {
  const still = { ...instance, actions: [], message: null };
  switch (action) {
    case "start":
      return { ...still, status: "pending", phase: "resuming" };
    case "pause":
      return { ...still, status: "paused", phase: "pausing" };
    case "reboot":
      return { ...still, status: "rebooting", phase: "rebooting" };
    case "destroy":
      return { ...still, status: "destroyed", phase: "stopping" };
  }
}
