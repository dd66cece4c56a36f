import { z } from "zod";
import providers from "../../prisma/seed/providers.json" with { type: "json" };

const demoProviderSchema = z
  .object({
    translit_name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    name: z.string().endsWith("(demo)"),
    country: z.string().min(1),
    url: z.url({ protocol: /^https$/, hostname: /\.example$/ }),
    logo: z.null(),
    description: z.string().min(1),
    market: z.object({
      price_factor: z.number().positive(),
      segments: z.array(z.enum(["consumer", "workstation", "data-center"])).min(1),
      regions: z.array(z.string().min(1)).min(1),
      in_stock_share: z.number().min(0).max(1),
      share: z.number().positive(),
      vendor: z.enum(["NVIDIA", "AMD"]).nullable(),
    }),
  })
  .transform((record) => ({
    translitName: record.translit_name,
    name: record.name,
    country: record.country,
    url: record.url,
    logo: record.logo,
    description: record.description,
    market: {
      priceFactor: record.market.price_factor,
      segments: record.market.segments,
      regions: record.market.regions,
      inStockShare: record.market.in_stock_share,
      share: record.market.share,
      vendor: record.market.vendor,
    },
  }));

/** A fictional provider: what the database needs, and in `market` what it offers where. */
export type DemoProvider = z.output<typeof demoProviderSchema>;

/** The providers of the demo and of generated markets, all fictional and named so. */
export const demoProviders: readonly DemoProvider[] = z.array(demoProviderSchema).parse(providers);
