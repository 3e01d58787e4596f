/** Counts between two counts of the server, against a naive count of what the client has received. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEAD_LIST_MAX, UNREAD_MAX } from '../../protocol/limits.ts';
import { ME } from '../testing/messages.ts';
import { entry, inRooms, membership, roomsFrame, took } from '../testing/rooms-actions.ts';
import { type RoomsAction, reduceRooms } from './rooms-reducer.ts';

const STEPS = [
  'post',
  'post',
  'post own',
  'delete',
  'many',
  'tell',
  'tell',
  'read',
  'other reads',
  'ask',
] as const;
type Step = (typeof STEPS)[number];

class Model {
  state = inRooms([entry(1, 0, 0)]);
  /** Authors by seq. */
  readonly #texts = new Map<number, number>();
  #told: ReadonlyMap<number, number> = new Map();
  #head = 0;
  #toldHead = 0;
  #read = 0;
  #userSeq = 5;
  #news: [number, number][] = [];
  #gone: [number, number][] = [];

  take(step: Step, share: number): void {
    const place = Math.floor(share * (this.#toldHead + 1));
    if (step === 'post' || step === 'post own') return this.#post(step === 'post' ? 8 : ME.id);
    if (step === 'many') for (let n = 0; n <= HEAD_LIST_MAX; n++) this.#post(8);
    if (step === 'delete') this.#delete([...this.#texts.keys()][Math.floor(share * this.#texts.size)]);
    if (step === 'tell') this.#tell();
    if (step === 'read') {
      this.#do({ type: 'marked', marks: [{ room_id: 1, seq: place, known: 0 }] });
      this.#marked(place);
    }
    if (step === 'other reads') this.#marked(place);
    if (step === 'ask') this.#answer();
  }

  #post(userId: number): void {
    this.#head += 1;
    this.#texts.set(this.#head, userId);
    this.#news.push([this.#head, userId]);
  }

  #delete(seq: number | undefined): void {
    const userId = seq === undefined ? undefined : this.#texts.get(seq);
    if (seq === undefined || userId === undefined) return;
    this.#texts.delete(seq);
    this.#head += 1;
    this.#gone.push([seq, userId]);
  }

  #tell(): void {
    const fits = this.#news.length <= HEAD_LIST_MAX && this.#gone.length <= HEAD_LIST_MAX;
    const lists = fits ? { texts: this.#news.splice(0), gone: this.#gone.splice(0) } : {};
    [this.#news, this.#gone] = [[], []];
    const from = this.#toldHead;
    this.#toldHead = this.#head;
    this.#told = new Map(this.#texts);
    this.#do(took({ type: 'head', room_id: 1, from, seq: this.#head, number: this.#head, ...lists }));
  }

  #marked(seq: number): void {
    this.#read = Math.max(this.#read, seq);
    this.#userSeq += 1;
    const me = membership({ read_seq: this.#read });
    this.#do(took({ type: 'me', room_id: 1, me, user_seq: this.#userSeq }));
  }

  /** The server counts what it has; what it sends next comes after that. */
  #answer(): void {
    this.#tell();
    const unread = this.#naive();
    this.#do(roomsFrame([entry(1, this.#head, this.#read, { unread: Math.min(unread, UNREAD_MAX) })], false));
  }

  #naive(): number {
    return [...this.#told].filter(([seq, userId]) => userId !== ME.id && seq > this.#read).length;
  }

  #do(action: RoomsAction): void {
    this.state = reduceRooms(this.state, action);
    const room = this.state.rooms.get(1);
    if (action.type === 'marked' || room?.count !== 'exact') return;
    expect(room.unread).toBe(Math.min(UNREAD_MAX, this.#naive()));
  }

  end(): void {
    this.#answer();
    expect(this.state.rooms.get(1)?.count).toBe('exact');
  }
}

test('a count that is called exact is: texts of others after the mark that are still there, up to 100', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom(...STEPS), fc.double({ min: 0, max: 0.999, noNaN: true })),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(steps, (taken) => {
      const model = new Model();
      for (const [step, share] of taken) model.take(step, share);
      model.end();
    }),
    { numRuns: 500 },
  );
});
