import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "../support/api-setup";

useTestDatabase();

let client: Client;

/** One of everything, by ids of one letter; every case below breaks one rule of it and is rolled back. */
const WORLD = `
  INSERT INTO "user" (id, name, email) VALUES ('u', 'U', 'u@example.com'), ('v', 'V', 'v@example.com');
  INSERT INTO balance (user_id) VALUES ('u');
  INSERT INTO session (id, user_id, token, expires_at) VALUES ('s', 'u', 'token', now());
  INSERT INTO credential (id, account_id, provider_id, user_id) VALUES ('c', 'u', 'password', 'u');
  INSERT INTO api_key (id, user_id, name, secret_hash) VALUES ('k', 'u', 'key', sha256('x'));
  INSERT INTO gpu (id, translit_name, name, vendor, architecture, segment, vram_gb, memory_bandwidth_gbps, fp32_tflops,
    tdp_watts, interface, launch_year, benchmarks, description_en, description_ru, source)
    VALUES ('g', 'gpu', 'G', 'V', 'A', 'S', 1, 1, 1, 1, 'PCIe', 2022, '[]', 'a', 'b', 'c');
  INSERT INTO provider (id, owner_id, name, translit_name, is_third_party) VALUES ('p', 'u', 'P', 'p', false);
  INSERT INTO agent (id, user_id, secret_hash, address, port, first_port, last_port, fingerprint, engine)
    VALUES ('a', 'u', 'x', 'example.com', 1, 1, 2, 'SHA256:x', 'Podman');
  INSERT INTO host_token (id, user_id, secret_hash, expires_at) VALUES ('ht', 'u', 'x', now() + interval '1 hour');
  INSERT INTO host (id, user_id, runtime, agent_id) VALUES ('h3', 'u', 'docker', 'a');
  INSERT INTO host (id, user_id, runtime) VALUES ('h', 'u', 'simulated'), ('h2', 'u', 'simulated');
  INSERT INTO offer (id, provider_id, host_id, gpu_name, gpu_amount, price_micro, is_third_party, runtime)
    VALUES ('o', 'p', 'h', 'G', 1, 500000, false, 'simulated');
  INSERT INTO offer (id, provider_id, gpu_name, gpu_amount, is_third_party, runtime, catalogue_source, catalogue_key, price_micro)
    VALUES ('o2', 'p', 'G', 1, true, 'simulated', 'file', '1', 500000);
  INSERT INTO template (id, user_id, name, image) VALUES ('t', 'u', 'T', 'ubuntu');
  INSERT INTO secret (id, user_id, name, value, fingerprint) VALUES ('k', 'u', 'K', 'ssh-ed25519 x', 'SHA256:x');
  INSERT INTO instance (id, user_id, offer_id, template_id, offer_snapshot, template_snapshot, storage_gb, price_micro,
    uptime_micro, pause_micro, runtime, payee_id) VALUES ('i', 'u', 'o', 't', '{}', '{}', 10, 5, 5, 1, 'simulated', 'p');
  INSERT INTO instance_secret (instance_id, secret_id) VALUES ('i', 'k');
  INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, settled_until, ended_at)
    VALUES ('i', 'running', 1, '2026-01-01T00:00Z', '2026-01-01T00:00Z', '2026-01-01T01:00Z');
  INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, settled_until)
    VALUES ('i', 'paused', 1, '2026-01-01T01:00Z', '2026-01-01T01:00Z');
  INSERT INTO ledger_movement (cause, kind, user_id, renter_micro, credit_micro) VALUES ('x', 'credit', 'u', 5, -5);
  INSERT INTO host_container (instance_id, host_id) VALUES ('i', 'h');
  INSERT INTO instance_log (instance_id, at_ns, stream, text) VALUES ('i', 1, 'stdout', 'x');
  INSERT INTO instance_metric VALUES ('i', now(), 0, 0, 0, 0, 0, 0);
  INSERT INTO simulated_container (instance_id, boot, booted_at, pull_ms) VALUES ('i', 0, now(), 0);
  INSERT INTO saved_search (id, user_id, name, search) VALUES ('q', 'u', 'Q', '{}');
  INSERT INTO price_sample VALUES ('gpu', '2026-01-01T00:00Z', 5, 6, 1);
  INSERT INTO catalogue_import (id, source, file_name, format, runtime, size_bytes)
    VALUES ('ci', 'file', 'file', 'berth-jsonl', 'none', 1);
  INSERT INTO idempotent_request (user_id, operation, key, request_hash) VALUES ('u', 'x', 'k', 'h');`;

