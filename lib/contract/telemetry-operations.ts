import type { z } from "zod";
import { listEnvelope } from "./common";
import { examples } from "./examples";
import { instanceParams } from "./instance";
import { defineOperation } from "./operation";
import {
  instanceLogLine,
  type instanceMetric,
  instanceMetrics,
  listInstanceLogsQuery,
  listInstanceMetricsQuery,
} from "./telemetry";

const params = { instance_id: examples.ids.instance };

const lineExample = {
  id: "73120",
  at: "2026-03-02T09:21:30.481205117Z",
  stream: "stdout",
  text: "Serving HTTP on 0.0.0.0 port 8080",
} satisfies z.output<typeof instanceLogLine>;

const metricExample = {
  at: "2026-03-02T11:21:30.000Z",
  gpu_util: 93,
  cpu_util: 21.5,
  ram_util: 40,
  mem_util: 71,
  inet_in: 8_120_334_121,
  inet_out: 51_200_412,
} satisfies z.output<typeof instanceMetric>;

const howItGoes = `First of all comes an \`id\` without data: where the stream stands, for a client that receives nothing
and connects again. Lines that begin with a colon keep the connection alive, every 15 seconds. When the instance is destroyed the event
\`end\` comes, and nothing after it. The stream also ends after 10 minutes, when the node stops, and within 15 seconds of the key
losing its right: connect again with the last id.`;

/** What an instance writes and how it loads. */
export const telemetryOperations = {
  listInstanceLogs: defineOperation({
    id: "listInstanceLogs",
    method: "GET",
    path: "/v0/instances/{instance_id}/logs",
    tag: "Instances",
    summary: "List or follow the logs of an instance",
    description: `What the container wrote, a line each, in the order in which it was received. Without \`after\`, the newest \`tail\`
lines, the oldest of them first; with it, what came behind that line, so that reading on \`after\` the last id loses and repeats
nothing. \`total_items\` counts all lines that are kept and match. Kept are the newest 10,000 or so, for 7 days.

With \`Accept: text/event-stream\` the answer follows: it goes on as lines are written. Each is

    id: ${lineExample.id}
    event: log
    data: ${JSON.stringify(lineExample)}

It begins behind the line that the header \`Last-Event-ID\` names (as an \`EventSource\` sends it when it connects again), else behind
\`after\`, else with the newest \`tail\` lines. ${howItGoes} One account can follow logs 20 times at once on a node; more is a 429.`,
    scope: "instances:read",
    params: instanceParams,
    query: listInstanceLogsQuery,
    response: listEnvelope(instanceLogLine),
    alternatives: ["text/event-stream"],
    errors: ["not_found"],
    example: {
      params,
      query: { tail: "100", since: "10m" },
      response: { ok: true, data: [lineExample], total_items: 1 },
    },
  }),

  listInstanceMetrics: defineOperation({
    id: "listInstanceMetrics",
    method: "GET",
    path: "/v0/instances/{instance_id}/metrics",
    tag: "Instances",
    summary: "List or follow how an instance loads its machine",
    description: `Utilisation in per cent and traffic, a point each 10 seconds while it runs, kept for 7 days. A longer span comes in
longer steps, so that there are at most 500 points: utilisation is the step's average, traffic is what it was at the step's end.
\`total_items\` counts the points of the answer.

With \`Accept: text/event-stream\` the answer follows: it goes on with each new point, as

    id: ${metricExample.at}
    event: metric
    data: ${JSON.stringify(metricExample)}

It begins behind the point that the header \`Last-Event-ID\` names, else with \`from\`, else with the next one; \`to\` counts for
nothing there. ${howItGoes} One account can follow metrics 20 times at once on a node; more is a 429.`,
    scope: "instances:read",
    params: instanceParams,
    query: listInstanceMetricsQuery,
    response: instanceMetrics,
    alternatives: ["text/event-stream"],
    errors: ["not_found"],
    example: {
      params,
      query: { from: "1h" },
      response: { ok: true, data: [metricExample], total_items: 1, step: 10 },
    },
  }),
};
