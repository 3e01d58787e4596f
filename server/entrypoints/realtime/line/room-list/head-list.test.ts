import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RoomHead } from '../heads/room-head.ts';
import { HeadList } from './head-list.ts';

const headOf = (roomId: number) => ({ roomId }) as RoomHead;

it('holds the heads that were set and not deleted, in the order of their rooms', () => {
  const roomId = fc.nat({ max: 20 });
  const step = fc.record({ roomId, kind: fc.constantFrom('set', 'set', 'delete', 'trim') });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const list = new HeadList();
      const expected = new Map<number, RoomHead>();
      for (const { roomId: id, kind } of steps) {
        const head = headOf(id);
        if (kind === 'set') {
          list.set(head);
          expected.set(id, head);
        } else if (kind === 'delete') {
          list.delete(id);
          expected.delete(id);
        } else list.trim();
        expect(list.get(id)).toBe(expected.get(id));
        expect(list.has(id)).toBe(expected.has(id));
      }
      expect(list.size).toBe(expected.size);
      const inOrder = [...expected.values()].sort((one, other) => one.roomId - other.roomId);
      expect([...list]).toEqual(inOrder);
    }),
  );
});
