import { describe, expect, it } from 'vitest';
import { UserBudgetBook } from './user-budgets.ts';

describe('UserBudgetBook', () => {
  it('gives all sockets of a user the same budgets', () => {
    const book = new UserBudgetBook();
    expect(book.of(1)).toBe(book.of(1));
    expect(book.of(1)).not.toBe(book.of(2));
  });

  it('never holds more users than its bound, even if none of their budgets is full', () => {
    const book = new UserBudgetBook(100);
    for (let userId = 1; userId <= 1000; userId++) {
      book.of(userId).typing.take(40);
      expect(book.size).toBeLessThanOrEqual(100);
    }
  });

  it('forgets users with full budgets first, then the one that opened no socket for longest', () => {
    const book = new UserBudgetBook(8);
    const spent = [1, 2, 3, 4].map((userId) => book.of(userId));
    for (const { typing } of spent) typing.take(40);
    for (let userId = 5; userId <= 8; userId++) book.of(userId);
    book.of(9).typing.take(40);
    expect([1, 2, 3, 4].map((userId) => book.of(userId))).toEqual(spent);
    for (let userId = 10; userId <= 13; userId++) book.of(userId).typing.take(40);
    // User 9 is the oldest now.
    expect(book.of(1)).toBe(spent[0]);
    expect(book.of(9).typing.isFull()).toBe(true);
  });
});
