/** A person's ($1) newest 50 instances with keys, meter and the counts of their GPUs, as `presentInstance` takes them. */
export const instancesSql = `
  WITH mine AS (
    SELECT * FROM instance WHERE user_id = $1 AND status <> 'destroyed' ORDER BY created_at DESC, id LIMIT 50
  ), counts AS (
    SELECT o.gpu_translit_name AS gpu, count(*)::int AS offers, count(DISTINCT o.country)::int AS countries FROM offer o
    WHERE o.listed AND (o.unavailable_since IS NULL OR o.unavailable_since > now() - interval '24 hours')
      AND o.gpu_translit_name = ANY (SELECT offer_snapshot->>'gpuTranslitName' FROM mine) GROUP BY 1
  )
  SELECT i.id, i.user_id AS "userId", i.name, i.created_at AS "createdAt", i.offer_snapshot AS "offerSnapshot",
    i.template_snapshot AS "templateSnapshot", i.storage_gb AS "storageGb", i.initialized_at AS "initializedAt",
    i.prepaid_until AS "prepaidUntil", i.reserve_period AS "reservePeriod", i.auto_renew AS "autoRenew",
    i.uptime_micro AS "uptimeMicro", i.pause_micro AS "pauseMicro", i.gpu_util AS "gpuUtil", i.cpu_util AS "cpuUtil",
    i.ram_util AS "ramUtil", i.mem_util AS "memUtil", i.inet_in AS "inetIn", i.inet_out AS "inetOut", i.status, i.phase,
    i.message, i.logs, i.ports, i.address, i.ssh_host AS "sshHost", i.ssh_port AS "sshPort", i.ui_url AS "uiUrl",
    i.flagged_at AS "flaggedAt", i.label, h.fingerprint, c.gpu, c.offers AS gpu_offers, c.countries AS gpu_countries,
    i.prepaid_micro + meter.cost AS "totalCostMicro", meter.uptime AS "totalUptime", keys.secrets
  FROM mine i LEFT JOIN host h ON h.id = i.host_id LEFT JOIN counts c ON c.gpu = i.offer_snapshot->>'gpuTranslitName',
    LATERAL (
      SELECT coalesce(floor(sum(m.rate_micro * extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at) / 3600)
          FILTER (WHERE m.term IS NULL)), 0)::bigint AS cost,
        coalesce(floor(sum(extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at))
          FILTER (WHERE m.kind = 'running')), 0)::float8 AS uptime
      FROM meter_interval m WHERE m.instance_id = i.id
    ) meter,
    LATERAL (
      SELECT coalesce(json_agg(json_build_object('secret', json_build_object('id', s.id, 'name', s.name, 'value', s.value))
          ORDER BY s.id), '[]') AS secrets
      FROM instance_secret x JOIN secret s ON s.id = x.secret_id WHERE x.instance_id = i.id
    ) keys
  ORDER BY i.created_at DESC, i.id`;
