/** The arithmetic of token-bucket.ts as one step of Redis, by its clock: exact for any number of processes. */
import { Script } from '../redis/script.ts';

/**
 * Keys: one for each bucket. Arguments: for each request '1' to take a token from each of its buckets or from none, or
 * '0' to take none; how many buckets it has; and capacity, refill and interval of each. Returns for each request 0, or
 * the wait of its first bucket that has no token, in microseconds, and the bucket's position. All numbers are whole and
 * below 2^53, which Lua's keep exactly.
 *
 * A level is kept until its bucket is full. A key without a level is a full bucket, whatever is in it. When Redis's
 * clock goes back, the level stays as it is: nothing is taken, and it refills from then on.
 */
export const TAKE = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function keep(key, missing, refill)
  local ms = math.ceil(math.ceil(missing / refill) / 1000)
  redis.call('SET', key, string.format('%.0f %.0f', missing, now), 'PX', ms)
end
local function missing_of(key, refill)
  local level = redis.pcall('GET', key)
  local missing, at = string.match(type(level) == 'string' and level or '', '^(%d+) (%d+)$')
  if not missing then return 0 end
  missing, at = tonumber(missing), tonumber(at)
  if now < at then keep(key, missing, refill) end
  return math.max(0, missing - math.max(0, now - at) * refill)
end
local function decide(takes, count, first_key, first_arg)
  local after = {}
  for i = 0, count - 1 do
    local arg = first_arg + 3 * i
    local capacity, refill, interval = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2])
    local missing = missing_of(KEYS[first_key + i], refill)
    local short = missing - (capacity - 1) * interval
    if short > 0 then return { math.ceil(short / refill), i + 1 } end
    after[i] = missing + interval
  end
  if takes then
    for i = 0, count - 1 do keep(KEYS[first_key + i], after[i], tonumber(ARGV[first_arg + 3 * i + 1])) end
  end
  return 0
end
local decisions = {}
local key, arg = 1, 1
while arg < #ARGV do
  local count = tonumber(ARGV[arg + 1])
  decisions[#decisions + 1] = decide(ARGV[arg] == '1', count, key, arg + 2)
  key, arg = key + count, arg + 2 + 3 * count
end
return decisions
`);
