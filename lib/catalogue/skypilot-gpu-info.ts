import { z } from "zod";

const TOKEN =
  /\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]{}:,]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|None|True|False|null|true|false)/y;

const WORDS: Record<string, string> = { None: "null", True: "true", False: "false" };

const gpuInfoSchema = z.object({
  Gpus: z
    .array(
      z.object({
        Name: z.string(),
        Count: z.number().nullish(),
        MemoryInfo: z.object({ SizeInMiB: z.number().nullish() }).nullish(),
      }),
    )
    .min(1),
  TotalGpuMemoryInMiB: z.number().nullish(),
});

/** `totalMemoryMib` is that of all GPUs of the row together, null where the row does not say. */
export type SkypilotGpuInfo = { names: string[]; totalMemoryMib: number | null };

/** Rewrites a Python literal of dicts, lists, strings and numbers as JSON; null for anything else. */
function pythonToJson(text: string): string | null {
  let json = "";
  TOKEN.lastIndex = 0;
  const whole = text.trimEnd();
  while (TOKEN.lastIndex < whole.length) {
    const token = TOKEN.exec(whole)?.[1];
    if (token === undefined) return null;
    const quoted = token.startsWith("'") || token.startsWith('"');
    json += quoted ? JSON.stringify(token.slice(1, -1).replace(/\\(.)/g, "$1")) : (WORDS[token] ?? token);
  }
  return json;
}

/** Reads the GpuInfo column, which is a Python dict printed as text (JSON passes too); null when it is not one. */
export function parseSkypilotGpuInfo(text: string): SkypilotGpuInfo | null {
  const json = pythonToJson(text);
  if (json === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const info = gpuInfoSchema.safeParse(value);
  if (!info.success) return null;
  const [first] = info.data.Gpus;
  const lone = info.data.Gpus.length === 1 && first?.Count === 1 ? first.MemoryInfo?.SizeInMiB : null;
  return {
    names: info.data.Gpus.map((gpu) => gpu.Name),
    totalMemoryMib: info.data.TotalGpuMemoryInMiB ?? lone ?? null,
  };
}
