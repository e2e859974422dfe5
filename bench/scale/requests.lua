-- What wrk asks: the requests whose texts are the lines of a file, one after the other, from a line on.
local requests = {}
local next

function init(arguments)
  wrk.method = 'POST'
  wrk.headers['content-type'] = 'application/json'
  for line in io.lines(arguments[1]) do
    requests[#requests + 1] = wrk.format(nil, nil, nil, line)
  end
  next = tonumber(arguments[2]) % #requests
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"late":%.6f,"failed":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
