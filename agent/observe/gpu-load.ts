import { parseRocmCards, rocmUuid } from "../probe/read-amd-gpus";
import type { RunProgram } from "../probe/run-program";

/** Of one GPU, in percent: of its time, and of its memory. */
export type Load = { gpuUtil: number; memUtil: number };

const NVIDIA_QUERY = [
  "--query-gpu=uuid,utilization.gpu,memory.used,memory.total",
  "--format=csv,noheader,nounits",
];
const AMD_QUERY = ["--showuse", "--showmeminfo", "vram", "--showuniqueid", "--json"];

/** How busy the machine's GPUs are, by the uuid of `measureMachine`. All are asked at once, and not again for `keepMs` (3 s). */
export class GpuLoad {
  readonly #run: RunProgram;
  readonly #keepMs: number;
  #asked: { atMs: number; answer: Promise<Map<string, Load>> } | null = null;

  constructor({ run, keepMs = 3000 }: { run: RunProgram; keepMs?: number }) {
    this.#run = run;
    this.#keepMs = keepMs;
  }

  /** Never rejects; a GPU that its driver does not answer for is missing. */
  read(): Promise<Map<string, Load>> {
    const now = performance.now();
    if (this.#asked === null || now - this.#asked.atMs >= this.#keepMs)
      this.#asked = { atMs: now, answer: this.#ask() };
    return this.#asked.answer;
  }

  async #ask(): Promise<Map<string, Load>> {
    const [nvidia, amd] = await Promise.all([
      this.#run("nvidia-smi", NVIDIA_QUERY),
      this.#run("rocm-smi", AMD_QUERY),
    ]);
    const loads = new Map<string, Load>();
    for (const row of nvidia?.exitCode === 0 ? nvidia.stdout.split("\n") : []) {
      const [uuid, busy, used, total] = row.split(",").map((field) => field.trim());
      if (uuid && total) loads.set(uuid, toLoad(busy, used, total));
    }
    for (const [key, card] of amd?.exitCode === 0 ? parseRocmCards(amd) : [])
      loads.set(
        rocmUuid(key, card),
        toLoad(
          card.get("gpu use (%)"),
          card.get("vram total used memory (b)"),
          card.get("vram total memory (b)"),
        ),
      );
    return loads;
  }
}

/** What the driver does not know ("[N/A]") counts as none. */
function toLoad(busy = "", used = "", total = ""): Load {
  return { gpuUtil: Number(busy) || 0, memUtil: (Number(used) / Number(total)) * 100 || 0 };
}
