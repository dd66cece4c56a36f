import { getRate } from "../billing/exchange-rates";
import { feeBasisPoints } from "../billing/fee";
import { hourlyPriceMicro, pauseMicro, uptimeMicro } from "../billing/prices";
import { type ReservePeriod, reservePeriods } from "../billing/reserve-periods";
import { db, Prisma } from "../db/client";
import { env } from "../env";
import type { Ctx } from "../kernel/ctx";
import { DomainError, invalidField, notFound } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { convertMicro, decimalToMicro, microToNumber, type Rate } from "../kernel/money";
import { type OfferView, offerViewInclude, toOfferView } from "../market/offer-view";
import { getUsableTemplate } from "../templates/get-usable-template";
import { openPassword, sealPassword } from "../templates/registry-password";
import type { TemplateRow } from "../templates/template-row";
import { WORK_CHANNEL } from "./move-instance";
import { snapshotTemplate } from "./snapshot";

export interface RentWish {
  offerId: string;
  templateId: string;
  reservePeriod: ReservePeriod;
  diskGb: number | undefined;
  secretIds: string[];
  name: string | undefined;
  label: boolean;
  autoRenew: boolean;
  /** The hourly price that the renter was shown. */
  expectedPrice: number | undefined;
  currency: Rate["currency"];
}

const DEFAULT_DISK_GB = 10;
/** How often a rent follows an offer that is repriced under it. */
const MOST_TRIES = 5;

/** What is settled before the statement that rents. */
interface Plan {
  id: string;
  wish: RentWish;
  offer: OfferView;
  template: TemplateRow;
  priceMicro: bigint;
  storageGb: number;
  uptime: bigint;
  pause: bigint;
  /** An hour of the term that is paid ahead, and the whole of it, taken at once; 0 by the hour. */
  prepaidRate: bigint;
  prepaid: bigint;
}

/**
 * Rents an offer with a template.
 * @returns the new instance's id
 * @throws ValidationError · DomainError not_found, insufficient_funds, price_changed, offer_unavailable
 */
export async function rentOffer(ctx: Ctx, wish: RentWish): Promise<string> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const id = await tryToRent(ctx, wish);
    if (id !== null) return id;
  }
  throw offerUnavailable();
}

/** @returns null where the offer changed in between and can still be rented: then anew, at what it says now */
async function tryToRent(ctx: Ctx, wish: RentWish): Promise<string | null> {
  const [offerRow, template, secrets] = await Promise.all([
    db().offer.findFirst({ where: { id: wish.offerId, listed: true }, include: offerViewInclude }),
    getUsableTemplate(ctx.userId, wish.templateId).catch((error: Error) => error),
    db().secret.count({ where: { id: { in: wish.secretIds }, userId: ctx.userId } }),
  ]);
  if (!offerRow) throw notFound("offer");
  requireDisk(wish.diskGb, offerRow.diskGb);
  if (template instanceof Error) throw template;
  if (secrets !== new Set(wish.secretIds).size) throw notFound("key");
  const plan = makePlan(wish, toOfferView(offerRow), template);
  await requireFunds(ctx, plan);
  await requireExpectedPrice(wish, plan.priceMicro);
  if (!offerRow.rentable) throw offerUnavailable();
  return takeOffer(ctx, plan);
}

function makePlan(wish: RentWish, offer: OfferView, template: TemplateRow): Plan {
  const storageGb = wish.diskGb ?? template.recommendedDiskSpace ?? DEFAULT_DISK_GB;
  requireDisk(storageGb, offer.diskGb);
  if (offer.priceMicro === null) throw offerUnavailable();
  const priceMicro = BigInt(offer.priceMicro);
  const disk = BigInt(offer.diskPriceMicro ?? 0);
  const prepaidRate = wish.reservePeriod === "hour" ? 0n : hourlyPriceMicro(priceMicro, wish.reservePeriod);
  return {
    id: newId("inst"),
    wish,
    offer,
    template,
    priceMicro,
    storageGb,
    uptime: uptimeMicro(priceMicro, disk, storageGb),
    pause: pauseMicro(priceMicro, disk, storageGb, env().PAUSE_SHARE_PERCENT),
    prepaidRate,
    prepaid: prepaidRate * BigInt(reservePeriods[wish.reservePeriod].hours),
  };
}

/** Also for what the template recommends: the renter can ask for less. */
function requireDisk(wantedGb: number | undefined, offeredGb: number | null): void {
  if (wantedGb === undefined || offeredGb === null || wantedGb <= offeredGb) return;
  throw invalidField(["body", "disk_gb"], `The offer has ${offeredGb} GB of disk`, "less_than_equal");
}

function offerUnavailable(): DomainError {
  return new DomainError("offer_unavailable", "This offer cannot be rented now. Search for another one.");
}

function insufficientFunds(): DomainError {
  return new DomainError(
    "insufficient_funds",
    "The balance does not cover this rent: the whole term, or an hour of everything that runs. Add money first.",
  );
}

/** Only for the order of the checks; the statement below is the judge. */
async function requireFunds(ctx: Ctx, plan: Plan): Promise<void> {
  const burn = plan.prepaid > 0n ? 0n : plan.uptime;
  const [enough] = await db().$queryRaw<unknown[]>`
    SELECT 1 FROM balance WHERE user_id = ${ctx.userId} AND available_micro - ${plan.prepaid} >= burn_micro + ${burn}`;
  if (!enough) throw insufficientFunds();
}

