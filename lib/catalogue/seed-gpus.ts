import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../db/client";
import { newId } from "../kernel/ids";
import { type GpuModel, gpuModels } from "./gpu-models";

/** Brings the market's GPU models to what the program knows. Reads once, and writes only what differs. */
export async function seedGpus(tx: Tx): Promise<void> {
  const rows = await tx.gpu.findMany({ omit: { id: true } });
  const known = new Map(rows.map((row) => [row.translitName, row]));
  const missing = gpuModels.filter(({ translitName }) => !known.has(translitName)).map(rowOf);
  await tx.gpu.createMany({ data: missing.map((row) => ({ id: newId("gpu"), ...row })) });
  for (const row of gpuModels.map(rowOf)) {
    const now = known.get(row.translitName);
    if (now && !isDeepStrictEqual(now, row)) {
      await tx.gpu.update({ where: { translitName: row.translitName }, data: row });
    }
  }
}

function rowOf({ aliases: _, cudaCapability: __, ...model }: GpuModel) {
  return model;
}
