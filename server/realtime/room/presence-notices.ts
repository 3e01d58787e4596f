/**
 * Telling a room who came and went. In a small room every change is told at once. In a large one the changes of a
 * short window are told together, and who comes and goes within it is not mentioned at all.
 */
import type { Person } from '../../../protocol/events.ts';
import type { ServerFrameV1 } from '../../../protocol/frames/v1.ts';
import type { ServerFrameV2 } from '../../../protocol/frames/v2.ts';
import { PRESENCE_WINDOW_MS, SMALL_ROOM_USERS } from '../../../protocol/limits.ts';
import type { RoomFrame } from '../fanout/fanout.ts';

type Kind = 'join' | 'leave';

export class PresenceNotices {
  readonly #roomId: number;
  readonly #broadcast: (frame: RoomFrame) => void;
  readonly #onHeldBack: (userIds: readonly number[]) => void;
  readonly #window = new Map<number, { kind: Kind; person: Person }>();
  /** Who was shown the room while something waited, and who of them was shown what has cancelled since. */
  readonly #shown = new Set<number>();
  readonly #misled = new Set<number>();
  #online = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onHeldBack` is told whose sockets must be shown the room anew: they were spared news, or shown what nobody was told. */
  constructor(
    roomId: number,
    broadcast: (frame: RoomFrame) => void,
    onHeldBack: (userIds: readonly number[]) => void,
  ) {
    this.#roomId = roomId;
    this.#broadcast = broadcast;
    this.#onHeldBack = onHeldBack;
  }

  /** A user's first socket came or their last one went; `online` counts from after it. */
  changed(kind: Kind, person: Person, online: number): void {
    if (online <= SMALL_ROOM_USERS) {
      this.flush();
      this.#tellAtOnce(kind, person, online);
      return;
    }
    this.#online = online;
    const waiting = this.#window.get(person.user_id);
    if (waiting && waiting.kind !== kind) this.#cancel(person.user_id);
    else this.#window.set(person.user_id, { kind, person });
    this.#timer ??= setTimeout(() => this.flush(), PRESENCE_WINDOW_MS).unref();
  }

  /** A socket of this user's is shown who is here now, whatever of it waits to be told. */
  shown(userId: number): void {
    if (this.#window.size > 0) this.#shown.add(userId);
  }

  /** Tells what the window holds. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const misled = [...this.#misled];
    this.#misled.clear();
    this.#shown.clear();
    if (this.#window.size > 0) this.#tellWindow();
    if (misled.length > 0) this.#onHeldBack(misled);
  }

  /** Whoever was shown the room in between knows of one half, and will not hear of the other. */
  #cancel(userId: number): void {
    this.#window.delete(userId);
    for (const id of this.#shown) this.#misled.add(id);
  }

  #tellWindow(): void {
    const changes = [...this.#window.values()];
    this.#window.clear();
    const joined = changes.filter(({ kind }) => kind === 'join').map(({ person }) => person);
    const left = changes.filter(({ kind }) => kind === 'leave').map(({ person }) => person);
    this.#tellV2({ type: 'presence', online: this.#online, joined, left });
    if (changes.length > 1) this.#onHeldBack(joined.map(({ user_id }) => user_id));
    let online = this.#online - joined.length + left.length;
    for (const { kind, person } of changes) {
      online += kind === 'join' ? 1 : -1;
      this.#tellV1(kind, person, online);
    }
  }

  /** A join or leave as v1 sockets get it. */
  frame(kind: Kind, person: Person, online: number): string {
    return JSON.stringify({ type: kind, room_id: this.#roomId, ...person, online } satisfies ServerFrameV1);
  }

  #tellAtOnce(kind: Kind, person: Person, online: number): void {
    const json = this.frame(kind, person, online);
    this.#broadcast({ encode: () => json, ephemeral: true, ...sparing(kind, person) });
  }

  #tellV1(kind: Kind, person: Person, online: number): void {
    this.#broadcast({
      encode: (version) => (version === 1 ? this.frame(kind, person, online) : null),
      ephemeral: true,
      ...sparing(kind, person),
    });
  }

  #tellV2(frame: Extract<ServerFrameV2, { type: 'presence' }>): void {
    this.#broadcast({
      encode: (version) => (version === 2 ? JSON.stringify(frame) : null),
      ephemeral: true,
      exceptUserIds: frame.joined.map(({ user_id }) => user_id),
    });
  }
}

/** Whoever enters is told so by their own frame, a join or a hello, and needs no other. */
function sparing(kind: Kind, person: Person): { exceptUserIds?: readonly number[] } {
  return kind === 'join' ? { exceptUserIds: [person.user_id] } : {};
}
