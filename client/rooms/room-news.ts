/** What heads and messages change at a listed room: rule 4 of `rooms-reducer.ts`. */
import type { Message } from '../../protocol/events.ts';
import type { Frame } from '../connection/frames.ts';
import { placeOf } from '../room/stream.ts';
import { excerptOf } from './excerpts.ts';
import type { ListedRoom, RoomsState } from './rooms-state.ts';
import { type Brief, type News, withNews } from './unread.ts';

export function onHead(state: RoomsState, before: ListedRoom, frame: Frame<'head'>): ListedRoom {
  const { from, seq, number, texts, gone, room = before.room } = frame;
  // The list may be ahead of a head that comes late, and a head may bring an earlier text that has changed.
  const isStale = seq < before.seq || (frame.last?.seq ?? Number.POSITIVE_INFINITY) < (before.last?.seq ?? 0);
  const last = isStale || frame.last === undefined ? before.last : frame.last;
  // Both lists are absent when one of them would be too long.
  const news = { from, seq, number, texts, gone, counts: counting(state) };
  return { ...withNews(before, news), room, last };
}

export function onOpened(before: ListedRoom, { room, seq, resumed }: Frame<'opened'>): ListedRoom {
  // What was missed follows in batches. Until then its authors are unknown.
  return resumed ? { ...before, room } : { ...withNews(before, gap(before, seq, room.number)), room };
}

export function onMessages(state: RoomsState, before: ListedRoom, messages: readonly Message[]): ListedRoom {
  const inFlow = messages.filter(({ notice, thread_id }) => notice === undefined && thread_id === undefined);
  const texts = inFlow.filter(({ seq }) => seq > before.seq);
  const gone = inFlow.filter((message) => message.deleted_at !== undefined && placeOf(message) > before.seq);
  // A text that changed before it was heard comes with its change, after its own number was left out: nobody counted
  // it.
  const { leftOut = 0 } = before;
  const isLate = (text: Message) =>
    text.seq <= leftOut && text.seq <= before.seq && placeOf(text) > before.seq;
  const mayBeNew = inFlow.some((text) => isLate(text) && text.seq > before.readSeq);
  const latest = inFlow.reduce<Message | null>((a, b) => (a === null || b.seq > a.seq ? b : a), null);
  const seq = messages.reduce((highest, message) => Math.max(highest, placeOf(message)), before.seq);
  return {
    ...withNews(withFacts(before, messages), {
      from: before.seq,
      seq,
      number: before.number + texts.length,
      texts: mayBeNew ? undefined : texts.map(briefOf),
      gone: gone.map(briefOf),
      counts: counting(state),
    }),
    last: latest === null || latest.seq < (before.last?.seq ?? 0) ? before.last : lastOf(latest),
    leftOut: messages.reduce(withLeftOut(before.seq), leftOut),
  };
}

/** The room as the notices among these messages say it is now. A list may be ahead of a message that comes late. */
function withFacts(before: ListedRoom, messages: readonly Message[]): ListedRoom {
  const facts = messages.flatMap(({ seq, notice }) =>
    notice !== undefined && 'room' in notice && seq > before.seq ? [notice.room] : [],
  );
  const last = facts.at(-1);
  return last === undefined ? before : { ...before, room: { ...before.room, ...last } };
}

/** The highest number that these messages leave out, which follow on `seq`. */
function withLeftOut(seq: number) {
  let heard = seq;
  return (leftOut: number, message: Message): number => {
    const place = placeOf(message);
    const isGap = place > heard + 1;
    heard = Math.max(heard, place);
    return isGap ? place - 1 : leftOut;
  };
}

function briefOf({ seq, user_id }: Message): Brief {
  return [seq, user_id];
}

function lastOf({ seq, user_id, username, content, files, created_at }: Message): ListedRoom['last'] {
  const last = { seq, user_id, username, excerpt: excerptOf(content), created_at };
  return files ? { ...last, files: files.length } : last;
}

function counting({ userId, blocked }: RoomsState): News['counts'] {
  return (author) => author !== userId && !blocked.has(author);
}

/** News without its lists. */
export function gap({ seq: from }: ListedRoom, seq: number, number: number): News {
  return seq > from
    ? { from, seq, number, counts: () => true }
    : { from, seq, number, texts: [], counts: () => true };
}
