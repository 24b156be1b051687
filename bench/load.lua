-- For wrk: asks for the lines of a file in turn (address, cookie, method and body, with tabs between), and prints one line of JSON.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, cookie, method, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = { ["Accept-Encoding"] = "gzip, deflate, br", ["Accept"] = "text/html,application/json" }
    if cookie ~= "" then headers["Cookie"] = cookie end
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"bytes":%d,"failed":%d,"refused":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
