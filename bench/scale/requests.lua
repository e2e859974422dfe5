-- What wrk asks: so many requests whose texts are the lines of a file, one after the other, from a line on.
local requests = {}
local next = 0

function init(arguments)
  wrk.method = 'POST'
  wrk.headers['content-type'] = 'application/json'
  local from, most = tonumber(arguments[2]), tonumber(arguments[3])
  local number = 0
  for line in io.lines(arguments[1]) do
    if number >= from + most then break end
    if number >= from then requests[#requests + 1] = wrk.format(nil, nil, nil, line) end
    number = number + 1
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"failed":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
