/**
 * The heads of a line's rooms, by room. They are an array in the order of the room ids: for fifty rooms a Map takes
 * four times as much memory, and every socket has a list.
 */
import type { RoomHead } from '../heads/room-head.ts';

export class HeadList {
  #heads: RoomHead[] = [];

  get size(): number {
    return this.#heads.length;
  }

  get(roomId: number): RoomHead | undefined {
    const head = this.#heads[this.#placeOf(roomId)];
    return head?.roomId === roomId ? head : undefined;
  }

  has(roomId: number): boolean {
    return this.get(roomId) !== undefined;
  }

  /** Replaces the head of this room, if there is one. */
  set(head: RoomHead): void {
    const place = this.#placeOf(head.roomId);
    this.#heads.splice(place, this.#heads[place]?.roomId === head.roomId ? 1 : 0, head);
  }

  delete(roomId: number): void {
    if (this.has(roomId)) this.#heads.splice(this.#placeOf(roomId), 1);
  }

  /** Takes no more memory than the list needs: an array that has grown is up to a half larger. */
  trim(): void {
    this.#heads = this.#heads.slice();
  }

  [Symbol.iterator](): Iterator<RoomHead> {
    return this.#heads.values();
  }

  /** Where the head of this room is, or would be. */
  #placeOf(roomId: number): number {
    let from = 0;
    let to = this.#heads.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#heads[middle]?.roomId ?? 0) < roomId) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