const secondInstance = (offer: string, columns = "", values = "") => `
  INSERT INTO instance (id, user_id, offer_id, offer_snapshot, template_snapshot, storage_gb, price_micro, uptime_micro,
    pause_micro, runtime, payee_id${columns}) VALUES ('i2', 'u', '${offer}', '{}', '{}', 10, 5, 5, 1, 'simulated', 'p'${values})`;
const interval = (from: string, to: string) => `
  INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, settled_until, ended_at)
  VALUES ('i', 'running', 1, ${from}, ${from}, ${to})`;
const movement = (kind: string, amounts: string, owners = "'u', 'p', 'i'") => `
  INSERT INTO ledger_movement (cause, kind, user_id, payee_id, instance_id, renter_micro, escrow_micro, host_micro, fee_micro,
    credit_micro, payout_micro) VALUES ('y', '${kind}', ${owners}, ${amounts})`;
const set = (table: string, change: string, id = "i") => `UPDATE ${table} SET ${change} WHERE id = '${id}'`;

/** Each rule by its name, with statements that break it and nothing else. */
const rules: Record<string, string[]> = {
  user_email_lower: [set('"user"', "email = 'U@example.com'", "u")],
  user_roles_known: [set('"user"', "roles = '{renter,king}'", "u")],
  user_email_key: [set('"user"', "email = 'v@example.com'", "u")],
  session_user_id_fkey: [set("session", "user_id = 'x'", "s")],
  session_token_key: [
    "INSERT INTO session (id, user_id, token, expires_at) VALUES ('s2', 'u', 'token', now())",
  ],
  credential_user_id_fkey: [set("credential", "user_id = 'x'", "c")],
  credential_provider_id_account_id_key: [
    "INSERT INTO credential (id, account_id, provider_id, user_id) VALUES ('c2', 'u', 'password', 'v')",
  ],
  api_key_user_id_fkey: [set("api_key", "user_id = 'x'", "k")],
  api_key_hash_is_sha256: [set("api_key", "secret_hash = 'short'", "k")],
  balance_user_id_fkey: ["INSERT INTO balance (user_id) VALUES ('x')", `DELETE FROM "user" WHERE id = 'u'`],
  balance_burn_not_negative: ["UPDATE balance SET burn_micro = -1"],
  balance_stage_known: ["UPDATE balance SET stage = 'poor'"],
  balance_grace_not_negative: ["UPDATE balance SET grace_micro = -1"],
  balance_available_range: [movement("credit", "9000000000000000, 0, 0, 0, -9000000000000000, 0")],
  exchange_rate_positive: ["INSERT INTO exchange_rate (currency, units_per_usd) VALUES ('RUB', 0)"],
  exchange_rate_currency_known: ["INSERT INTO exchange_rate (currency, units_per_usd) VALUES ('EUR', 1)"],
  exchange_rate_usd_is_one: ["INSERT INTO exchange_rate (currency, units_per_usd) VALUES ('USD', 2)"],
  gpu_translit_name_key: [
    `INSERT INTO gpu SELECT (jsonb_populate_record(g, '{"id": "g2"}')).* FROM gpu g WHERE id = 'g'`,
  ],
  provider_owner_id_fkey: [set("provider", "owner_id = 'x'", "p")],
  provider_owner_id_key: [
    "INSERT INTO provider (id, owner_id, name, translit_name, is_third_party) VALUES ('p2', 'u', 'P', 'p2', false)",
  ],
  provider_translit_name_key: [
    "INSERT INTO provider (id, name, translit_name, is_third_party) VALUES ('p2', 'P', 'p', false)",
  ],
  host_user_id_fkey: [set("host", "user_id = 'x'", "h")],
  host_status_known: [set("host", "status = 'fine'", "h")],
  host_status_reason_known: [set("host", "status_reason = 'mood'", "h")],
  host_runtime_known: [set("host", "runtime = 'none'", "h")],
  host_agent_port_range: [set("host", "agent_port = 0", "h"), set("host", "agent_port = 65536", "h")],
  offer_provider_id_fkey: [set("offer", "provider_id = 'x'", "o"), "DELETE FROM provider WHERE id = 'p'"],
  offer_host_id_fkey: [set("offer", "host_id = 'x'", "o")],
  offer_host_id_key: [set("offer", "catalogue_source = NULL, catalogue_key = NULL, host_id = 'h'", "o2")],
  offer_gpu_translit_name_fkey: [set("offer", "gpu_translit_name = 'x'", "o")],
  offer_catalogue_source_catalogue_key_key: [
    `INSERT INTO offer (id, provider_id, gpu_name, gpu_amount, is_third_party, runtime, catalogue_source, catalogue_key)
     VALUES ('o3', 'p', 'G', 1, true, 'none', 'file', '1')`,
  ],
  offer_price_range: [set("offer", "price_micro = 0", "o"), set("offer", "price_micro = 10000000001", "o")],
  offer_disk_price_not_negative: [set("offer", "disk_price_micro = -1", "o")],
  offer_gpu_amount_not_negative: [set("offer", "gpu_amount = -1", "o")],
  offer_score_range: [set("offer", "score = 100.1", "o"), set("offer", "score = -0.1", "o")],
  offer_runtime_known: [set("offer", "runtime = 'magic'", "o")],
  offer_catalogue_whole: [set("offer", "catalogue_key = NULL", "o2")],
  offer_of_host_or_catalogue: [set("offer", "host_id = NULL", "o"), set("offer", "host_id = 'h2'", "o2")],
  saved_search_user_id_fkey: [set("saved_search", "user_id = 'x'", "q")],
  saved_search_user_id_name_key: [
    "INSERT INTO saved_search (id, user_id, name, search) VALUES ('q2', 'u', 'Q', '{}')",
  ],
  saved_search_name_length: [
    set("saved_search", "name = ''", "q"),
    set("saved_search", "name = repeat('x', 101)", "q"),
  ],
  saved_search_is_object: [set("saved_search", "search = '[]'", "q")],
  price_sample_gpu_translit_name_fkey: [
    "INSERT INTO price_sample VALUES ('x', '2026-01-01T00:00Z', 5, 6, 1)",
  ],
  price_sample_whole_hour: ["UPDATE price_sample SET at = '2026-01-01T00:00:01Z'"],
  price_sample_low_positive: ["UPDATE price_sample SET low_micro = 0"],
  price_sample_median_not_below_low: ["UPDATE price_sample SET median_micro = 4"],
  price_sample_offers_positive: ["UPDATE price_sample SET offers_count = 0"],
  template_user_id_fkey: [set("template", "user_id = 'x'", "t")],
  template_disk_positive: [set("template", "recommended_disk_space = 0", "t")],
  template_version_not_negative: [set("template", "version = -1", "t")],
  secret_user_id_fkey: [set("secret", "user_id = 'x'", "k")],
  secret_type_known: [set("secret", "secret_type = 'gpg'", "k")],
  instance_user_id_fkey: [set("instance", "user_id = 'x'")],
  instance_offer_id_fkey: [set("instance", "offer_id = 'x'"), "DELETE FROM offer WHERE id = 'o'"],
  instance_template_id_fkey: [set("instance", "template_id = 'x'")],
  instance_status_known: [set("instance", "status = 'sleeping'")],
  instance_wanted_known: [set("instance", "wanted = 'rebooting'")],
  instance_reserve_period_known: [set("instance", "reserve_period = 'decade'")],
  instance_runtime_known: [set("instance", "runtime = 'none'")],
  instance_prices_not_negative: [
    set("instance", "price_micro = 0"),
    set("instance", "pause_micro = 6"),
    set("instance", "pause_micro = -1"),
  ],
  instance_storage_positive: [set("instance", "storage_gb = 0")],
  instance_prepaid_not_negative: [set("instance", "prepaid_micro = -1"), set("instance", "burn_micro = -1")],
  instance_live_holds_lease: ["pending", "running", "paused", "rebooting"].map((status) =>
    set("instance", `holds_lease = false, status = '${status}'`),
  ),
  instance_destroyed_has_time: [
    set("instance", "status = 'destroyed'"),
    set("instance", "destroyed_at = now()"),
  ],
  instance_ssh_port_range: [set("instance", "ssh_port = 0"), set("instance", "ssh_port = 65536")],
  instance_one_lease_an_offer: [
    secondInstance("o"),
    secondInstance("o", ", status, destroyed_at", ", 'destroyed', now()"),
    `${secondInstance("o", ", holds_lease, status", ", false, 'error'")}; ${set("instance", "holds_lease = true", "i2")}`,
  ],
  instance_host_id_fkey: [set("instance", "host_id = 'x'")],
  instance_fee_range: [set("instance", "fee_basis_points = 10001"), set("instance", "fee_basis_points = -1")],
  instance_prepaid_whole: [
    set("instance", "prepaid_rate_micro = -1"),
    set("instance", "warned_term = 1"),
    set("instance", "prepaid_until = now()"),
  ],
  instance_secret_instance_id_fkey: ["UPDATE instance_secret SET instance_id = 'x'"],
  instance_secret_secret_id_fkey: [
    "UPDATE instance_secret SET secret_id = 'x'",
    "DELETE FROM secret WHERE id = 'k'",
  ],
  meter_interval_instance_id_fkey: ["UPDATE meter_interval SET instance_id = 'x'"],
  meter_interval_kind_known: ["UPDATE meter_interval SET kind = 'idle'"],
  meter_interval_forward: [
    "UPDATE meter_interval SET ended_at = started_at - interval '1 us' WHERE ended_at IS NOT NULL",
  ],
  meter_interval_amounts: [
    "UPDATE meter_interval SET rate_micro = -1",
    "UPDATE meter_interval SET settled_micro = -1",
  ],
  meter_interval_settled_is_closed: ["UPDATE meter_interval SET settled = true"],
  meter_interval_disjoint: [
    interval("'2026-01-01T00:30Z'", "'2026-01-01T00:40Z'"),
    interval("'2025-12-31T23:00Z'", "'2026-01-01T00:00:00.000001Z'"),
    interval("'2026-02-01T00:00Z'", "NULL"),
    interval("'2026-02-01T00:00Z'", "'2026-02-02T00:00Z'"),
  ],
  meter_interval_term_counts: ["UPDATE meter_interval SET term = 0"],
  meter_interval_settled_within: ["UPDATE meter_interval SET settled_until = started_at - interval '1 us'"],
  ledger_movement_cause_key: [
    "INSERT INTO ledger_movement (cause, kind, user_id, renter_micro, credit_micro) VALUES ('x', 'credit', 'u', 5, -5)",
  ],
  ledger_movement_user_id_fkey: [movement("credit", "1, 0, 0, 0, -1, 0", "'x', 'p', 'i'")],
  ledger_movement_instance_id_fkey: [movement("credit", "1, 0, 0, 0, -1, 0", "'u', 'p', 'x'")],
  ledger_movement_sums_to_zero: [movement("credit", "1, 1, 0, 0, -1, 0")],
  ledger_movement_kind_moves: [
    movement("gift", "1, 0, 0, 0, -1, 0"),
    movement("credit", "-1, 0, 0, 0, 1, 0"),
    movement("debit", "1, 0, 0, 0, -1, 0"),
    movement("usage", "1, 0, -1, 0, 0, 0"),
    movement("usage", "-1, 0, 2, -1, 0, 0"),
    movement("prepay", "1, -1, 0, 0, 0, 0"),
    movement("accrual", "0, 1, -1, 0, 0, 0"),
    movement("refund", "-1, 1, 0, 0, 0, 0"),
    movement("payout", "0, 0, 1, 0, 0, -1"),
  ],
  ledger_movement_owners_known: [
    movement("credit", "1, 0, 0, 0, -1, 0", "NULL, 'p', 'i'"),
    movement("payout", "0, 0, -1, 0, 0, 1", "'u', NULL, 'i'"),
    movement("prepay", "-1, 1, 0, 0, 0, 0", "'u', 'p', NULL"),
  ],
  agent_user_id_fkey: [set("agent", "user_id = 'x'", "a")],
  agent_ports_in_range: [
    set("agent", "port = 0", "a"),
    set("agent", "first_port = 3", "a"),
    set("agent", "last_port = 65536", "a"),
  ],
  agent_failures_array: [set("agent", "failures = '{}'", "a")],
  host_token_user_id_fkey: [set("host_token", "user_id = 'x'", "ht")],
  host_token_expires_later: [set("host_token", "expires_at = created_at", "ht")],
  host_token_used_once: [
    set("host_token", "used_at = now()", "ht"),
    set("host_token", "agent_id = 'a'", "ht"),
  ],
  host_agent_id_slot_key: [
    "INSERT INTO host (id, user_id, runtime, agent_id) VALUES ('h4', 'u', 'docker', 'a')",
  ],
  host_slot_not_negative: [set("host", "slot = -1", "h")],
  host_docker_has_agent: [set("host", "agent_id = NULL", "h3")],
  host_container_instance_id_fkey: ["UPDATE host_container SET instance_id = 'x'"],
  host_container_host_id_fkey: ["UPDATE host_container SET host_id = 'x'"],
  host_container_state_known: ["UPDATE host_container SET state = 'gone'"],
  host_container_ports_object: ["UPDATE host_container SET ports = '[]'"],
  instance_log_instance_id_fkey: ["UPDATE instance_log SET instance_id = 'x'"],
  instance_log_stream_known: ["UPDATE instance_log SET stream = 'stdin'"],
  instance_metric_instance_id_fkey: ["UPDATE instance_metric SET instance_id = 'x'"],
  instance_metric_per_cent: [
    "UPDATE instance_metric SET gpu_util = 101",
    "UPDATE instance_metric SET cpu_util = -1",
  ],
  simulated_container_instance_id_fkey: ["UPDATE simulated_container SET instance_id = 'x'"],
  simulated_container_pull_not_negative: ["UPDATE simulated_container SET pull_ms = -1"],
  instance_note_is_of_a_flag: [set("instance", "flag_note = 'x'")],
  catalogue_import_status_known: [
    set("catalogue_import", "status = 'lost', ended_at = now(), error = NULL", "ci"),
  ],
  catalogue_import_runtime_known: [set("catalogue_import", "runtime = 'docker'", "ci")],
  catalogue_import_ends_once_not_running: [
    set("catalogue_import", "status = 'done'", "ci"),
    set("catalogue_import", "ended_at = now()", "ci"),
  ],
  catalogue_import_failed_says_why: [
    set("catalogue_import", "status = 'failed', ended_at = now()", "ci"),
    set("catalogue_import", "error = 'x'", "ci"),
  ],
  catalogue_import_counts_not_negative: [set("catalogue_import", "gone = -1", "ci")],
  catalogue_import_one_runs: [
    `INSERT INTO catalogue_import (id, source, file_name, format, runtime, size_bytes)
     VALUES ('ci2', 'file', 'x', 'berth-jsonl', 'none', 1)`,
  ],
  idempotent_request_whole: [
    "UPDATE idempotent_request SET status = 200",
    "UPDATE idempotent_request SET body = '{}'",
  ],
};

