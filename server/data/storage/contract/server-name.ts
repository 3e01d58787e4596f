import { describe, expect, it } from 'vitest';
import { type ContractPart, NOW, newUser } from './subject.ts';

export const describeServerName: ContractPart = (subject) => {
  describe('the name of the server', () => {
    it('is undefined until an admin gives one, is kept over a restart, and null takes it back', async () => {
      const admin = await newUser(subject().store);
      await subject().store.setRole({ actorId: null, userId: admin.id, role: 'admin', now: NOW });
      const set = (name: string | null) =>
        subject().store.setServerName({ actorId: admin.id, name, now: NOW });
      expect(await subject().store.serverName()).toBeUndefined();
      expect(await set(null)).toEqual({ outcome: 'unchanged' });
      for (const name of [`Robert'); DROP TABLE meta;--`, 'Café 🦊']) {
        expect(await set(name)).toEqual({ outcome: 'changed' });
        expect(await set(name)).toEqual({ outcome: 'unchanged' });
        await subject().reopen();
        expect(await subject().store.serverName()).toBe(name);
      }
      expect(await set(null)).toEqual({ outcome: 'changed' });
      expect(await subject().store.serverName()).toBeUndefined();
    });

    it('a change has its row in the audit log, with the name before and after it', async () => {
      const { store } = subject();
      const byOperator = { actorId: null, now: NOW };
      await store.setServerName({ ...byOperator, name: 'Acme' });
      await store.setServerName({ ...byOperator, name: 'Acme' });
      await store.setServerName({ ...byOperator, name: null });
      const rows = (await store.audit({ viewerId: null, scope: { of: 'all' }, limit: 2, now: NOW })) ?? [];
      expect(rows.map(({ action, actor, details }) => [action, actor, JSON.parse(details)])).toEqual([
        ['server_named', null, { from: 'Acme', to: null }],
        ['server_named', null, { from: null, to: 'Acme' }],
      ]);
    });

    it('nobody but an admin changes it', async () => {
      const { store } = subject();
      const member = await newUser(store);
      for (const actorId of [member.id, 999_999])
        expect(await store.setServerName({ actorId, name: 'Mine', now: NOW })).toEqual({
          outcome: 'not_found',
        });
      expect(await store.serverName()).toBeUndefined();
    });
  });
};
