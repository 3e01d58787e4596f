/** What all lines of this process share: the users' logs, the rooms in brief, read marks, and who watches whom. */
import type { Bus, BusEvent } from '../../../data/bus/bus.ts';
import type { Store } from '../../../data/storage/store.ts';
import { People } from '../../../features/identity/people.ts';
import type { Now } from '../../../platform/clock.ts';
import type { ChannelParts } from '../room/channel.ts';
import type { DeliveredIn } from '../user-log/user-log.ts';
import { UserLogs } from '../user-log/user-logs.ts';
import { EntryEncoder } from './entry-encoder.ts';
import { Heads } from './heads/heads.ts';
import { ReadMarks } from './read-marks.ts';
import { Watching } from './watch/watching.ts';

export interface LinesParts extends ChannelParts {
  store: Store;
  bus: Bus;
  now: Now;
  /** Per socket; zero in either is no limit. */
  messageLimit: { perSecond: number; burst: number };
  /** The most bytes of a file; undefined or 0: none is taken. */
  fileBytes?: number;
  linkPreviews?: boolean;
  serverName: { current(): Promise<string> };
  /** Undefined: there are no emoji of the server. */
  serverEmoji?: { stamp(): Promise<string | undefined> };
}

export class Lines {
  readonly parts: LinesParts;
  readonly userLogs: UserLogs;
  readonly heads: Heads;
  readonly entryEncoder: EntryEncoder;
  readonly readMarks: ReadMarks;
  readonly watching: Watching;

  /** `deliveredIn`: of the rooms that are open here. */
  constructor(parts: LinesParts, deliveredIn: DeliveredIn) {
    this.parts = parts;
    this.heads = new Heads(parts);
    this.entryEncoder = new EntryEncoder((roomId) => parts.presence.online(roomId));
    const both: DeliveredIn = (roomId) => Math.min(deliveredIn(roomId), this.heads.deliveredIn(roomId));
    this.userLogs = new UserLogs({
      store: parts.store,
      deliveredIn: both,
      reading: (read) => this.heads.reading(read),
    });
    this.readMarks = new ReadMarks(parts, (roomId) => this.heads.deliveredIn(roomId));
    const isShared = parts.bus.crossingMs > 0;
    this.watching = new Watching({ people: new People(parts), presence: parts.presence, isShared });
  }

  hear(event: BusEvent): void {
    switch (event.type) {
      case 'message':
        return this.heads.hear(event.message);
      case 'head':
        return this.heads.hearHead(event.roomId, event.seq);
      case 'user_log':
        return this.userLogs.hear(event);
      case 'notify':
        return this.userLogs.notify(event.userId, event.notice);
      case 'profile':
        return this.watching.changed(event.userId);
    }
  }

  /** Called each second. */
  tick(now: number): void {
    this.heads.tick();
    this.entryEncoder.tick();
    this.readMarks.tick(now);
    this.watching.tick(now);
  }

  /** Writes what is still to be written. */
  async stop(): Promise<void> {
    await this.readMarks.flush();
  }
}
