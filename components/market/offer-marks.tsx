import { Badge } from "@/components/ui/badge";
import { marksOf, type OfferWords } from "./offer-words";
import type { Offer } from "./use-offer-pages";

/** Words on what stands behind an offer; said in a title too, in a sentence. */
export function OfferMarks({ offer, words }: { offer: Offer; words: OfferWords }) {
  return marksOf(offer).map(({ key, tone }) => (
    <span key={key} title={words.t(`${key}Hint`)}>
      <Badge tone={tone} className="py-0 text-[11px]">
        {words.t(key)}
      </Badge>
    </span>
  ));
}
