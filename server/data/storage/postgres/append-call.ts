/** The call of `append_v1`: a batch of texts as arrays, and its numbers as outcomes. */
import type { AppendOutcome, NewMessage, Place } from '../store.ts';
import type { Connection } from './connection.ts';
import { numbers } from './values.ts';

const BATCH_MS = 5000;
/** Numbers for each text, and for each member who has a direct conversation back. */
const FIELDS = 6;
const SHOWN_FIELDS = 3;

/** By the number that the database returns. */
const OUTCOMES = [
  'stored',
  'duplicate',
  'cid_conflict',
  'room_not_found',
  'not_allowed',
  'not_delivered',
  'user_not_found',
] as const;

/** Rejects with a DatabaseFailure. A batch that was stored under this number before resolves as it did then. */
export async function append(
  connection: Connection,
  batch: { writer: string; n: number; messages: readonly NewMessage[] },
): Promise<AppendOutcome[]> {
  const { writer, n, messages } = batch;
  const result = await connection.call<number[]>(
    'SELECT append_v1($1, $2, $3, $4, $5, $6, $7) AS result',
    [
      writer,
      n,
      numbers(messages.map(({ roomId }) => roomId)),
      numbers(messages.map(({ userId }) => userId)),
      messages.map(({ cid }) => cid),
      messages.map(({ content }) => content),
      numbers(messages.map(({ now }) => now)),
    ],
    BATCH_MS,
  );
  const outcomes = messages.map((_, index) => outcomeAt(result, index, messages.length));
  addShown(outcomes, result.slice(FIELDS * messages.length));
  return outcomes;
}

function outcomeAt(result: readonly number[], index: number, count: number): AppendOutcome {
  const field = (which: number) => result[which * count + index] ?? 0;
  const outcome = OUTCOMES[field(0)];
  const place: Place = { id: field(1), seq: field(2), number: field(3), createdAt: field(4) };
  switch (outcome) {
    case undefined:
      throw new Error(`append_v1 returned the outcome ${field(0)}`);
    case 'stored':
      return { outcome, ...place, isMember: field(5) === 1 };
    case 'duplicate':
      return { outcome, ...place };
    default:
      return { outcome };
  }
}

function addShown(outcomes: AppendOutcome[], shown: readonly number[]): void {
  for (let at = 0; at < shown.length; at += SHOWN_FIELDS) {
    const [place = 0, userId = 0, userSeq = 0] = shown.slice(at, at + SHOWN_FIELDS);
    const outcome = outcomes[place - 1];
    if (outcome?.outcome !== 'stored') throw new Error('append_v1 shows a conversation without a text');
    outcome.shown = [...(outcome.shown ?? []), { userId, userSeq }];
  }
}
