/** A page of a log, as the server selects it. */
import type { Message } from '../../protocol/events.ts';
import type { FlowPage } from '../../protocol/rest/messages.ts';
import type { FlowQuery } from '../api/api.ts';

/** At most `most` messages; null: there is no message with that id. */
export function flowPage(
  log: readonly Message[],
  { limit, beforeId, afterId, aroundId, aroundTime }: FlowQuery,
  most: number,
): Omit<FlowPage, 'epoch' | 'seq'> | null {
  const count = Math.min(limit ?? most, most);
  const indexFrom = (isFrom: (message: Message) => boolean) => {
    const index = log.findIndex(isFrom);
    return index < 0 ? log.length : index;
  };
  const page = (from: number, to: number) => {
    const [start, end] = [Math.max(0, from), Math.min(log.length, to)];
    return { messages: log.slice(start, end), has_more: start > 0, has_more_after: end < log.length };
  };
  if (aroundId !== undefined || aroundTime !== undefined) {
    const place = indexFrom(({ id, created_at }) =>
      aroundId === undefined ? created_at >= (aroundTime ?? '') : id === aroundId,
    );
    if (aroundId !== undefined && place === log.length) return null;
    const target = log[place] ?? log.at(-1);
    const half = count >> 1;
    return { ...page(place - half, place + count - half), ...(target && { target: { id: target.id } }) };
  }
  if (afterId !== undefined) {
    const from = indexFrom(({ id }) => id > afterId);
    return page(from, from + count);
  }
  const to = indexFrom(({ id }) => id >= (beforeId ?? Number.POSITIVE_INFINITY));
  return page(to - count, to);
}
