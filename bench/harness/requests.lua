-- What wrk asks: the requests whose texts are the lines of a file, one after the other, from a line on. A single one is
-- written as it was made once.
function init(arguments)
  wrk.method = 'POST'
  wrk.headers['content-type'] = 'application/json'
  local from, most = tonumber(arguments[2]), tonumber(arguments[3])
  local bodies = {}
  local number = 0
  for line in io.lines(arguments[1]) do
    if number >= from + most then break end
    if number >= from then bodies[#bodies + 1] = line end
    number = number + 1
  end
  if #bodies == 1 then
    wrk.body = bodies[1]
    return
  end
  local requests = {}
  for index, body in ipairs(bodies) do requests[index] = wrk.format(nil, nil, nil, body) end
  local next = 0
  function request()
    next = next % #requests + 1
    return requests[next]
  end
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
