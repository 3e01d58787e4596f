/** The messages of an imported room: each is checked on its own and against those before it, and gets ids of here. */
import { PINS_MAX, REVISIONS_MAX } from '../../../protocol/limits.ts';
import type { Row } from '../storage/copy/source.ts';
import { NOTICE, TEXT } from '../storage/queries/message-rows.ts';
import { storedExtra } from '../storage/queries/message-work.ts';
import type { RoomFiles } from './room-files.ts';
import { type Ids, mapExtra, mapNotice, readExtra, readNotice } from './room-ids.ts';
import type { FileRow, MessageRow, ReactionRow, RevisionRow, RoomRow } from './room-rows.ts';
import { Wrong } from './wrong.ts';

/** What later lines ask of a message. */
interface Known {
  userId: number;
  kind: 'notice' | 'text' | 'reply' | 'deleted text' | 'deleted reply';
  revision: number;
}

/** What must come out at the end. */
interface Expected {
  line: number;
  replies: number;
  /** By emoji. */
  reactions: Map<string, number>;
}

interface Parts {
  /** The room of the file, and its id here. */
  room: RoomRow;
  roomId: number;
  /** The id of the first message here; the others follow. */
  firstId: number;
  /** The id here of a person of the file. Throws `Wrong`. */
  person(field: string, id: number): number;
  files: Pick<RoomFiles, 'shown' | 'previews'>;
}

export class Messages {
  readonly #parts: Parts;
  /** In the order of their ids. Arrays of numbers: a room may have millions of messages. */
  readonly #ids: number[] = [];
  readonly #userIds: number[] = [];
  readonly #revisions: number[] = [];
  readonly #kinds: Known['kind'][] = [];
  readonly #expected = new Map<number, Expected>();
  #seq = 0;
  #texts = 0;
  #pins = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The message as it is stored here. Throws `Wrong`. */
  message(row: MessageRow, line: number): Row {
    const { roomId, firstId, person, files } = this.#parts;
    this.#checkPlace(row);
    const ids: Ids = {
      user: (id) => person('extra', id),
      message: (id) => this.#before('extra', id).newId,
      files: (shown) => files.shown(row.id, shown),
      previews: (previews) => files.previews(row, previews),
    };
    const isText = row.kind === TEXT;
    const extra = isText ? this.#text(row, line, ids) : this.#notice(row, ids);
    const userId = person('user_id', row.user_id);
    const threadId = row.thread_id === null ? null : this.#root(row.thread_id, row.deleted_at === null);
    const replyTo = row.reply_to === null ? null : this.#before('reply_to', row.reply_to).newId;
    this.#ids.push(row.id);
    this.#userIds.push(row.user_id);
    this.#revisions.push(row.revision);
    this.#kinds.push(kindOf(row));
    return {
      ...row,
      id: firstId + this.#ids.length - 1,
      room_id: roomId,
      user_id: userId,
      extra,
      thread_id: threadId,
      reply_to: replyTo,
      deleted_by: row.deleted_by === null ? null : person('deleted_by', row.deleted_by),
    };
  }

