/** What the search knows of an offer; null: unknown. Money in USD micro-units. */
export interface OfferFacts {
  id: string;
  providerId: string;
  gpu: string | null;
  gpuAmount: number;
  priceMicro: number | null;
  score: number;
  vram: number | null;
  ram: number | null;
  disk: number | null;
  vcpu: number | null;
  cpuCores: number | null;
  cpuFreq: number | null;
  memorySpeed: number | null;
  ethernetIn: number | null;
  ethernetOut: number | null;
  capacity: number | null;
  cpuName: string | null;
  city: string | null;
  country: string | null;
  region: string | null;
  inStock: boolean;
  rentable: boolean;
  listed: boolean;
  /** Since when it has not been in stock, in milliseconds of Unix time. */
  unavailableSince: number | null;
}

export interface ProviderNames {
  id: string;
  name: string;
  translitName: string;
  isThirdParty: boolean;
}

export interface GpuNames {
  translitName: string;
  name: string;
  vramGb: number;
}
