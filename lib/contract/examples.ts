import type { z } from "zod";
import type { gpu } from "./gpu";
import type { host } from "./host";
import type { instance } from "./instance";
import type { fullOffer, marketOffer } from "./offer";
import type { provider } from "./provider";
import type { secret } from "./secret";
import type { template, templateSnapshot } from "./template";

const ids = {
  account: "user_7Kq2mVtR9xWc",
  host: "host_3hT8nLpQ5sYd",
  offer: "offer_9fJ4wZbN2kXe",
  provider: "prov_6rG1cMvH8tUa",
  gpu: "gpu_2dS5yPqK7jBf",
  template: "tmpl_8uC3eRnW6gLh",
  instance: "inst_5aV9bFmT4zQj",
  secret: "secret_1oE7iXkD3pNs",
};

const offerFacts = {
  id: ids.offer,
  gpu_amount: 2,
  gpu_name: "NVIDIA GeForce RTX 4090",
  gpu_translit_name: "rtx-4090",
  vram: 24,
  configuration: {
    ram: { amount: 128, unit: "gb" },
    disk: { amount: 1000, unit: "gb" },
    cpu_name: "AMD EPYC 7443P",
    vcpu: 48,
    cpu_cores: 24,
    cpu_freq: 2.85,
    memory_speed: 1008,
    ethernet_in: 2000,
    ethernet_out: 1000,
    capacity: 165.2,
    max_cuda_version: 12.8,
  },
  in_stock: true,
  rentable: true,
  prices: [
    { currency: "USD", period: "hour", price: 0.9, price_per_gpu: 0.45, discount: 0 },
    { currency: "USD", period: "day", price: 0.9, price_per_gpu: 0.45, discount: 0 },
    { currency: "USD", period: "week", price: 0.855, price_per_gpu: 0.4275, discount: 5 },
    { currency: "USD", period: "month", price: 0.72, price_per_gpu: 0.36, discount: 20 },
    { currency: "USD", period: "quarter", price: 0.63, price_per_gpu: 0.315, discount: 30 },
    { currency: "USD", period: "half_year", price: 0.54, price_per_gpu: 0.27, discount: 40 },
    { currency: "USD", period: "year", price: 0.54, price_per_gpu: 0.27, discount: 40 },
  ],
  disk_prices: [{ currency: "USD", period: "month", unit: "gb", price: 0.1 }],
  location: { city: "Helsinki", country: "Finland", region: "Europe" },
  url: null,
  is_third_party: false,
} satisfies Partial<z.output<typeof marketOffer>>;

const marketOfferExample = {
  ...offerFacts,
  provider_translit_name: "northlight-compute",
  simulated: false,
  score: 87.5,
  host_verified: true,
  updated_at: "2026-03-02T09:15:00.000Z",
} satisfies z.output<typeof marketOffer>;

const fullOfferExample = {
  ...offerFacts,
  provider: {
    id: ids.provider,
    name: "Northlight Compute",
    translit_name: "northlight-compute",
    country: "Finland",
    logo: null,
    meta_title: "Northlight Compute: GPU servers in Helsinki",
    meta_description: null,
    use_vpn: false,
  },
  extra: { simulated: false },
  offers_amount: 31,
  countries_amount: 9,
  available_until: null,
  real_price: 0.9,
  disk_real_price: 0.1,
} satisfies z.output<typeof fullOffer>;

const templateExample = {
  id: ids.template,
  image: "pytorch/pytorch",
  owner_id: ids.account,
  name: "PyTorch with SSH",
  description: "PyTorch on CUDA, reached by SSH",
  image_tag: "latest",
  docker_login: null,
  docker_registry: null,
  env: "HF_HOME=/data/hf",
  ports: { "8080": "tcp" },
  use_ssh: true,
  use_jupyter: false,
  direct_ssh: true,
  jupyter_directory: null,
  use_jupyter_lab: false,
  on_start_command: "python -m http.server 8080",
  search_params: null,
  recommended_disk_space: 40,
  href: null,
  picture: null,
  readme: null,
  is_private: true,
  is_published: false,
  ssh_username: "root",
} satisfies z.output<typeof template>;

const snapshotExample = {
  id: ids.template,
  image: "pytorch/pytorch",
  created_at: "2026-02-20T14:00:00.000Z",
  user_id: ids.account,
  name: "PyTorch with SSH",
  description: "PyTorch on CUDA, reached by SSH",
  readme: null,
  image_tag: "latest",
  docker_private: { registry: null, login: null, password: null },
  env_variables: { HF_HOME: "/data/hf" },
  command: "python -m http.server 8080",
  ports: { "8080": "tcp" },
  ssh_enabled: true,
  ssh_username: "root",
  ui_available: false,
  ui_path: null,
  ui_port: null,
  min_storage_gb: 40,
  gpus: [],
  url: null,
  picture: null,
  is_private: true,
  template_version: 0,
} satisfies z.output<typeof templateSnapshot>;

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f mira@laptop";

