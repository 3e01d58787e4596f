/** What completion offers, and what a choice puts into the text. */
import { mentionOf, type RoomMention } from '../../../../protocol/mentions.ts';
import type { Emoji } from '../../parts/emoji/emoji-data.ts';
import type { FoundPerson } from './found-people.ts';

export type Option =
  | { readonly kind: 'person'; readonly key: string; readonly person: FoundPerson }
  | { readonly kind: 'room'; readonly key: string; readonly room: RoomMention; readonly count: number }
  | { readonly kind: 'emoji'; readonly key: string; readonly emoji: Emoji; readonly shown: string };

/** The most options that are offered. */
export const MOST_OPTIONS = 8;

const ROOM_WORDS: Readonly<Record<RoomMention, readonly string[]>> = {
  room: ['room', 'channel', 'everyone', 'all'],
  here: ['here'],
};

/** The calls of the room whose words begin so. `counts`: how many people each would call. */
export function roomOptions(typed: string, counts: Readonly<Record<RoomMention, number>>): Option[] {
  const start = typed.toLowerCase();
  const calls: RoomMention[] = ['room', 'here'];
  return calls
    .filter((room) => ROOM_WORDS[room].some((word) => word.startsWith(start)))
    .map((room) => ({ kind: 'room', key: room, room, count: counts[room] }));
}

/** The text that takes the place of what was typed. */
export function insertionOf(option: Option): string {
  switch (option.kind) {
    case 'person':
      return mentionOf(option.person.username);
    case 'room':
      return `@${option.room}`;
    case 'emoji':
      return option.shown;
  }
}
