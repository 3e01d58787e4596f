/** What is asked of an FTS5 table. */
import type { AnyOf, Condition } from '../../../../protocol/search/tokens.ts';
import { marks } from '../marks.ts';

/** The query language of FTS5. Every token is quoted, so none is taken for an operator. */
export function matchOf(conditions: readonly AnyOf[], roomIds: readonly number[] | undefined): string {
  const rooms = roomIds ? [roomIds.map((id) => quoted({ token: marks.room(id) })).join(' OR ')] : [];
  return [...rooms, ...conditions.map((anyOf) => anyOf.map(quoted).join(' OR '))]
    .map((part) => `(${part})`)
    .join(' AND ');
}

function quoted(condition: Condition): string {
  const text = 'token' in condition ? condition.token : condition.prefix;
  const star = 'token' in condition ? '' : ' *';
  return `"${text.replaceAll('"', '""')}"${star}`;
}
