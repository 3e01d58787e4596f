/**
 * Announces joins and leaves to a room. In a small room every change is sent at once. In a large one the changes of a
 * short window are sent together, and a user who joins and leaves within it is not mentioned at all.
 */
import type { Person } from '../../../../protocol/events.ts';
import { SMALL_ROOM_USERS } from '../../../../protocol/limits.ts';
import type { RoomFrame } from '../fanout/turn.ts';
import type { PresenceChange, PresenceSummary } from '../wire/wire.ts';
import { presenceWindowMs } from './large-room.ts';

type Kind = PresenceChange['kind'];

export class PresenceNotices {
  readonly #roomId: number;
  readonly #broadcast: (frame: RoomFrame) => void;
  readonly #onStale: (userIds: readonly number[]) => void;
  readonly #window = new Map<number, { kind: Kind; person: Person }>();
  /** Users whose sockets were sent the room's state while changes were waiting. */
  readonly #shown = new Set<number>();
  /** Those of them whose state includes a change that has been cancelled since. */
  readonly #misled = new Set<number>();
  #online = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onStale` gets users whose sockets need the room's state again: they were excepted from changes, or misled. */
  constructor(
    roomId: number,
    broadcast: (frame: RoomFrame) => void,
    onStale: (userIds: readonly number[]) => void,
  ) {
    this.#roomId = roomId;
    this.#broadcast = broadcast;
    this.#onStale = onStale;
  }

  /** A user's first socket came or their last one went; `online` counts the users after that. */
  changed(kind: Kind, person: Person, online: number): void {
    if (online <= SMALL_ROOM_USERS) {
      this.flush();
      this.#send(this.#change(kind, person, online));
      return;
    }
    this.#online = online;
    const waiting = this.#window.get(person.user_id);
    if (waiting && waiting.kind !== kind) this.#cancel(person.user_id);
    else this.#window.set(person.user_id, { kind, person });
    this.#timer ??= setTimeout(() => this.flush(), presenceWindowMs(online)).unref();
  }

  /** A socket of this user is sent the present state, which includes the changes that are still waiting. */
  shown(userId: number): void {
    if (this.#window.size > 0) this.#shown.add(userId);
  }

  /** Sends the changes that are waiting. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const misled = [...this.#misled];
    this.#misled.clear();
    this.#shown.clear();
    if (this.#window.size > 0) this.#sendWindow();
    if (misled.length > 0) this.#onStale(misled);
  }

  /** A socket that was sent the state in between has the first change, and would not receive the second. */
  #cancel(userId: number): void {
    this.#window.delete(userId);
    for (const id of this.#shown) this.#misled.add(id);
  }

  #sendWindow(): void {
    const changes = [...this.#window.values()];
    this.#window.clear();
    const joined = changes.filter(({ kind }) => kind === 'join').map(({ person }) => person);
    const left = changes.filter(({ kind }) => kind === 'leave').map(({ person }) => person);
    this.#sendSummary({ roomId: this.#roomId, online: this.#online, joined, left });
    if (changes.length > 1) this.#onStale(joined.map(({ user_id }) => user_id));
    let online = this.#online - joined.length + left.length;
    for (const { kind, person } of changes) {
      online += kind === 'join' ? 1 : -1;
      const { encode, ...rest } = this.#change(kind, person, online);
      this.#send({ encode: (wire) => (wire.summarizesPresence ? null : encode(wire)), ...rest });
    }
  }

  #sendSummary(summary: PresenceSummary): void {
    const exceptUserIds = summary.joined.map(({ user_id }) => user_id);
    this.#send({ encode: (wire) => wire.presenceSummary(summary), exceptUserIds });
  }

  #change(kind: Kind, person: Person, online: number): Omit<RoomFrame, 'ephemeral'> {
    const change: PresenceChange = { kind, roomId: this.#roomId, person, online };
    // A user who joins learns it from the first frame of their socket.
    const exceptUserIds = kind === 'join' ? [person.user_id] : [];
    return { encode: (wire) => wire.presenceChange(change), exceptUserIds };
  }

  #send(frame: Omit<RoomFrame, 'ephemeral'>): void {
    this.#broadcast({ ephemeral: true, ...frame });
  }
}
