/** A room that is open over a line, and changes of its message. */
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { type Change, type Wanted, withChanges } from '../changes/change.ts';
import { Changes } from '../changes/changes.ts';
import { memoryChanges } from '../changes/changes-store.ts';
import { isLive } from '../room/room-state.ts';
import { FakeMessages } from './fake-messages.ts';
import { ME, message, ROOM } from './messages.ts';
import { RoomStage, soon, until } from './room-stage.ts';

/** The message that is changed. */
export const MESSAGE_ID = message(1).id;

type Answer = Partial<Extract<ServerFrameV2, { type: 'error' }>> & { code: string };

export class ChangesStage {
  readonly stage: RoomStage;
  readonly requests = new FakeMessages();
  /** What the device keeps. */
  readonly items = new Map<string, Change>();
  readonly refused: string[] = [];
  readonly changes: Changes;
  readonly signedIn: ReturnType<RoomStage['signIn']>;
  shown: readonly Change[] = [];
  /** The database behind the server, where a test has put another. */
  epoch: string | null = null;

  private constructor(stage: RoomStage) {
    this.stage = stage;
    this.signedIn = stage.signIn();
    const { line, list } = this.signedIn;
    this.changes = new Changes({
      userId: ME.id,
      api: this.requests.api,
      line,
      store: memoryChanges(this.items),
      epoch: () => this.epoch ?? list.state.epoch,
      onChange: (all) => {
        this.shown = all;
      },
      onRefused: (change, code) => this.refused.push(`${change.wanted.kind}: ${code}`),
      clock: stage.clock,
      random: () => 0,
    });
  }

  /** `isOpen`: the line is open, and the room has one message. */
  static async start({ isOpen = true } = {}): Promise<ChangesStage> {
    const stage = await RoomStage.start();
    stage.server.post('first');
    const changes = new ChangesStage(stage);
    if (isOpen) await until(changes.room, isLive);
    return changes;
  }

  stop(): void {
    this.changes.close();
    this.stage.stop();
  }

  get server() {
    return this.stage.server;
  }

  get room() {
    return this.signedIn.user.enter(ROOM);
  }

  /** The frames that changed a message, without their refs. */
  get written() {
    return this.#frames.map(({ ref: _, ...frame }) => frame);
  }

  get refs(): string[] {
    return this.#frames.map(({ ref }) => ref);
  }

  make(wanted: Wanted): Change {
    return this.changes.make(ROOM, MESSAGE_ID, wanted);
  }

  /** The message as it is shown. */
  look() {
    return withChanges(this.room.state.messages[0] ?? message(1), this.shown, ME.id);
  }

  async wrote(count: number): Promise<void> {
    await soon(() => this.#frames.length === count);
  }

  /** The last change is durable. Resolves once the device has let go of it. */
  async confirm(changed_seq: number): Promise<void> {
    this.server.tell({ type: 'changed', ...this.#place, changed_seq });
    await soon(() => this.items.size === 0);
  }

  /** The last change is refused. */
  refuse(answer: Answer): void {
    const { room_id, ref } = this.#place;
    this.server.tell({ type: 'error', room_id, ref, content: 'no', retryable: false, ...answer });
  }

  /** What the room's log brings of the message. */
  async event(changed_seq: number, change: Parameters<typeof message>[1] = {}): Promise<void> {
    this.server.tell(message(1, { ...change, changed_seq }));
    await until(this.room, ({ messages }) => messages[0]?.changed_seq === changed_seq);
  }

  /** The line is lost, and noticed to be. */
  async cut(): Promise<void> {
    this.server.admits = false;
    await this.stage.cut(this.room);
  }

  async comesBack(): Promise<void> {
    this.server.admits = true;
    await this.stage.comesBack(this.room);
  }

  get #frames() {
    return this.server.heard.flatMap((frame) =>
      frame.type === 'edit' || frame.type === 'delete' || frame.type === 'react' ? [frame] : [],
    );
  }

  get #place() {
    return { room_id: ROOM, id: MESSAGE_ID, ref: this.refs.at(-1) ?? '' };
  }
}
