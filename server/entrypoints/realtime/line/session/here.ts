/**
 * The room in sight: the user is in it. A user who looks at another room stays for a little longer, so that flipping
 * through rooms announces nobody as leaving.
 */
import { HERE_LINGER_MS } from '../../../../../protocol/limits.ts';
import type { Seat, SeatRoom } from '../../room/seat.ts';
import { wireInSight, wireOpen } from '../../wire/v2.ts';
import type { Channels } from './open-rooms.ts';

interface User {
  userId: number;
  username: string;
}

export class Here {
  readonly #user: User;
  readonly #channels: Channels;
  #seat: Seat | null = null;
  #isUnseen = false;
  /** Rooms that the user counts as being in, with the time since when they are out of sight. */
  readonly #present = new Map<SeatRoom, number | null>();

  constructor(user: User, channels: Channels) {
    this.#user = user;
    this.#channels = channels;
  }

  get roomId(): number | null {
    return this.#seat?.channel.roomId ?? null;
  }

  /**
   * The user looks at this room; null: at none. `now`: monotonic milliseconds. `isUnseen`: the others do not see the
   * user there.
   */
  look(seat: Seat | null, now: number, isUnseen = false): void {
    if (this.#seat && this.#seat !== seat) this.#lookAway(this.#seat, now);
    this.#seat = seat;
    this.#isUnseen = isUnseen;
    if (!seat) return;
    const { channel } = seat;
    seat.wire = wireInSight;
    if (isUnseen) this.#leaveNow(channel.roomId);
    else if (!this.#present.has(channel)) {
      // The channel is held until the user has left it, which may be after the room is closed.
      void this.#channels.hold(channel.roomId);
      channel.arrive(this.#user);
    }
    if (!isUnseen) this.#present.set(channel, null);
    channel.showPresence(seat);
  }

  /** The seat of the room in sight, where the others do not see the user. */
  get unseen(): Seat | null {
    return this.#isUnseen ? this.#seat : null;
  }

  /** Leaves rooms that have been out of sight for long enough. */
  tick(now: number): void {
    for (const [channel, since] of this.#present) {
      if (since !== null && now - since >= HERE_LINGER_MS) this.#leave(channel);
    }
  }

  /** The user may not be in this room any more. */
  leaveAtOnce(roomId: number): void {
    if (this.roomId === roomId) this.#seat = null;
    this.#leaveNow(roomId);
  }

  /** The socket has closed. `isStop`: for a restart, over which nobody leaves. */
  end(isStop: boolean): void {
    this.#seat = null;
    for (const channel of [...this.#present.keys()]) {
      if (!isStop) this.#leave(channel);
    }
  }

  #lookAway(seat: Seat, now: number): void {
    seat.wire = wireOpen;
    seat.missedEphemeral = false;
    if (this.#present.has(seat.channel)) this.#present.set(seat.channel, now);
  }

  #leaveNow(roomId: number): void {
    for (const channel of [...this.#present.keys()]) if (channel.roomId === roomId) this.#leave(channel);
  }

  #leave(channel: SeatRoom): void {
    this.#present.delete(channel);
    channel.depart(this.#user);
    this.#channels.release(channel.roomId);
  }
}
