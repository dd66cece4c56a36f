import { envelope } from "./common";
import { examples } from "./examples";
import { type MarketChangeData, MOST_NAMED_OFFERS, marketState } from "./market-change";
import { defineOperation } from "./operation";

const AT = "2026-03-02T09:15:00.000Z";

const changeExample = { at: AT, offer_ids: [examples.ids.offer] } satisfies MarketChangeData;

/** That the market changed, for pages that show it. */
export const marketChangeOperations = {
  followMarketChanges: defineOperation({
    id: "followMarketChanges",
    method: "GET",
    path: "/v0/market/changes",
    tag: "Market",
    summary: "Return when an offer last changed, or follow the market",
    description: `With \`Accept: text/event-stream\` the answer follows: it says, at most once a second, that offers were added, repriced,
rented, freed or withdrawn, so that a page can search again. Each event is

    id: ${AT}
    event: change
    data: ${JSON.stringify(changeExample)}

\`offer_ids\` names what changed; it is null where that was more than ${MOST_NAMED_OFFERS} offers or cannot be known: at the beginning of a connection that
sends \`Last-Event-ID\`, and after the server's own connection to its database was lost, which it notices within 10 seconds.
Lines that begin with a colon keep the connection alive, every 15 seconds. It ends after 10 minutes, when the node stops, and
within 15 seconds of the key losing its right: connect again. One account can follow 20 times at once on a node; more is a 429.`,
    scope: "market:read",
    response: envelope(marketState),
    alternatives: ["text/event-stream"],
    errors: [],
    example: { response: { ok: true, data: { at: AT } } },
  }),
};
