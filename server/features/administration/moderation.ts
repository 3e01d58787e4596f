/** Moderation of rooms: mutes, bans, reports. */

import type { ReportReason } from '../../../protocol/administration.ts';
import { AppError } from '../../../protocol/errors.ts';
import { RESTRICTED_WITHOUT_END } from '../../../protocol/limits.ts';
import type { Report, ReportsPage, Restricted } from '../../../protocol/rest/administration.ts';
import type { RoomKind } from '../../../protocol/rooms.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { ReportRow, Store, UserRow } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import type { Changes } from '../messages/changes.ts';
import { announce } from '../rooms/announce.ts';
import { permit, type Where } from '../rooms/permit.ts';
import { toTime } from '../rooms/shapes.ts';

/** The most texts that a ban deletes. */
const DELETED_MAX = 200;

export interface ModerationOptions {
  store: Store;
  bus: Bus;
  messages: Changes;
  /** Counts changes of rooms and of their members, by user; undefined: no limit. */
  changes: Limiter | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

/** `until`: RFC 3339; null or absent: without an end. */
export interface Terms {
  until?: string | null | undefined;
  reason?: string | undefined;
}

export class Moderation {
  readonly #options: ModerationOptions;

  constructor(options: ModerationOptions) {
    this.#options = options;
  }

  /** As all acts here, throws `room_not_found`, `not_allowed`, `user_not_found` and `too_many_requests`. */
  async mute(where: Where, userId: number, terms: Terms | null): Promise<void> {
    await this.#restrict('mute', where, userId, terms);
  }

  /** `deleteLastS`: the person's texts of so many seconds are deleted, 200 at most. */
  async ban(where: Where, userId: number, terms: Terms | null, deleteLastS = 0): Promise<void> {
    const { store, messages, now } = this.#options;
    await this.#restrict('ban', where, userId, terms);
    if (deleteLastS === 0) return;
    const { roomId } = where;
    const since = now() - deleteLastS * 1000;
    const ids = await store.recentTexts({ roomId, userId, since, limit: DELETED_MAX });
    for (const messageId of ids) await messages.moderate({ ...where, messageId });
  }

  /** Who is muted or banned in the room now. */
  async restricted({ roomId, userId: viewerId }: Where): Promise<Restricted> {
    const { store, now } = this.#options;
    const rows = await store.restricted({ roomId, viewerId, now: now() });
    if (!rows) throw await this.#notForThem({ roomId, userId: viewerId });
    return {
      people: rows.map(({ silencedUntil, bannedUntil, ...user }) => ({
        ...toPerson(user),
        muted_until: silencedUntil === null ? null : toTime(silencedUntil),
        banned_until: bannedUntil === null ? null : toTime(bannedUntil),
      })),
    };
  }

  /** A second report of the same message by the same person changes nothing. */
  async report(
    of: Where & { messageId: number },
    { reason, note = '' }: { reason: ReportReason; note?: string | undefined },
  ): Promise<void> {
    const { store, changes, now } = this.#options;
    const { userId: reporterId, ...message } = of;
    await takeOrRefuse(changes, String(reporterId));
    const { outcome } = await store.report({ ...message, reporterId, reason, note, now: now() });
    if (outcome !== 'reported') throw new AppError(outcome);
  }

  /** Lists the reports of one room, or of all for an admin, the latest first. */
  async reports(
    viewerId: number,
    query: { roomId?: number | undefined; isOpen: boolean; limit: number; beforeId?: number | undefined },
  ): Promise<ReportsPage> {
    const { store, now } = this.#options;
    const { limit, roomId } = query;
    const rows = await store.reports({ ...query, viewerId, limit: limit + 1, now: now() });
    if (!rows)
      throw roomId === undefined
        ? new AppError('not_found')
        : await this.#notForThem({ roomId, userId: viewerId });
    return { reports: rows.slice(0, limit).map(toReport), has_more: rows.length > limit };
  }

  /** Throws `report_not_found`, also where the actor may not judge it. */
  async closeReport(
    actorId: number,
    reportId: number,
    { resolution, note = '' }: { resolution: string; note?: string | undefined },
  ): Promise<void> {
    const { store, now } = this.#options;
    const { outcome } = await store.closeReport({ reportId, actorId, resolution, note, now: now() });
    if (outcome !== 'closed') throw new AppError(outcome);
  }

  /** The refusal: the viewer sees the room and may not moderate it, or does not see it. */
  async #notForThem(where: Where): Promise<AppError> {
    const { store, now } = this.#options;
    await permit(store, 'moderate', where, now());
    return new AppError('room_not_found');
  }

  async #restrict(kind: 'mute' | 'ban', where: Where, userId: number, terms: Terms | null): Promise<void> {
    const { store, bus, changes, now } = this.#options;
    const { roomId, userId: actorId } = where;
    await takeOrRefuse(changes, String(actorId));
    const until =
      terms === null
        ? null
        : typeof terms.until === 'string'
          ? Date.parse(terms.until)
          : RESTRICTED_WITHOUT_END;
    if (until !== null && until <= now()) throw new AppError('invalid_payload');
    const restriction = { roomId, actorId, userId, until, reason: terms?.reason ?? '', now: now() };
    announce(bus, await store[kind](restriction));
  }
}

function toPerson({ id, username }: UserRow) {
  return { user_id: id, username };
}

function toReport(row: ReportRow): Report {
  const {
    id,
    room,
    messageId,
    author,
    reporter,
    reason,
    note,
    excerpt,
    createdAt,
    closedAt,
    closedBy,
    resolution,
  } = row;
  return {
    id,
    message_id: messageId,
    note,
    excerpt,
    resolution,
    room: { ...room, kind: room.kind as RoomKind },
    reason: reason as ReportReason,
    author: toPerson(author),
    reporter: toPerson(reporter),
    created_at: toTime(createdAt),
    closed_at: closedAt === null ? null : toTime(closedAt),
    closed_by: closedBy && toPerson(closedBy),
  };
}
