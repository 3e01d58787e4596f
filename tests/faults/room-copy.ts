/** What a client holds of a room that it follows through reconnections: each message in its latest state. */
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { eventually } from '../support/eventually.ts';
import { RoomLine } from '../support/room-line.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Login } from '../support/users.ts';

type ReactionFrame = Extract<ServerFrameV2, { type: 'reaction' }>;

export class RoomCopy {
  readonly #server: ServerProcess;
  readonly #login: Login;
  readonly #roomId: number;
  readonly #held = new Map<number, Message>();
  readonly #faults: string[] = [];
  #line: RoomLine | undefined;
  /** Everything up to this number was received. */
  #place = 0;
  /** Frames of the present line that were applied. */
  #applied = 0;
  /** Changes that were received. */
  heard = 0;

  constructor(server: ServerProcess, login: Login, roomId: number) {
    this.#server = server;
    this.#login = login;
    this.#roomId = roomId;
  }

  /** Takes what the last connection has brought, and connects anew, from where it ended. */
  async follow(): Promise<void> {
    this.#take();
    const epoch = this.#line?.hello.epoch;
    await this.#line?.drop();
    const cursor = { since: this.#place, ...(epoch === undefined ? {} : { epoch }) };
    this.#line = await RoomLine.enter(this.#server, this.#login, this.#roomId, { cursor });
    this.#applied = 0;
    if (this.#line.of('reset').length > 0) this.#faults.push('a reset within one epoch');
  }

  /** How it differs from what a fresh client has loaded. */
  async compare(history: readonly Message[]): Promise<string[]> {
    const head = Math.max(...history.map(placeOf));
    await eventually('all changes have come', () => {
      this.#take();
      return this.#place >= head;
    });
    const wrong = history.filter(
      (message) => JSON.stringify(sorted(message)) !== JSON.stringify(sorted(this.#held.get(message.id))),
    );
    return [
      ...this.#faults,
      ...wrong.map(
        (message) =>
          `the listener has ${JSON.stringify(this.#held.get(message.id))}, not ${JSON.stringify(message)}`,
      ),
    ];
  }

  async close(): Promise<void> {
    await this.#line?.close();
  }

  #take(): void {
    const frames = this.#line?.frames.slice(this.#applied) ?? [];
    this.#applied += frames.length;
    for (const frame of frames) {
      if (frame.type === 'message') this.#hear(frame, true);
      else if (frame.type === 'reaction') this.#react(frame);
      else if (frame.type === 'batch') for (const message of frame.events) this.#hear(message, false);
      else if (frame.type === 'sync') this.#place = Math.max(this.#place, frame.seq);
    }
  }

  #hear(message: Message, isLive: boolean): void {
    this.#advance(placeOf(message), isLive);
    this.#held.set(message.id, message);
  }

  #react({ id, changed_seq, emoji, user_id, on, count }: ReactionFrame): void {
    this.#advance(changed_seq, true);
    const message = this.#held.get(id);
    if (!message) return void this.#faults.push(`a reaction to ${id}, which is not held`);
    const others = (message.reactions ?? []).filter((reactions) => reactions.emoji !== emoji);
    const before = message.reactions?.find((reactions) => reactions.emoji === emoji)?.user_ids ?? [];
    const user_ids = on ? [...before, user_id] : before.filter((userId) => userId !== user_id);
    if (user_ids.length !== count)
      this.#faults.push(`${emoji} of ${id} counts ${count}, not ${user_ids.length}`);
    const reactions = count === 0 ? others : [...others, { emoji, count, user_ids }];
    const { reactions: _, ...rest } = message;
    this.#held.set(id, { ...rest, changed_seq, ...(reactions.length > 0 && { reactions }) });
  }

  #advance(place: number, isLive: boolean): void {
    this.heard++;
    if (isLive ? place !== this.#place + 1 : place <= this.#place)
      this.#faults.push(`${place} came after ${this.#place}`);
    this.#place = Math.max(this.#place, place);
  }
}

function placeOf({ seq, changed_seq }: Message): number {
  return changed_seq ?? seq;
}

/** The order of fields and of emoji does not matter. */
function sorted(message: Message | undefined): unknown {
  if (!message) return undefined;
  const reactions = message.reactions?.toSorted((one, other) => (one.emoji < other.emoji ? -1 : 1));
  return Object.entries({ ...message, reactions }).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