async function undone<T>(work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

describe("the database's own rules", () => {
  beforeAll(async () => {
    client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    await client.query(WORLD);
  });
  afterAll(() => client.end());

  it("DBC-01 every CHECK, foreign key, exclusion and unique index has a case here", async () => {
    const { rows } = await client.query<{ name: string }>(`
      SELECT conname AS name FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'x', 'u')
      UNION
      SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique AND NOT i.indisprimary AND c.relname !~ '^_prisma'`);
    expect(Object.keys(rules).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it.each(Object.entries(rules))("DBC-02 %s bites", async (name, statements) => {
    for (const statement of statements) {
      const broken = undone(() => client.query(statement));
      await expect(broken, statement).rejects.toMatchObject({ constraint: name });
    }
  });

  it("DBC-03 lets be what is allowed: a second instance of an offer without lease, intervals that touch", async () => {
    await undone(async () => {
      await client.query(
        secondInstance("o", ", holds_lease, status, destroyed_at", ", false, 'destroyed', now()"),
      );
      await client.query(interval("'2025-12-31T23:00Z'", "'2026-01-01T00:00Z'"));
      await client.query(set("offer", "price_micro = 10000000000", "o"));
      await client.query(set("host", "status_reason = NULL", "h"));
    });
  });

  it("DBC-04 nobody writes in_stock and rentable: they follow from lease, life, listing, price and runtime", async () => {
    for (const column of ["in_stock", "rentable"]) {
      await expect(undone(() => client.query(set("offer", `${column} = true`, "o")))).rejects.toMatchObject({
        code: "428C9",
      });
    }
    const cases: [string, { in_stock: boolean; rentable: boolean }][] = [
      ["leased = false", { in_stock: true, rentable: true }],
      ["leased = true", { in_stock: false, rentable: false }],
      ["live = false", { in_stock: false, rentable: false }],
      ["listed = false", { in_stock: true, rentable: false }],
      ["price_micro = NULL", { in_stock: true, rentable: false }],
      ["runtime = 'none'", { in_stock: true, rentable: false }],
    ];
    for (const [change, expected] of cases) {
      const { rows } = await undone(() =>
        client.query(`${set("offer", change, "o")} RETURNING in_stock, rentable`),
      );
      expect(rows[0], change).toEqual(expected);
    }
  });

  it("DBC-05 an offer keeps since when it is away, whatever took it away, until it is back", async () => {
    await undone(async () => {
      const since = async (change: string): Promise<Date | null> => {
        const { rows } = await client.query(`${set("offer", change, "o")} RETURNING unavailable_since`);
        return rows[0]?.unavailable_since;
      };
      expect(await since("score = 60")).toBeNull();
      const first = await since("leased = true");
      expect(first).toBeInstanceOf(Date);
      expect(await since("live = false")).toEqual(first);
      expect(await since("leased = false")).toEqual(first);
      expect(await since("live = true")).toBeNull();
    });
  });

  it("DBC-06 an account, an offer or a key that something holds cannot be deleted; a template can", async () => {
    for (const [table, id] of [
      ['"user"', "u"],
      ["offer", "o"],
      ["secret", "k"],
      ["provider", "p"],
    ]) {
      await expect(
        undone(() => client.query(`DELETE FROM ${table} WHERE id = '${id}'`)),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^(23001|23503)$/),
      });
    }
    await undone(async () => {
      await client.query("DELETE FROM template WHERE id = 't'");
      const { rows } = await client.query("SELECT template_id FROM instance WHERE id = 'i'");
      expect(rows).toEqual([{ template_id: null }]);
    });
  });

  it("LED-01 the ledger is only ever added to, and a balance changes by its movements alone", async () => {
    for (const statement of [
      "UPDATE ledger_movement SET reference = 'better'",
      "DELETE FROM ledger_movement",
      "TRUNCATE ledger_movement",
    ]) {
      await expect(undone(() => client.query(statement))).rejects.toThrow(/append-only/);
    }
    for (const statement of [
      "UPDATE balance SET available_micro = available_micro + 1",
      "INSERT INTO balance (user_id, available_micro) VALUES ('v', 1)",
    ]) {
      await expect(undone(() => client.query(statement))).rejects.toThrow(/ledger movements only/);
    }
    await undone(async () => {
      await client.query(movement("debit", "-7, 0, 0, 0, 7, 0"));
      const { rows } = await client.query("SELECT available_micro FROM balance WHERE user_id = 'u'");
      expect(rows).toEqual([{ available_micro: "-2" }]);
    });
  });
});
