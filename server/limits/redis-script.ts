/** The arithmetic of token-bucket.ts as one step of Redis, by its clock: exact for any number of processes. */
import { Script } from '../redis/script.ts';

/**
 * Keys: one for each bucket. Arguments: '1' to take a token from every bucket or from none, '0' to take none; then
 * capacity, refill and interval of each bucket. Returns 0, or the wait of the first bucket that has no token, in
 * microseconds, and its position. All numbers are whole and below 2^53, which Lua's keep exactly.
 *
 * A level is kept until its bucket is full. When Redis's clock goes back, the level stays as it is: nothing is taken,
 * and it refills from then on.
 */
export const TAKE = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function keep(key, missing, ms)
  redis.call('SET', key, string.format('%.0f %.0f', missing, now), 'PX', ms)
end
local after = {}
for i, key in ipairs(KEYS) do
  local capacity, refill, interval = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local missing = 0
  local level = redis.call('GET', key)
  if level then
    local space = string.find(level, ' ', 1, true)
    local at = tonumber(string.sub(level, space + 1))
    missing = tonumber(string.sub(level, 1, space - 1))
    if now < at then keep(key, missing, math.ceil(math.ceil(missing / refill) / 1000)) end
    missing = math.max(0, missing - math.max(0, now - at) * refill)
  end
  local short = missing - (capacity - 1) * interval
  if short > 0 then return { math.ceil(short / refill), i } end
  after[i] = missing + interval
end
if ARGV[1] == '1' then
  for i, key in ipairs(KEYS) do
    keep(key, after[i], math.ceil(math.ceil(after[i] / tonumber(ARGV[3 * i])) / 1000))
  end
end
return 0
`);
