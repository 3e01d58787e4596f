/** The groups of the list, and the order of the rooms within them. Pure. */
import { isPersonal, isUnread, type RoomEntry } from './room-entry.ts';

export const GROUP_KINDS = ['unread', 'starred', 'rooms', 'direct'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export interface RoomGroup {
  readonly kind: GroupKind;
  readonly entries: readonly RoomEntry[];
}

function groupOf(entry: RoomEntry): GroupKind {
  if (isUnread(entry)) return 'unread';
  if (entry.starred) return 'starred';
  return entry.kind === 'dm' ? 'direct' : 'rooms';
}

/** The latest message first; rooms without one by their age, the newest first. Among the unread, what is personal. */
function compare(a: RoomEntry, b: RoomEntry): number {
  const personalFirst = Number(isPersonal(b)) - Number(isPersonal(a));
  return personalFirst || (b.last?.at ?? 0) - (a.last?.at ?? 0) || b.id - a.id;
}

/** The groups that have rooms, in their order. */
export function roomGroups(entries: readonly RoomEntry[]): readonly RoomGroup[] {
  const members = new Map<GroupKind, RoomEntry[]>(GROUP_KINDS.map((kind) => [kind, []]));
  for (const entry of entries) members.get(groupOf(entry))?.push(entry);
  return compact(members, (list) => list.sort(compare));
}

/**
 * The same rooms where they were before: nothing moves beneath a pointer or a focus. A room that was not there before
 * comes to the end of its group.
 */
export function heldGroups(
  before: readonly RoomGroup[],
  entries: readonly RoomEntry[],
): readonly RoomGroup[] {
  const present = new Map(entries.map((entry) => [entry.id, entry]));
  const members = new Map<GroupKind, RoomEntry[]>(GROUP_KINDS.map((kind) => [kind, []]));
  for (const { kind, entries: held } of before) {
    for (const { id } of held) {
      const entry = present.get(id);
      if (entry !== undefined) members.get(kind)?.push(entry);
      present.delete(id);
    }
  }
  for (const entry of present.values()) members.get(groupOf(entry))?.push(entry);
  return compact(members, (list) => list);
}

function compact(
  members: ReadonlyMap<GroupKind, RoomEntry[]>,
  order: (list: RoomEntry[]) => readonly RoomEntry[],
): readonly RoomGroup[] {
  return GROUP_KINDS.flatMap((kind) => {
    const list = members.get(kind) ?? [];
    return list.length === 0 ? [] : [{ kind, entries: order(list) }];
  });
}
