import type { Operations, ResponseOf } from "@/lib/contract/operations";

type Offer = ResponseOf<Operations["searchMarket"]>["data"][number];

function hourlyPrice({ prices }: Offer): string {
  const price = prices.find(({ period }) => period === "hour");
  return price ? `$${price.price.toFixed(3)}` : "not priced";
}

function place({ location }: Offer): string {
  return [location.city, location.country].filter(Boolean).join(", ") || "unknown";
}

/** Offers side by side; what is simulated says so before anyone pays. */
export function OfferTable({ offers, total }: { offers: Offer[]; total: number }) {
  return (
    <>
      <div className="mt-6 overflow-x-auto rounded-xl border border-slate-200 bg-white dark:border-slate-800 dark:bg-slate-900">
        <table className="w-full text-left text-sm">
          <thead className="border-b border-slate-200 text-slate-600 dark:border-slate-800 dark:text-slate-400">
            <tr>
              <th className="px-4 py-3 font-medium">GPU</th>
              <th className="hidden px-4 py-3 font-medium sm:table-cell">Memory</th>
              <th className="hidden px-4 py-3 font-medium sm:table-cell">Place</th>
              <th className="px-4 py-3 text-right font-medium">An hour</th>
            </tr>
          </thead>
          <tbody>
            {offers.map((offer) => (
              <tr key={offer.id} className="border-b border-slate-100 last:border-0 dark:border-slate-800">
                <td className="px-4 py-3 font-medium">
                  {offer.gpu_amount} × {offer.gpu_name}
                  {offer.simulated && (
                    <span className="ml-2 rounded bg-amber-100 px-1.5 py-0.5 text-xs text-amber-950">
                      simulated
                    </span>
                  )}
                  <span className="block font-normal text-slate-600 sm:hidden dark:text-slate-400">
                    {offer.vram ?? "?"} GB, {place(offer)}
                  </span>
                </td>
                <td className="hidden whitespace-nowrap px-4 py-3 sm:table-cell">{offer.vram ?? "?"} GB</td>
                <td className="hidden px-4 py-3 sm:table-cell">{place(offer)}</td>
                <td className="whitespace-nowrap px-4 py-3 text-right tabular-nums">{hourlyPrice(offer)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-sm text-slate-600 dark:text-slate-400">
        {offers.length} of {total} offers that can be rented now.
      </p>
    </>
  );
}