  /** An earlier text as it is stored here. Throws `Wrong`. */
  revision(row: RevisionRow): Row {
    const { known, newId } = this.#live(row);
    if (row.revision >= known.revision || row.revision < known.revision - REVISIONS_MAX)
      throw new Wrong('"revision" is none of those that its message has');
    return { ...row, room_id: this.#parts.roomId, message_id: newId };
  }

  /** A reaction as it is stored here. Throws `Wrong`. */
  reaction(row: ReactionRow): Row {
    const { index, newId } = this.#live(row);
    const left = this.#expected.get(index)?.reactions;
    const count = left?.get(row.emoji) ?? 0;
    if (count === 0) throw new Wrong('"extra" of its message does not count it');
    left?.set(row.emoji, count - 1);
    const userId = this.#parts.person('user_id', row.user_id);
    return { ...row, room_id: this.#parts.roomId, message_id: newId, user_id: userId };
  }

  /** The id here of the text that has a file. Throws `Wrong`. */
  messageOf(row: FileRow): number {
    return this.#live(row).newId;
  }

  /** What is wrong with the whole, and the line of `messages.jsonl` or, without one, the room's. */
  *problems(): Generator<{ line?: number; problem: string }> {
    const { room } = this.#parts;
    if (this.#texts !== room.number)
      yield { problem: `"number" is ${room.number}, and messages.jsonl has ${this.#texts} such texts` };
    for (const { line, replies, reactions } of this.#expected.values()) {
      if (replies !== 0) yield { line, problem: '"extra" does not have the number of the replies' };
      if ([...reactions.values()].some((left) => left !== 0))
        yield { line, problem: '"extra" counts reactions that reactions.jsonl does not have' };
    }
  }

  #checkPlace({ id, room_id: roomId, seq, changed_seq: changedSeq, number, ...row }: MessageRow): void {
    const { room } = this.#parts;
    if (roomId !== room.id) throw new Wrong('"room_id" is not that of the room');
    if (id <= (this.#ids.at(-1) ?? 0)) throw new Wrong('"id" is not above that of the line before');
    if (seq <= this.#seq) throw new Wrong('"seq" is not above that of the line before');
    if (changedSeq < seq || changedSeq > room.seq)
      throw new Wrong('"changed_seq" is not between "seq" and the number of the room');
    this.#seq = seq;
    if (row.kind === TEXT && row.thread_id === null) {
      if (number !== ++this.#texts) throw new Wrong('"number" does not follow on from the text before');
    } else if (number > this.#texts) throw new Wrong('"number" is above that of the text before');
  }

  #notice(row: MessageRow, ids: Ids): string {
    const { edited_at, deleted_at, pinned_at, deleted_by, cid, reply_to, thread_id, thread_last_seq } = row;
    const none = [edited_at, deleted_at, pinned_at, deleted_by, cid, reply_to, thread_id, thread_last_seq];
    if (
      row.kind !== NOTICE ||
      row.content !== '' ||
      row.revision !== 0 ||
      none.some((value) => value !== null)
    )
      throw new Wrong('it is a notice, and has what only texts have');
    return JSON.stringify(mapNotice(readNotice(row.extra), ids));
  }

  #text(row: MessageRow, line: number, ids: Ids): string | null {
    const extra = row.extra === null ? {} : readExtra(row.extra);
    const { thread, reactions = [], reply_to: quoted, ...others } = extra;
    const isDeleted = row.deleted_at !== null;
    const more = [row.edited_at, row.pinned_at, row.reply_to, quoted, ...Object.values(others)];
    if (isDeleted && (row.content !== '' || reactions.length > 0 || more.some((value) => value != null)))
      throw new Wrong('it is deleted, and has what only a text has that is there');
    if (!isDeleted && row.content === '' && !extra.files?.length)
      throw new Wrong('"content" must not be empty');
    if (!isDeleted && row.revision > 0 !== (row.edited_at !== null))
      throw new Wrong('"revision" and "edited_at" do not fit together');
    if (!isDeleted && row.deleted_by !== null) throw new Wrong('"deleted_by" is set, and it is not deleted');
    if (row.pinned_at !== null && ++this.#pins > PINS_MAX)
      throw new Wrong(`"pinned_at" is set, and ${PINS_MAX} messages before it are pinned`);
    if ((quoted?.id ?? null) !== row.reply_to)
      throw new Wrong('"extra" quotes another message than "reply_to"');
    if (quoted && this.#before('reply_to', quoted.id).known.userId !== quoted.user_id)
      throw new Wrong('"extra" names another author of the message that it quotes');
    this.#checkThread(row, thread);
    if (thread || reactions.length > 0)
      this.#expected.set(this.#ids.length, {
        line,
        replies: thread?.replies ?? 0,
        reactions: new Map(reactions.map(({ emoji, count }) => [emoji, count])),
      });
    return storedExtra(mapExtra(extra, ids));
  }

  #checkThread(row: MessageRow, thread: ReturnType<typeof readExtra>['thread']): void {
    if (thread && row.thread_id !== null) throw new Wrong('it is a reply in a thread, and has a thread');
    if (Math.max(thread?.last_seq ?? 0, row.thread_last_seq ?? 0) > this.#parts.room.seq)
      throw new Wrong('its thread has a number above that of the room');
    if ((row.thread_last_seq !== null) !== (thread !== undefined && thread.replies > 0))
      throw new Wrong('"thread_last_seq" does not fit "extra"');
  }

  /** The root of a reply, which it is counted for unless it is deleted. */
  #root(id: number, isCounted: boolean): number {
    const { known, index, newId } = this.#before('thread_id', id);
    const expected = this.#expected.get(index);
    if (known.kind.endsWith('reply') || !expected)
      throw new Wrong(`"thread_id" is ${id}, and that message has no thread`);
    if (isCounted) expected.replies--;
    return newId;
  }

  /** A text of an earlier line. */
  #before(field: string, id: number): { known: Known; index: number; newId: number } {
    const found = this.#find(id);
    if (!found || found.known.kind === 'notice')
      throw new Wrong(`"${field}" names the message ${id}, and no text before it has this id`);
    return found;
  }

  /** The text that a line of another file belongs to. */
  #live(row: { room_id: number; message_id: number }): { known: Known; index: number; newId: number } {
    if (row.room_id !== this.#parts.room.id) throw new Wrong('"room_id" is not that of the room');
    const found = this.#find(row.message_id);
    if (found?.known.kind !== 'text' && found?.known.kind !== 'reply')
      throw new Wrong(`"message_id" is ${row.message_id}, and messages.jsonl has no such text`);
    return found;
  }

  #find(id: number): { known: Known; index: number; newId: number } | undefined {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    if (this.#ids[low] !== id) return undefined;
    const [userId = 0, revision = 0] = [this.#userIds[low], this.#revisions[low]];
    const known = { userId, revision, kind: this.#kinds[low] ?? 'notice' };
    return { known, index: low, newId: this.#parts.firstId + low };
  }
}

function kindOf(row: MessageRow): Known['kind'] {
  if (row.kind === NOTICE) return 'notice';
  const kind = row.thread_id === null ? 'text' : 'reply';
  return row.deleted_at === null ? kind : `deleted ${kind}`;
}
