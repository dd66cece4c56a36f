"use client";

import { useQueries } from "@tanstack/react-query";
import { Equal, EqualNot, Trophy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Dialog } from "@/components/ui/dialog";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { Switch } from "@/components/ui/switch";
import { operationQuery } from "@/lib/client/operation-query";
import type { Currency } from "@/lib/contract/words";
import { compareFacts } from "./compare-facts";
import { OfferMarks } from "./offer-marks";
import { useOfferWords } from "./offer-words";
import type { Offer } from "./use-offer-pages";

interface CompareDialogProps {
  offerIds: readonly string[];
  currency: Currency;
  onRent: (offerId: string) => void;
  onClose: () => void;
}

/** Up to four offers side by side; what differs is marked by a sign and a weight. */
export function CompareDialog({ offerIds, currency, onRent, onClose }: CompareDialogProps) {
  const t = useTranslations("market.compare");
  const answers = useQueries({
    queries: offerIds
      .slice(0, 4)
      .map((offer_id) => operationQuery("getOffer", { params: { offer_id }, query: { currency } })),
  });
  const offers = answers.flatMap(({ data }) => (data ? [data.data] : []));
  const waiting = answers.some(({ isPending }) => isPending);
  const failed = answers.find(({ error }) => error);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t("title")} className="max-w-5xl">
      {waiting && <SkeletonRows rows={12} className="h-8" />}
      {!waiting && failed && (
        <p role="alert" className="mb-3 rounded-lg bg-warning-soft p-3 text-sm text-on-warning-soft">
          {t("gone")}
        </p>
      )}
      {!waiting && offers.length === 0 && <Problem error={failed?.error} />}
      {!waiting && offers.length > 0 && <Comparison offers={offers} onRent={onRent} />}
    </Dialog>
  );
}

function Comparison({ offers, onRent }: { offers: Offer[]; onRent: (offerId: string) => void }) {
  const t = useTranslations("market.compare");
  const words = useOfferWords();
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const facts = compareFacts(offers, words, t).filter(({ differs }) => differs || !onlyDifferences);
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is a control. */}
      <label className="mb-3 flex items-center gap-3 text-sm">
        <Switch checked={onlyDifferences} onCheckedChange={setOnlyDifferences} />
        {t("onlyDifferences")}
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section className="overflow-x-auto" tabIndex={0} aria-label={t("title")}>
        <table className="w-full text-sm">
          <thead>
            <tr>
              <th scope="col" className="sticky left-0 bg-raised py-2 pr-3 text-left align-bottom">
                <span className="sr-only">{t("fact")}</span>
              </th>
              {offers.map((offer) => (
                <th key={offer.id} scope="col" className="min-w-40 px-3 py-2 text-left align-top">
                  <span className="block font-semibold">{words.nameOf(offer)}</span>
                  <span className="my-1 flex min-h-5 flex-wrap gap-1">
                    <OfferMarks offer={offer} words={words} />
                  </span>
                  <Button
                    size="sm"
                    variant={offer.rentable ? "primary" : "outline"}
                    onClick={() => onRent(offer.id)}
                  >
                    {words.t(offer.rentable ? "rent" : "look")}
                  </Button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map(({ key, values, differs, best }) => (
              <tr key={key} className="border-t">
                <th
                  scope="row"
                  className="sticky left-0 bg-raised py-1.5 pr-3 text-left font-normal text-subtle"
                >
                  <span className="flex items-center gap-2">
                    {differs ? (
                      <EqualNot className="size-3.5 shrink-0 text-foreground" aria-label={t("differs")} />
                    ) : (
                      <Equal className="size-3.5 shrink-0" aria-label={t("same")} />
                    )}
                    {t(`facts.${key}`)}
                  </span>
                </th>
                {values.map((value, i) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column an offer, in their order.
                    key={i}
                    className={cn("px-3 py-1.5 tabular-nums", differs ? "font-semibold" : "text-subtle")}
                  >
                    {value}
                    {best[i] && (
                      <Badge tone="good" className="ml-2">
                        <Trophy className="size-3" aria-hidden="true" />
                        {t("best")}
                      </Badge>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
