/** How many sockets each address and each user may hold, counted from before the ticket is spent. */
import type { Socket } from 'node:net';
import { AppError } from '../../../../protocol/errors.ts';
import { type MakeSlots, Slots, type SlotTable } from '../../../platform/limits/slots.ts';

/** The `Retry-After` of a refusal: nobody knows when one of the other sockets will close. */
const RETRY_AFTER_MS = 5000;

export class SocketSlots {
  readonly #byAddress: SlotTable;
  readonly #byUser: SlotTable;

  /** `make`: where they are counted; by default in this process. */
  constructor(limits: { perAddress: number; perUser: number }, make: MakeSlots = (_, max) => new Slots(max)) {
    this.#byAddress = make('sockets of an address', limits.perAddress);
    this.#byUser = make('sockets of a user', limits.perUser);
  }

  /** Runs `enter` with a slot of the address, which is kept if it succeeds. Throws `too_many_requests`. */
  withAddressSlot<T>(addressKey: string, isExempt: boolean, enter: () => Promise<T>): Promise<T> {
    return withSlot(this.#byAddress, addressKey, isExempt, enter);
  }

  /** Runs `enter` with a slot of the user, which is kept if it succeeds. Throws `too_many_requests`. */
  withUserSlot<T>(userId: number, enter: () => Promise<T>): Promise<T> {
    return withSlot(this.#byUser, String(userId), false, enter);
  }

  /**
   * Gives both slots back when the socket closes. It takes no more than it needs, because the listener keeps
   * everything in its scope alive until then.
   */
  giveBackOnClose(socket: Socket, addressKey: string, userId: number): void {
    const giveBack = () => {
      this.#byAddress.giveBack(addressKey);
      this.#byUser.giveBack(String(userId));
    };
    if (socket.closed) giveBack();
    else socket.on('close', giveBack);
  }
}

async function withSlot<T>(
  slots: SlotTable,
  key: string,
  isExempt: boolean,
  enter: () => Promise<T>,
): Promise<T> {
  if (!(await slots.tryTake(key, isExempt))) {
    throw new AppError('too_many_requests', { retryAfterMs: RETRY_AFTER_MS });
  }
  try {
    return await enter();
  } catch (error) {
    slots.giveBack(key);
    throw error;
  }
}
