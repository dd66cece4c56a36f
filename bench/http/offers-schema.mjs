const text = { type: "string" };
const number = { type: "number" };
const truth = { type: "boolean" };
const maybeText = { type: "string", nullable: true };
const maybeNumber = { type: "number", nullable: true };
const object = (properties) => ({ type: "object", properties });
const list = (items) => ({ type: "array", items });

const amount = object({ amount: maybeNumber, unit: text });

/** A page of offers, for Fastify to write without looking at what else an object may hold. */
export const offersSchema = object({
  ok: truth,
  data: list(
    object({
      id: text,
      gpu_amount: number,
      gpu_name: text,
      gpu_translit_name: maybeText,
      vram: maybeNumber,
      configuration: object({
        ram: amount,
        disk: amount,
        cpu_name: maybeText,
        vcpu: maybeNumber,
        cpu_cores: maybeNumber,
        cpu_freq: maybeNumber,
        memory_speed: maybeNumber,
        ethernet_in: maybeNumber,
        ethernet_out: maybeNumber,
        capacity: maybeNumber,
        max_cuda_version: maybeNumber,
      }),
      in_stock: truth,
      rentable: truth,
      prices: list(
        object({ currency: text, period: text, price: number, price_per_gpu: number, discount: number }),
      ),
      location: object({ city: maybeText, country: maybeText, region: maybeText }),
      url: maybeText,
      is_third_party: truth,
      disk_prices: list(object({ currency: text, period: text, unit: text, price: number })),
      provider_translit_name: text,
      simulated: truth,
      score: number,
      host_verified: truth,
      updated_at: { type: "string", format: "date-time" },
    }),
  ),
  total_items: number,
});
