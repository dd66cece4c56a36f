import type { Currency, InstancePhase } from "../contract/words";
import type { AnswerOf } from "./call-operation";

export type Instance = AnswerOf<"listInstances">["data"][number];

/** What both the list and the page of one instance ask, so that they share an answer. */
export function ownInstances(currency: Currency) {
  return { query: { currency } };
}

const passing: readonly InstancePhase[] = [
  "scheduling",
  "pulling",
  "starting",
  "pausing",
  "resuming",
  "rebooting",
  "stopping",
];

/** Whether it is on its way to something, of which no event tells each step. */
export function isPassing({ phase }: Pick<Instance, "phase">): boolean {
  return passing.includes(phase);
}

export function isSimulated({ actual_offer }: Pick<Instance, "actual_offer">): boolean {
  return actual_offer.extra.simulated === true;
}

/** What one calls it: its own name, or what runs there. */
export function nameOf({ name, actual_template }: Pick<Instance, "name" | "actual_template">): string {
  return name?.trim() || actual_template.name;
}

/** What has to be typed before it is destroyed: its name, or its id where the name cannot be typed as it is seen. */
export function typedNameOf({ id, name }: Pick<Instance, "id" | "name">): string {
  const own = name?.trim() ?? "";
  const isTypable = /^[\p{L}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(own);
  return isTypable ? own : id;
}

export function placeOf({ actual_offer: { location } }: Pick<Instance, "actual_offer">): string {
  return [location.city, location.country].filter(Boolean).join(", ");
}

/** The image and its tag in one word. */
export function imageOf({
  actual_template: { image, image_tag },
}: Pick<Instance, "actual_template">): string {
  return `${image}:${image_tag}`;
}
