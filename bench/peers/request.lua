-- What wrk asks: the request whose text is in the file that is named behind the address. It is made once.
function init(arguments)
  local file = assert(io.open(arguments[1], 'r'))
  wrk.method = 'POST'
  wrk.headers['content-type'] = 'application/json'
  wrk.body = file:read('*a')
  file:close()
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"median":%.6f,"late":%.6f,"failed":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
