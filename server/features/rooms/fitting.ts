/**
 * How much of a list of rooms fits into one response. It is estimated, and rather too high: to measure a room would
 * be to write it twice. Pages of messages are measured (features/messages/page.ts).
 */
import { PAGE_MAX_CHARACTERS } from '../../../protocol/limits.ts';
import type { Room } from '../../../protocol/rooms.ts';

/** JSON of a room or of an entry without its texts, and of a person without their names. */
const ROOM_CHARACTERS = 800;
const PERSON_CHARACTERS = 80;
/** JSON writes a quote or a line break as two characters. Names and topics have no other that it writes longer. */
const ESCAPED = 2;

/**
 * How many of these rooms fit into a page, at least one. `excerpt`: characters of an entry beside those of its room.
 */
export function countFitting<Entry>(
  entries: readonly Entry[],
  roomOf: (entry: Entry) => Room,
  excerptOf: (entry: Entry) => string = () => '',
): number {
  let characters = 0;
  for (const [index, entry] of entries.entries()) {
    const { name, topic, description, people = [] } = roomOf(entry);
    const text = name.length + topic.length + description.length + excerptOf(entry).length;
    const names = people.reduce((sum, one) => sum + one.username.length + one.display_name.length, 0);
    characters += ROOM_CHARACTERS + people.length * PERSON_CHARACTERS + ESCAPED * (text + names);
    if (index > 0 && characters > PAGE_MAX_CHARACTERS) return index;
  }
  return entries.length;
}
