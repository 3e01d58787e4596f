/** What the quick switcher offers for a query. */
import { go, type KeyResult } from 'fuzzysort';
import type { Profile } from '../../../protocol/people.ts';
import { searchStart } from '../../../protocol/search/names.ts';
import { preparedRooms, prepareFor, type SwitcherRoom } from './room-index.ts';

export interface SwitcherCommand {
  readonly id: string;
  readonly label: string;
  /** Other words by which users may search for it. */
  readonly keywords: string;
}

/** A piece of a label, which may match the query. */
export interface LabelPart {
  readonly text: string;
  readonly isMatch: boolean;
}

interface Labelled {
  readonly key: string;
  readonly label: readonly LabelPart[];
}

export type SwitcherItem =
  | ({ readonly kind: 'room'; readonly roomId: number; readonly unread: number } & Labelled)
  | ({ readonly kind: 'command'; readonly commandId: string } & Labelled)
  | ({ readonly kind: 'person'; readonly userId: number; readonly username: string } & Labelled);

export interface SwitcherGroup {
  readonly kind: 'unread' | 'rooms' | 'commands' | 'people';
  readonly items: readonly SwitcherItem[];
}

interface SearchContext {
  /** Unread messages by room id; rooms without any are left out. */
  readonly unread: ReadonlyMap<number, number>;
  /** The open room. It is offered only to those who ask for it. */
  readonly currentId: number | null;
}

interface FoundRoom {
  readonly room: SwitcherRoom;
  readonly score: number;
  readonly label: readonly LabelPart[];
}

/** Nobody reads a longer list; they type on. */
const MAX_ROOMS = 50;
const MAX_ROOMS_UNASKED = 12;
/** The letters need to be there in order, anywhere in the name. */
const THRESHOLD = 0.2;
/** Puts unread rooms first among equals, and the open room last. */
const BONUS = 0.05;

export type SwitcherSearch = (query: string, context: SearchContext) => readonly SwitcherGroup[];

/** Searches rooms and commands. Fast enough for every key once the rooms have been prepared. */
export function switcherSearch(
  rooms: readonly SwitcherRoom[],
  commands: readonly SwitcherCommand[],
): SwitcherSearch {
  const roomIndex = preparedRooms(rooms);
  const labels = prepareFor(commands, 'label');
  const keywords = prepareFor(commands, 'keywords');

  function unasked({ unread, currentId }: SearchContext): SwitcherGroup[] {
    const others = rooms.filter((room) => room.id !== currentId);
    const item = (room: SwitcherRoom) => roomItem(room, unread.get(room.id) ?? 0, plain(room.name));
    return [
      {
        kind: 'unread',
        items: others
          .filter(({ id }) => unread.has(id))
          .slice(0, MAX_ROOMS)
          .map(item),
      },
      ...(['rooms', 'people'] as const).map((kind) => ({
        kind,
        items: others
          .filter((room) => !unread.has(room.id) && (room.kind === 'dm') === (kind === 'people'))
          .slice(0, MAX_ROOMS_UNASKED)
          .map(item),
      })),
      { kind: 'commands', items: commands.map((command) => commandItem(command, plain(command.label))) },
    ];
  }

  function asked(query: string, { unread, currentId }: SearchContext): SwitcherGroup[] {
    const bonus = (id: number) => (unread.has(id) ? BONUS : 0) - (id === currentId ? BONUS : 0);
    const byName = go(query, roomIndex.byName, {
      limit: MAX_ROOMS,
      threshold: THRESHOLD,
      scoreFn: ({ score, obj }) => score + bonus(obj.id),
    });
    const named = new Set(byName.map(({ obj }) => obj.id));
    const byForm = go(searchStart(query), roomIndex.byForm, {
      limit: MAX_ROOMS,
      threshold: THRESHOLD,
      scoreFn: ({ score, obj }) => score + bonus(obj.room.id),
    });
    const foundRooms: FoundRoom[] = [
      ...byName.map((found) => ({ room: found.obj, score: found.score, label: parts(found) })),
      ...byForm
        .filter(({ obj }) => !named.has(obj.room.id))
        .map(({ obj: { room }, score }) => ({ room, score, label: plain(room.name) })),
    ]
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_ROOMS);
    const foundCommands = [...go(query, labels, { threshold: THRESHOLD })];
    const byLabel = new Set(foundCommands.map((found) => found.obj.id));
    const byKeyword = go(query, keywords).filter((found) => !byLabel.has(found.obj.id));
    const roomGroup: SwitcherGroup = {
      kind: 'rooms',
      items: foundRooms.map(({ room, label }) => roomItem(room, unread.get(room.id) ?? 0, label)),
    };
    const commandGroup: SwitcherGroup = {
      kind: 'commands',
      items: [
        ...foundCommands.map((found) => commandItem(found.obj, parts(found))),
        ...byKeyword.map((found) => commandItem(found.obj, plain(found.obj.label))),
      ],
    };
    const bestRoom = foundRooms[0]?.score ?? 0;
    const bestCommand = Math.max(foundCommands[0]?.score ?? 0, byKeyword[0]?.score ?? 0);
    return bestCommand > bestRoom ? [commandGroup, roomGroup] : [roomGroup, commandGroup];
  }

  return (query, context) => {
    const groups = query.trim() === '' ? unasked(context) : asked(query.trim(), context);
    return groups.filter((group) => group.items.length > 0);
  };
}

let isWarm = false;

/** Does in advance what would make the first key slow: builds the index, and has the engine compile the search. */
export function prepareSwitcher(rooms: readonly SwitcherRoom[]): void {
  const search = switcherSearch(rooms, []);
  if (isWarm || rooms.length === 0) return;
  isWarm = true;
  for (const query of ['a', 'e', 'an', 'the']) search(query, { unread: new Map(), currentId: null });
}

function roomItem({ id }: SwitcherRoom, unread: number, label: readonly LabelPart[]): SwitcherItem {
  return { kind: 'room', key: `room-${id}`, roomId: id, unread, label };
}

/**
 * The people whom the server has found. They come last: their response is late, and must not change what Enter takes.
 * The username stands beside a display name that differs.
 */
export function peopleGroup(people: readonly Profile[]): SwitcherGroup {
  const items = people.map(({ id, username, display_name: name }): SwitcherItem => {
    const label = name === '' || name === username ? username : `${name} (${username})`;
    return { kind: 'person', key: `person-${id}`, userId: id, username, label: plain(label) };
  });
  return { kind: 'people', items };
}

function commandItem({ id }: SwitcherCommand, label: readonly LabelPart[]): SwitcherItem {
  return { kind: 'command', key: `command-${id}`, commandId: id, label };
}

function plain(text: string): LabelPart[] {
  return [{ text, isMatch: false }];
}

function parts<T>(found: KeyResult<T>): LabelPart[] {
  return found
    .highlight((text) => ({ text, isMatch: true }))
    .map((part) => (typeof part === 'string' ? { text: part, isMatch: false } : part))
    .filter((part) => part.text !== '');
}
