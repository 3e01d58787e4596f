/**
 * Read marks that the server has not confirmed. Pure functions. The server only ever raises a membership's
 * `(read_set, read_seq)`, so any later membership tells whether a mark was written, or was ignored.
 */
import type { ReadMark } from '../../protocol/frames/v2.ts';
import type { Membership } from '../../protocol/rooms.ts';

/** A mark that is kept until the server confirms it. */
export interface HeldMark extends ReadMark {
  /** It replaced one with `unread`. The server may write that one, and then ignores this one. */
  readonly isSecond?: true;
}

/** The one mark that stands for both: what is held, and what the user does on top of it. */
export function onTopOf(held: HeldMark | undefined, mark: ReadMark): HeldMark {
  if (held === undefined) return mark;
  const known = Math.max(held.known, mark.known);
  // What is held may have been lost, so this one is set on purpose, too.
  return held.unread ? { ...mark, known, unread: true, isSecond: true } : { ...mark, known };
}

/**
 * What is left of a mark when the membership is this: null when the mark was written, or another device has set one. A
 * membership from before the one that the mark was made on, as an earlier visit may have saved it, settles nothing.
 */
export function leftOf(mark: HeldMark, me: Membership): HeldMark | null {
  if (me.read_set < mark.known) return mark;
  if (me.read_set === mark.known) return mark.unread || me.read_seq < mark.seq ? mark : null;
  if (mark.isSecond === undefined || me.read_seq === mark.seq) return null;
  const { isSecond: _, ...again } = mark;
  return { ...again, known: me.read_set };
}

/** How far the user has read in a room: a mark that is not confirmed counts. */
export function readSeqOf(me: Membership, mark: HeldMark | undefined): number {
  if (mark === undefined) return me.read_seq;
  return mark.unread || me.read_set < mark.known ? mark.seq : Math.max(mark.seq, me.read_seq);
}

/** Whether the membership already is as the mark wants it. */
export function isIdle(mark: ReadMark, me: Membership): boolean {
  if (me.read_set > mark.known) return true;
  return mark.unread ? me.read_seq <= mark.seq : me.read_seq >= mark.seq;
}

/** A membership as it was read, with the mark of the one that is known, if that is later. */
export function withLaterMark(me: Membership, known: Membership | undefined): Membership {
  if (known === undefined || known.read_set < me.read_set) return me;
  if (known.read_set === me.read_set && known.read_seq <= me.read_seq) return me;
  return { ...me, read_seq: known.read_seq, read_set: known.read_set };
}
