/**
 * A socket of a member who is removed from a room and comes back, again and again. It checks every frame as it arrives:
 * after the notice of the removal comes `gone`, and after `gone` nothing of the room, until its user is a member again.
 */
import { CLOSE } from '../../protocol/constants.ts';
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { eventually } from '../support/eventually.ts';
import type { Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import type { OfType } from '../support/listener.ts';
import { issueTicket, issueUserTicket, type Login } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

export interface StayOptions {
  target: Target;
  login: Login;
  roomId: number;
  wrong: (text: string) => void;
}

export interface Stay {
  /** Whether the server has taken it out of the room. */
  readonly isOut: boolean;
  /** Frames of the room so far. */
  readonly received: number;
  /** Resolves when it is in the room. */
  begin(): Promise<void>;
  /** Its user was added again; resolves when it is in the room. */
  comeBack(): Promise<void>;
  end(): Promise<void>;
  /** Compares what it received with the room's whole log. */
  check(log: readonly Message[]): void;
}

/** Whether the log has a removal of the user in the middle of what one visit received. */
function isOverstayed(log: readonly Message[], userId: number, { first, last }: Visit): boolean {
  return log.some(({ seq, notice }) => seq >= first && seq < last && isRemovalOf(userId, notice));
}

function isRemovalOf(userId: number, notice: Message['notice']): boolean {
  return notice?.kind === 'removed' && notice.member.user_id === userId;
}

/** The numbers that a socket received between entering a room and being taken out. */
interface Visit {
  first: number;
  last: number;
}

/** A line, with the room open or not. */
export class LineStay implements Stay {
  received = 0;
  readonly #options: StayOptions;
  readonly #isOpener: boolean;
  #client: LineClient | null = null;
  /** Told: the notice of the removal has arrived, and `gone` must be next. */
  #state: 'out' | 'in' | 'told' = 'out';
  /** The number of the next message; null while the room is not open. */
  #next: number | null = null;
  /** The head of a room that is not open. */
  #head = 0;
  readonly #visits: Visit[] = [];

  constructor(options: StayOptions, isOpener: boolean) {
    this.#options = options;
    this.#isOpener = isOpener;
  }

  get isOut(): boolean {
    return this.#state === 'out';
  }

  async begin(): Promise<void> {
    const { target, login } = this.#options;
    const early: ServerFrameV2[] = [];
    this.#client = await LineClient.openWith(target, await issueUserTicket(target, login), {
      keep: false,
      // The first frame may arrive with the handshake, before the client is there.
      onFrame: (frame) => (this.#client ? this.#hear(frame) : early.push(frame)),
    });
    for (const frame of early) this.#hear(frame);
    this.#client.send({ type: 'start' });
    await this.comeBack();
  }

  async comeBack(): Promise<void> {
    const isBack = () => this.#state === 'in' && (!this.#isOpener || this.#next !== null);
    await eventually('back in the room', () => isBack() || undefined);
  }

  async end(): Promise<void> {
    await this.#client?.close();
  }

  check(log: readonly Message[]): void {
    const { wrong, login } = this.#options;
    for (const visit of this.#visits)
      if (isOverstayed(log, login.userId, visit)) wrong(`${this.#name} received ${JSON.stringify(visit)}`);
  }

  get #name(): string {
    const { login, roomId } = this.#options;
    return `${login.username}, room ${roomId} ${this.#isOpener ? 'open' : 'not open'}`;
  }

  #hear(frame: ServerFrameV2): void {
    const { roomId } = this.#options;
    if (frame.type === 'rooms') {
      for (const entry of frame.rooms) if (entry.room.id === roomId) this.#enter(entry.seq);
      return;
    }
    if (frame.type === 'room') {
      if (frame.room.id === roomId && this.#state === 'out') this.#enter(frame.seq);
      return;
    }
    if (!('room_id' in frame) || frame.room_id !== roomId) return;
    this.received++;
    if (this.#state === 'out') return this.#complain(frame, 'it is out of the room');
    if (this.#state === 'told' && frame.type !== 'gone')
      return this.#complain(frame, 'it was told of its removal');
    switch (frame.type) {
      case 'opened':
        this.#next = frame.seq + 1;
        this.#visits.push({ first: this.#next, last: frame.seq });
        return;
      case 'message':
        return this.#message(frame);
      case 'head':
        if (frame.from > this.#head) this.#complain(frame, `${this.#head} is the last that it knows`);
        this.#head = frame.seq;
        return;
      case 'gone':
        return this.#leave(frame);
    }
  }

  /** The room is on the list, with this head. */
  #enter(head: number): void {
    const { roomId } = this.#options;
    this.#head = Math.max(this.#head, head);
    // A list may come again. The response to a second `open` could come between the notice of a removal and `gone`.
    if (this.#state !== 'out') return;
    this.#state = 'in';
    if (!this.#isOpener) return;
    this.#client?.send({ type: 'open', room_id: roomId });
    this.#client?.send({ type: 'here', room_id: roomId });
  }

  #message(message: Message): void {
    if (message.seq !== this.#next) this.#complain(message, `${this.#next} comes next`);
    this.#next = message.seq + 1;
    const visit = this.#visits.at(-1);
    if (visit) visit.last = message.seq;
    if (isRemovalOf(this.#options.login.userId, message.notice)) this.#state = 'told';
  }

  #leave(gone: OfType<ServerFrameV2, 'gone'>): void {
    if (gone.reason !== 'removed') this.#complain(gone, 'it was removed');
    // A room that is being opened may be gone before it is open.
    if (this.#next !== null && this.#state !== 'told') this.#complain(gone, 'the notice comes first');
    this.#state = 'out';
    this.#next = null;
  }

  #complain(frame: ServerFrameV2, why: string): void {
    this.#options.wrong(`${this.#name} received ${JSON.stringify(frame).slice(0, 300)}, but ${why}`);
  }
}

/** A socket of chatroom.v1, which is closed at the removal. */
export class RoomSocketStay implements Stay {
  received = 0;
  readonly #options: StayOptions;
  #client: ChatClient | null = null;
  readonly #visits: Visit[] = [];
  #isEnding = false;

  constructor(options: StayOptions) {
    this.#options = options;
  }

  get isOut(): boolean {
    return this.#client?.isOpen !== true;
  }

  begin(): Promise<void> {
    return this.comeBack();
  }

  async comeBack(): Promise<void> {
    const { target, login, roomId, wrong } = this.#options;
    const visit = { first: 0, last: 0 };
    const client = await ChatClient.open(target, roomId, await issueTicket(target, login, roomId), {
      keep: false,
      onFrame: (frame) => {
        this.received++;
        if (frame.type !== 'message') return;
        visit.first ||= frame.seq;
        visit.last = frame.seq;
      },
    });
    this.#client = client;
    this.#visits.push(visit);
    void client.closed.then(({ code }) => {
      if (!this.#isEnding && code !== CLOSE.roomGone)
        wrong(`${login.username}: the v1 socket in room ${roomId} closed with ${code}`);
    });
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#client?.close();
  }

  check(log: readonly Message[]): void {
    const { wrong, login, roomId } = this.#options;
    for (const visit of this.#visits)
      if (isOverstayed(log, login.userId, visit))
        wrong(`${login.username}: a v1 socket in room ${roomId} received ${JSON.stringify(visit)}`);
  }
}
