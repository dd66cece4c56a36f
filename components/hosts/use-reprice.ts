"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrency } from "@/components/shell/currency";
import { callOperation } from "@/lib/client/call-operation";
import { type Host, hostsQuery } from "./host-queries";

/** Sets a host's price. It shows at once, and what it was comes back where the server refuses. */
export function useReprice() {
  const queries = useQueryClient();
  const currency = useCurrency();
  const { queryKey } = hostsQuery(currency);
  const show = (hostId: string, price: number | null) =>
    queries.setQueryData(
      queryKey,
      (known) =>
        known && {
          ...known,
          data: known.data.map((host) =>
            host.id === hostId ? { ...host, offer: { ...host.offer, real_price: price } } : host,
          ),
        },
    );
  return useMutation({
    mutationFn: ({ host, price }: { host: Host; price: number }) =>
      callOperation("updateHost", { params: { host_id: host.id }, query: { currency }, body: { price } }),
    onMutate: async ({ host, price }) => {
      await queries.cancelQueries({ queryKey });
      show(host.id, price);
    },
    onError: (_, { host }) => show(host.id, host.offer.real_price),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["listHosts"] });
      void queries.invalidateQueries({ queryKey: ["getHostOverview"] });
    },
  });
}
