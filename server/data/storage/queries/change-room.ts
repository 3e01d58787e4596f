/** Changing what people decide about a room. */
import { searchForm } from '../../../../protocol/search/names.ts';
import type { RoomNames, RoomRow, RoomWrites } from '../store.ts';
import { addAudit } from './audit.ts';
import { addLooks, dropLooks, looksFree } from './looks.ts';
import { NAME_FORM } from './name-forms.ts';
import { addRoomNotice, beginWork, endWork, type RoomWork, refusal } from './room-work.ts';
import { hideName } from './rooms.ts';
import { sql } from './sql.ts';
import { type AsSteps, first, run, type Steps } from './steps.ts';

type Change = Parameters<RoomWrites['changeRoom']>[0];

export const roomChanges: AsSteps<Pick<RoomWrites, 'changeRoom'>> = {
  *changeRoom(change) {
    const work = yield* beginWork(change);
    if ('outcome' in work) return work;
    const refused = refusalOf(work, change);
    if (refused) return refused;
    const { patch, names } = change;
    const isRenamed = names !== undefined && names.name !== work.room.name;
    if (isRenamed && !(yield* isFree(work.room, names))) return { outcome: 'taken' };
    // Restored first and archived last: the other changes are of a room that is open.
    if (patch.archived === false && work.room.archivedAt !== null) yield* archive(work, null);
    if (isRenamed) yield* rename(work, names);
    yield* setTexts(work, patch);
    if (patch.kind === 'private' && work.room.kind === 'public') yield* makePrivate(work);
    if (patch.archived === true && work.room.archivedAt === null) yield* archive(work, work.now);
    const isDefaultSet = yield* setDefault(work, patch.is_default);
    if (work.isOperator && (work.notices.length > 0 || isDefaultSet))
      yield* addAudit({ action: 'room_changed', actorId: null, roomId: work.room.id, now: work.now });
    const ended = yield* endWork(work);
    // It is no fact of the room that its members see, so it leaves no notice.
    if (ended.outcome !== 'unchanged' || !isDefaultSet) return ended;
    return { outcome: 'changed', room: work.room, notices: [], changes: [] };
  },
};

/** All that the change names is checked before any of it happens. */
function refusalOf(work: RoomWork, { patch, names }: Change) {
  const { kind, archived, is_default, ...texts } = patch;
  const isOwn = kind !== undefined || archived !== undefined;
  const isEdit = names !== undefined || Object.values(texts).some((value) => value !== undefined);
  const restored = archived === false ? { ...work, room: { ...work.room, archivedAt: null } } : work;
  return (
    refusal(work, 'see') ??
    (isOwn ? refusal(work, 'own') : undefined) ??
    (is_default === undefined ? undefined : refusal(work, 'make_default')) ??
    (isEdit ? refusal(restored, 'edit') : undefined)
  );
}

/** False when another public room has that name, or one that looks like it. */
function* isFree(room: RoomRow, names: RoomNames): Steps<boolean> {
  if (room.kind !== 'public') return true;
  const free = yield* first(sql`
    SELECT 1 WHERE ${looksFree('room', names, room.id)}
      AND NOT EXISTS (SELECT 1 FROM rooms WHERE name_key = ${names.key} AND id <> ${room.id})`);
  return free !== undefined;
}

function* rename(work: RoomWork, names: RoomNames): Steps<void> {
  const { room } = work;
  const { name, key } = names;
  if (room.kind === 'public') {
    yield* run(sql`UPDATE rooms SET name_key = ${key} WHERE id = ${room.id}`);
    yield* dropLooks('room', room.id);
    yield* addLooks('room', room.id, names);
  }
  yield* run(
    sql`UPDATE rooms SET name = ${name}, search_key = ${searchForm(name)}, name_form = ${NAME_FORM} WHERE id = ${room.id}`,
  );
  room.name = name;
  yield* addRoomNotice(work, 'renamed');
}

function* setTexts(
  work: RoomWork,
  { topic, description, emoji, hue, settings }: Change['patch'],
): Steps<void> {
  const { room } = work;
  if (topic !== undefined && topic !== room.topic) {
    room.topic = topic;
    yield* run(sql`UPDATE rooms SET topic = ${topic} WHERE id = ${room.id}`);
    yield* addRoomNotice(work, 'topic');
  }
  if (description !== undefined && description !== room.description) {
    room.description = description;
    yield* run(sql`UPDATE rooms SET description = ${description} WHERE id = ${room.id}`);
    yield* addRoomNotice(work, 'description');
  }
  if (emoji !== undefined && emoji !== room.emoji) {
    room.emoji = emoji;
    yield* run(sql`UPDATE rooms SET emoji = ${emoji} WHERE id = ${room.id}`);
    yield* addRoomNotice(work, 'emoji');
  }
  if (hue !== undefined && hue !== room.hue) {
    room.hue = hue;
    yield* run(sql`UPDATE rooms SET hue = ${hue} WHERE id = ${room.id}`);
    yield* addRoomNotice(work, 'hue');
  }
  const set = settings && JSON.stringify(settings);
  if (set !== undefined && set !== room.settings) {
    room.settings = set;
    yield* run(sql`UPDATE rooms SET settings = ${set} WHERE id = ${room.id}`);
    yield* addRoomNotice(work, 'settings');
  }
}

/** Its name is free from now on, and new users do not join it. */
function* makePrivate(work: RoomWork): Steps<void> {
  const { room } = work;
  Object.assign(room, { kind: 'private', isDefault: false } satisfies Partial<RoomRow>);
  yield* run(sql`UPDATE rooms SET kind = 'private', is_default = 0 WHERE id = ${room.id}`);
  yield* hideName(room.id);
  yield* dropLooks('room', room.id);
  yield* addRoomNotice(work, 'made_private');
}

function* archive(work: RoomWork, at: number | null): Steps<void> {
  work.room.archivedAt = at;
  yield* run(sql`UPDATE rooms SET archived_at = ${at} WHERE id = ${work.room.id}`);
  yield* addRoomNotice(work, at === null ? 'restored' : 'archived');
}

/** Whether there is a change. */
function* setDefault({ room }: RoomWork, isDefault: boolean | undefined): Steps<boolean> {
  if (isDefault === undefined || isDefault === room.isDefault || room.kind !== 'public') return false;
  room.isDefault = isDefault;
  yield* run(sql`UPDATE rooms SET is_default = ${isDefault ? 1 : 0} WHERE id = ${room.id}`);
  return true;
}
