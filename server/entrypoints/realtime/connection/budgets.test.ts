import { describe, expect, it } from 'vitest';
import { BudgetBook } from './budgets.ts';

const KIB = 1024;

describe('SocketBudgets', () => {
  it('a message that the user’s text budget refuses takes no message from the socket', () => {
    const book = new BudgetBook({ perSecond: 1, burst: 10 });
    const [socket, other] = [book.open(1), book.open(1)];
    // Frames are charged for an eighth of their size: these use up the 512 KiB of the user.
    for (let count = 0; count < 8; count++) other.takeMessage('x', 8 * 64 * KIB);
    for (let count = 0; count < 20; count++)
      expect(socket.takeMessage('x', 8 * 64 * KIB).allowed).toBe(false);
    // If each refusal had taken a message, the wait would be for the messages: 11 s and more instead of 1 s.
    const decision = socket.takeMessage('x', 8 * 64 * KIB);
    expect(decision.allowed ? 0 : decision.retryAfterMs).toBeLessThanOrEqual(1000);
  });

  it('a refused message waits for the slower of its budgets', () => {
    const socket = new BudgetBook({ perSecond: 1, burst: 1 }).open(1);
    socket.takeMessage('x', 1);
    const decision = socket.takeMessage('x', 1);
    expect(decision).toMatchObject({ allowed: false });
    expect(decision.allowed ? 0 : decision.retryAfterMs).toBeGreaterThan(900);
  });

  it('what a user missed is sent over all their sockets at 4 MiB a second, after 8 MiB', () => {
    const book = new BudgetBook({ perSecond: 1, burst: 10 });
    const sockets = [book.open(1), book.open(1), book.open(1)];
    let sent = 0;
    while (sockets.every((socket) => socket.missedWaitMs === 0)) {
      sockets[sent % sockets.length]?.countMissed(64 * KIB);
      sent++;
    }
    expect(sent).toBeGreaterThanOrEqual(128);
    expect(sent).toBeLessThan(256);
    sockets[0]?.countMissed(4096 * KIB);
    for (const socket of sockets) expect(socket.missedWaitMs).toBeGreaterThan(900);
    expect(book.open(1).missedWaitMs).toBeGreaterThan(900);
    expect(book.open(2).missedWaitMs).toBe(0);
  });

  it('without a message limit nothing limits text, or what was missed', () => {
    const socket = new BudgetBook(undefined).open(1);
    socket.countMissed(1024 * 1024 * KIB);
    expect(socket.missedWaitMs).toBe(0);
    for (let count = 0; count < 1000; count++) expect(socket.takeMessage('x', 64 * KIB).allowed).toBe(true);
  });
});
