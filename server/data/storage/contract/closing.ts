import { describe, expect, it } from 'vitest';
import { type ContractPart, HOSTILE_TEXTS, NOW, newUserAndRoom, texts, wholeRoom } from './subject.ts';

export const describeClosing: ContractPart = (subject) => {
  describe('check', () => {
    it('resolves while the database takes writes', async () => {
      await expect(subject().store.check()).resolves.toBeUndefined();
    });
  });

  describe('saveRoster and takeRoster', () => {
    const roster = HOSTILE_TEXTS.map((username, index) => ({ roomId: index + 1, userId: index, username }));

    it('a roster is taken once, before or after a restart; a new one replaces the old one', async () => {
      expect(await subject().store.takeRoster()).toBeUndefined();
      await subject().store.saveRoster({ savedAt: NOW - 1, roster: [] });
      await subject().store.saveRoster({ savedAt: NOW, roster });
      await subject().reopen();
      const { store } = subject();
      const taken = await Promise.all([store.takeRoster(), store.takeRoster()]);
      expect(taken).toContainEqual({ savedAt: NOW, roster });
      expect(taken).toContain(undefined);
      expect(await store.takeRoster()).toBeUndefined();
    });
  });

  describe('close', () => {
    it('finishes what was accepted, then closes', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const message = { roomId: room.id, userId: user.id, cid: null, now: NOW };
      const writes = Promise.all(texts(3000).map((content) => store.append({ ...message, content })));
      const read = store.findRoom(room.id);
      await subject().reopen();
      expect((await writes).at(-1)).toMatchObject({ outcome: 'stored', seq: 3000 });
      expect(await read).toMatchObject({ id: room.id });
      expect((await wholeRoom(subject().store, room.id)).map(({ content }) => content)).toEqual(texts(3000));
    });

    it('later calls are refused, and may be repeated after a restart', async () => {
      const { store } = subject();
      const { user, room } = await newUserAndRoom(store);
      const reopened = subject().reopen();
      const message = { roomId: room.id, userId: user.id, cid: 'c', content: 'late', now: NOW };
      const refusal = { code: 'service_unavailable' };
      await expect(store.append(message)).rejects.toMatchObject(refusal);
      await expect(store.findRoom(room.id)).rejects.toMatchObject(refusal);
      await expect(store.check()).rejects.toMatchObject(refusal);
      await reopened;
      await expect(store.append(message)).rejects.toMatchObject(refusal);
      await expect(store.findRoom(room.id)).rejects.toMatchObject(refusal);
      expect(await subject().store.append(message)).toMatchObject({ outcome: 'stored', seq: 1 });
    });

    it('may be called again', async () => {
      const { store } = subject();
      const closes = [store.close(), store.close()];
      await subject().reopen();
      await Promise.all([...closes, store.close()]);
      await subject().store.check();
    });
  });
};
