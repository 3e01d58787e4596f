/** Invitations by link: codes of 128 random bits, of which the database keeps the hash. */
import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import { hueOf } from '../../../protocol/hues.ts';
import { INVITE_TTL_S } from '../../../protocol/limits.ts';
import type { CreatedInvite, Invitation, Invite } from '../../../protocol/rest/rooms.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { InvitedRoom, InviteRow, Store } from '../../data/storage/store.ts';
import { checkOrRefuse, type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { announce } from './announce.ts';
import { permit, type Where } from './permit.ts';

const CODE_BYTES = 16;

export interface InvitesOptions {
  store: Store;
  bus: Bus;
  /** Counts attempts to accept, and wrong codes; undefined: no limit. */
  attempts: Limiter | undefined;
  /** Counts changes of rooms and of their members, by user; undefined: no limit. */
  changes?: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

/** Where a request comes from. `key`: the address as limits count it; undefined when it has no limit. */
export interface From {
  key: string | undefined;
}

export class Invites {
  readonly #options: Required<InvitesOptions>;

  constructor(options: InvitesOptions) {
    this.#options = { now: Date.now, changes: undefined, ...options };
  }

  /** `origin`: where the web client is, for the link. Throws `too_many` when the room has enough live invitations. */
  async create(
    { roomId, userId }: Where,
    terms: { expires_in?: number | undefined; max_uses?: number | undefined },
    origin: string,
  ): Promise<CreatedInvite> {
    const { store, changes, now } = this.#options;
    await takeOrRefuse(changes, String(userId));
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const created = await store.createInvite({
      codeHash: hashOf(code),
      roomId,
      createdBy: userId,
      now: now(),
      expiresAt: now() + (terms.expires_in ?? INVITE_TTL_S.default) * 1000,
      maxUses: terms.max_uses ?? null,
    });
    if (created.outcome !== 'created') throw new AppError(created.outcome);
    return { ...toInvite(created.invite), code, url: `${origin}/invite/${code}` };
  }

  async list(where: Where): Promise<Invite[]> {
    const { store, now } = this.#options;
    await permit(store, 'invite', where, now());
    return (await store.liveInvites({ roomId: where.roomId, now: now() })).map(toInvite);
  }

  async revoke(where: Where, inviteId: number): Promise<void> {
    const { store, now } = this.#options;
    await permit(store, 'invite', where, now());
    const { roomId, userId: actorId } = where;
    const isRevoked = await store.revokeInvite({ roomId, inviteId, actorId, now: now() });
    if (!isRevoked) throw new AppError('invite_not_found');
  }

  /** What the code is for. Throws `invite_not_found`; `too_many_requests` after too many wrong codes. */
  async find(code: string, from: From): Promise<Invitation> {
    const { store, attempts, now } = this.#options;
    await checkOrRefuse(attempts, from.key);
    const found = await store.findInvitation({ codeHash: hashOf(code), now: now() });
    if (!found) {
      await takeOrRefuse(attempts, from.key);
      throw new AppError('invite_not_found');
    }
    const { room, inviter } = found;
    return {
      room: room && toInvitedRoom(room),
      inviter: inviter?.username ?? '',
      inviter_display_name: inviter?.displayName ?? '',
    };
  }

  /** Whether the code is for the server alone, so that no room is to be joined. Such a code may have been used up. */
  async isToServer(code: string): Promise<boolean> {
    return (await this.#options.store.inviteScope(hashOf(code))) === 'server';
  }

  /** Joins the room of the invitation, and returns its id. */
  async accept(code: string, userId: number, from: From): Promise<number> {
    const { attempts, changes } = this.#options;
    await takeOrRefuse(attempts, from.key);
    await takeOrRefuse(changes, String(userId));
    return await this.#enter(code, userId, false);
  }

  /** Joins the room for a new user, who has taken a use of the invitation by registering. No limit may be in the way. */
  async admit(code: string, userId: number): Promise<void> {
    await this.#enter(code, userId, true);
  }

  async #enter(code: string, userId: number, hasTakenUse: boolean): Promise<number> {
    const { store, bus, now } = this.#options;
    const change = await store.acceptInvite({ codeHash: hashOf(code), userId, hasTakenUse, now: now() });
    if (change.outcome === 'invite_not_found') throw new AppError(change.outcome);
    return announce(bus, change).id;
  }
}

/** What the database keeps of a code. */
export function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

function toInvite({ id, createdBy, expiresAt, maxUses, uses }: InviteRow): Invite {
  const { userId, username } = createdBy;
  return {
    id,
    max_uses: maxUses,
    uses,
    created_by: { user_id: userId, username },
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/** Without the id: its hue is computed here. */
function toInvitedRoom({ id, name, members, emoji, hue, topic, people }: InvitedRoom): Invitation['room'] {
  return {
    name,
    members,
    emoji,
    hue: hueOf({ id, hue }),
    topic,
    people: people.map(({ username, displayName }) => ({ username, display_name: displayName })),
  };
}