const secretExample = {
  id: ids.secret,
  user_id: ids.account,
  name: "laptop",
  value: publicKey,
  fingerprint: "SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA",
  created_at: "2026-02-18T08:30:00.000Z",
  secret_type: "ssh",
  description: null,
  renter_id: ids.account,
} satisfies z.output<typeof secret>;

const instanceExample = {
  id: ids.instance,
  user_id: ids.account,
  name: "fine-tuning",
  created_at: "2026-03-02T09:20:00.000Z",
  actual_offer: { ...fullOfferExample, in_stock: false, rentable: false },
  actual_template: snapshotExample,
  hoster_id: "user_4wN6zJcY1eRb",
  host_id: ids.host,
  third_party_id: null,
  cloud_id: null,
  total_cost: 1.81,
  total_uptime: 7200,
  storage_gb: 40,
  initialized_at: "2026-03-02T09:21:30.000Z",
  prepaid_until: null,
  is_prepaid: false,
  reserve_period: "hour",
  auto_renew: false,
  uptime_price: 0.905556,
  pause_price: 0.230556,
  gpu_util: 93,
  cpu_util: 21.5,
  ram_util: 40,
  mem_util: 71,
  inet_in: 8_120_334_121,
  inet_out: 51_200_412,
  status: "running",
  phase: "running",
  message: null,
  actions: ["pause", "reboot", "destroy", "attach_secret", "detach_secret"],
  logs: "Serving HTTP on 0.0.0.0 port 8080\n",
  ports: { "22": "10001", "8080": "15002" },
  address: "203.0.113.17",
  ssh_enabled: true,
  ssh_port: 10001,
  ssh_host: "203.0.113.17",
  ssh_username: "root",
  ssh_password: null,
  fingerprint: "SHA256:LVC7PY6ur9Dk+WVIYQsgEU2uvTXAor8XoYLl+ZmNyRo",
  ssh_keys: [{ id: ids.secret, name: "laptop", value: publicKey }],
  ui_available: false,
  ui_url: null,
  tunnel_host: null,
  tunnel_token: null,
  red_flagged: false,
  label: false,
  deployment_data: null,
  deployment_type: null,
  is_raw: false,
} satisfies z.output<typeof instance>;

/** What a new instance looks like before anything ran. */
const newInstanceExample = {
  ...instanceExample,
  total_cost: 0,
  total_uptime: 0,
  initialized_at: null,
  gpu_util: 0,
  cpu_util: 0,
  ram_util: 0,
  mem_util: 0,
  inet_in: 0,
  inet_out: 0,
  status: "pending",
  phase: "scheduling",
  message: "waiting for the machine",
  actions: ["destroy", "attach_secret", "detach_secret"],
  logs: null,
  ports: {},
  address: null,
  ssh_port: null,
  ssh_host: null,
} satisfies z.output<typeof instance>;

const gpuExample = {
  id: ids.gpu,
  name: "NVIDIA GeForce RTX 4090",
  description: "A consumer card of the Ada Lovelace generation.",
  translit_name: "rtx-4090",
  interface: "PCIe 4.0 x16",
  best_price: 0.29,
  currency: "USD",
  features: ["cuda", "fp8"],
  configuration: [
    { name: "memory", value: 24, unit: "GB" },
    { name: "architecture", value: "Ada Lovelace", unit: null },
  ],
  benchmarks: [],
} satisfies z.output<typeof gpu>;

const providerExample = {
  id: ids.provider,
  name: "Northlight Compute",
  translit_name: "northlight-compute",
  country: "Finland",
  logo: null,
  description: "GPU servers in Helsinki.",
  offers: 12,
  gpus_count: 40,
} satisfies z.output<typeof provider>;

const hostExample = {
  id: ids.host,
  offer: fullOfferExample,
  address: "203.0.113.17",
  agent_port: 7443,
  fingerprint: "SHA256:LVC7PY6ur9Dk+WVIYQsgEU2uvTXAor8XoYLl+ZmNyRo",
  agent_id: "agent_0yH2lSgP9vMk",
  status: "active",
  status_reason: null,
} satisfies z.output<typeof host>;

/** One example of each resource, for the document and for tests. */
export const examples = {
  ids,
  publicKey,
  marketOffer: marketOfferExample,
  provider: providerExample,
  gpu: gpuExample,
  template: templateExample,
  instance: instanceExample,
  newInstance: newInstanceExample,
  secret: secretExample,
  host: hostExample,
};
