-- Sends the requests of a file in turn. Its lines: the method, the path, the key, and then a body each, or none.
local requests = {}
local at = 0

function init(args)
  local lines = {}
  for line in io.lines(args[1]) do
    lines[#lines + 1] = line
  end
  local headers = { ["X-Api-Key"] = lines[3], ["Content-Type"] = "application/json" }
  for i = 4, #lines do
    requests[#requests + 1] = wrk.format(lines[1], lines[2], headers, lines[i])
  end
  if #requests == 0 then
    requests[1] = wrk.format(lines[1], lines[2], { ["X-Api-Key"] = lines[3] })
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'figures {"requests":%d,"microseconds":%d,"failed":%d,"refused":%d,"p50":%f,"p95":%f,"p99":%f}\n',
    summary.requests, summary.duration, errors.connect + errors.read + errors.write + errors.timeout, errors.status,
    latency:percentile(50), latency:percentile(95), latency:percentile(99)
  ))
end
