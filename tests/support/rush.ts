import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { db } from "@/lib/db/client";
import { makeAccount, makeOffer, makeProvider, makeTemplate, setBalance } from "./api";

export const OFFERS = 20;
/** USD micro-units an hour. */
const PRICE = 500_000n;
export const MONTH = (PRICE * 80n * 720n) / 100n;
/** The GPUs, and 10 GB of a disk of 0.1 USD a GB and month of 720 hours. */
export const HOUR = PRICE + 1_389n;

type Period = "hour" | "month";

interface Rush {
  /** One of each node; the sockets are dealt out to them. */
  urls: string[];
  balanceMicro: bigint;
  periodOf(index: number): Period;
}

export interface RushResult {
  won: Period[];
  lost: string[];
  /** Every balance that was seen while it went on, and at its end. */
  seen: { available: bigint; burn: bigint }[];
  instances: number;
  leased: number;
  prepaid: bigint[];
}

async function openSocket(url: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  await once(socket, "connect");
  return socket;
}

/** Lets one account rent different offers of one price at once, each over a socket of its own that is open already. */
export async function rush({ urls, balanceMicro, periodOf }: Rush): Promise<RushResult> {
  const { userId, key } = await makeAccount();
  await setBalance(userId, balanceMicro);
  const { templateId } = await makeTemplate(userId);
  const providerId = await makeProvider();
  const indexes = [...Array(OFFERS).keys()];
  const offers = await Promise.all(indexes.map(() => makeOffer({ providerId, priceMicro: PRICE })));
  const sockets = await Promise.all(indexes.map((index) => openSocket(urls[index % urls.length] ?? "")));
  const watch = watchBalance(userId);
  const answers = await Promise.all(
    sockets.map((socket, index) => {
      const body = JSON.stringify({
        offer_id: offers[index]?.offerId,
        template_id: templateId,
        reserve_period: periodOf(index),
      });
      socket.write(
        `POST /v0/instances/create HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Api-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return text(socket);
    }),
  );
  const seen = await watch.end();
  const outcomes = answers.map((answer, index) => {
    const status = /^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? "no answer";
    const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? "";
    return { period: periodOf(index), text: `${status} ${code}`.trim() };
  });
  const offerIds = offers.map(({ offerId }) => offerId);
  const prepaid = await db().ledgerMovement.findMany({ where: { userId, kind: "prepay" } });
  return {
    won: outcomes.filter((outcome) => outcome.text === "200").map(({ period }) => period),
    lost: outcomes.map((outcome) => outcome.text).filter((outcome) => outcome !== "200"),
    seen,
    instances: await db().instance.count({ where: { userId, offerId: { in: offerIds }, holdsLease: true } }),
    leased: await db().offer.count({ where: { id: { in: offerIds }, leased: true } }),
    prepaid: prepaid.map(({ renterMicro }) => renterMicro),
  };
}

/** Reads a balance over and over on a connection of its own, until it is told to end. */
function watchBalance(userId: string): { end(): Promise<RushResult["seen"]> } {
  let over = false;
  const look = async () => {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    const seen: RushResult["seen"] = [];
    for (let last = false; !last; ) {
      last = over;
      const sql = "SELECT available_micro AS available, burn_micro AS burn FROM balance WHERE user_id = $1";
      const { rows } = await client.query<{ available: string; burn: string }>(sql, [userId]);
      seen.push(...rows.map((row) => ({ available: BigInt(row.available), burn: BigInt(row.burn) })));
    }
    await client.end();
    return seen;
  };
  const looking = look();
  return {
    end() {
      over = true;
      return looking;
    },
  };
}
