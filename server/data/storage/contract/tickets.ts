import { describe, expect, it } from 'vitest';
import { type ContractPart, HOSTILE_TEXTS, NOW, unique } from './subject.ts';

export const describeTickets: ContractPart = (subject) => {
  describe('spendTicket: one-time means once', () => {
    it('of 50 racers, one', async () => {
      const { store } = subject();
      for (let round = 0; round < 20; round++) {
        const jti = unique('jti');
        const racers = Array.from({ length: 50 }, () => store.spendTicket({ jti, expiresAt: NOW }));
        expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
      }
    });

    it('is remembered after a restart', async () => {
      const jti = unique('jti');
      expect(await subject().store.isTicketSpent(jti)).toBe(false);
      expect(await subject().store.spendTicket({ jti, expiresAt: NOW })).toBe(true);
      expect(await subject().store.isTicketSpent(jti)).toBe(true);
      await subject().reopen();
      expect(await subject().store.spendTicket({ jti, expiresAt: NOW + 1 })).toBe(false);
      expect(await subject().store.isTicketSpent(jti)).toBe(true);
    });

    it.each(HOSTILE_TEXTS)('every jti is another: %j', async (text) => {
      const { store } = subject();
      const jti = unique(text);
      for (const ticket of [jti, `${jti} `, jti.toUpperCase()])
        expect(await store.spendTicket({ jti: ticket, expiresAt: NOW })).toBe(true);
      expect(await store.isTicketSpent(`${jti}%`)).toBe(false);
    });
  });
};