async function requireExpectedPrice(wish: RentWish, priceMicro: bigint): Promise<void> {
  if (wish.expectedPrice === undefined) return;
  const shown = convertMicro(priceMicro, await getRate(wish.currency));
  if (shown === decimalToMicro(wish.expectedPrice)) return;
  throw new DomainError(
    "price_changed",
    "The price is another one now. Look at it, and rent again if it suits.",
    {
      price: microToNumber(shown),
      currency: wish.currency,
    },
  );
}

/**
 * The one statement that rents. The offer's row and the balance's row decide, each under its lock and re-read there, so
 * that of any number at once one wins and no balance is overdrawn. Where the balance does not suffice `paid` is empty,
 * its user_id null, and the violated NOT NULL undoes the whole statement, the taken offer included.
 */
async function takeOffer(ctx: Ctx, plan: Plan): Promise<string | null> {
  try {
    const rented = await db().$queryRaw<unknown[]>(rentStatement(ctx, plan));
    if (rented.length > 0) return plan.id;
  } catch (error) {
    throw explainRefusal(error);
  }
  const now = await db().offer.findUnique({ where: { id: plan.offer.id } });
  if (now?.rentable) return null;
  throw offerUnavailable();
}

function rentStatement(ctx: Ctx, plan: Plan): Prisma.Sql {
  const { id, wish, offer, template } = plan;
  const { hours } = reservePeriods[wish.reservePeriod];
  const until =
    plan.prepaid > 0n ? Prisma.sql`now() + make_interval(hours => ${hours}::int)` : Prisma.sql`NULL`;
  const burn = plan.prepaid > 0n ? 0n : plan.uptime;
  const password =
    template.userId === ctx.userId && template.dockerPasswordSealed
      ? sealPassword(openPassword(template.dockerPasswordSealed, `template:${template.id}`), `instance:${id}`)
      : null;
  return Prisma.sql`
    WITH taken AS (
      UPDATE offer SET leased = true, updated_at = now()
      WHERE id = ${offer.id} AND rentable AND price_micro = ${plan.priceMicro}
        AND disk_price_micro IS NOT DISTINCT FROM ${offer.diskPriceMicro === null ? null : BigInt(offer.diskPriceMicro)}::bigint
      RETURNING id, runtime, host_id, provider_id
    ), paid AS (
      UPDATE balance SET burn_micro = burn_micro + ${burn}::bigint
      WHERE user_id = ${ctx.userId} AND available_micro - ${plan.prepaid}::bigint >= burn_micro + ${burn}::bigint
        AND EXISTS (SELECT FROM taken)
      RETURNING user_id
    ), rented AS (
      INSERT INTO instance (id, user_id, offer_id, template_id, name, label, offer_snapshot, template_snapshot,
        docker_password_sealed, storage_gb, reserve_period, price_micro, uptime_micro, pause_micro, burn_micro,
        payee_id, host_id, fee_basis_points, prepaid_rate_micro, terms, prepaid_micro, prepaid_until, auto_renew, runtime, message)
      SELECT ${id}, (SELECT user_id FROM paid), taken.id, ${template.id}, ${wish.name ?? null}, ${wish.label},
        ${JSON.stringify({ ...offer, inStock: false, rentable: false })}::jsonb,
        ${JSON.stringify(snapshotTemplate(template, ctx.userId))}::jsonb,
        ${password}::bytea, ${plan.storageGb}, ${wish.reservePeriod}, ${plan.priceMicro}::bigint,
        ${plan.uptime}::bigint, ${plan.pause}::bigint, ${burn}::bigint, coalesce(h.user_id, p.owner_id, p.id), taken.host_id,
        ${feeBasisPoints()}::int, ${plan.prepaidRate}::bigint, ${plan.prepaid > 0n ? 1 : 0}::int, ${plan.prepaid}::bigint, ${until},
        ${wish.autoRenew}, taken.runtime, 'waiting for the machine'
      FROM taken JOIN provider p ON p.id = taken.provider_id LEFT JOIN host h ON h.id = taken.host_id
      RETURNING id, user_id, payee_id, host_id
    ), escrowed AS (
      INSERT INTO ledger_movement (cause, kind, user_id, payee_id, host_id, instance_id, renter_micro, escrow_micro)
      SELECT 'prepay:' || id || ':1', 'prepay', user_id, payee_id, host_id, id, -${plan.prepaid}::bigint, ${plan.prepaid}::bigint
      FROM rented WHERE ${plan.prepaid}::bigint > 0
    ), keys AS (
      INSERT INTO instance_secret (instance_id, secret_id)
      SELECT rented.id, unnest(${[...new Set(wish.secretIds)]}::text[]) FROM rented
    ), told AS (
      INSERT INTO event (user_id, subject_id, type) SELECT ${ctx.userId}, rented.id, 'instance.created' FROM rented
    ) SELECT id, pg_notify(${WORK_CHANNEL}, '')::text FROM rented`;
}

/** What the database refused: no row paid, or a template or key that was deleted a moment ago. */
function explainRefusal(error: unknown): unknown {
  const text = error instanceof Error ? error.message : "";
  if (/23502|not-null|null constraint/i.test(text)) return insufficientFunds();
  if (/instance_template_id_fkey/.test(text)) return notFound("template");
  if (/instance_secret_secret_id_fkey/.test(text)) return notFound("key");
  return error;
}
