import { describe, expect, it } from 'vitest';
import { News } from './news.ts';

describe('News', () => {
  it('lags by the room that has waited longest, however often it has news', () => {
    let now = 0;
    const news = new News(() => now);
    expect(news.lagMs).toBe(0);
    news.set(1, 10);
    now = 30;
    news.set(2, 5).set(1, 11);
    now = 40;
    expect(news.lagMs).toBe(40);
    news.delete(1);
    expect(news.lagMs).toBe(10);
    news.clear();
    expect(news.lagMs).toBe(0);
  });

  it('forgets a room that was worked through, and keeps what came meanwhile as new', () => {
    let now = 0;
    const news = new News(() => now);
    news.set(1, 10);
    now = 30;
    news.set(1, 12).done(1, 10);
    expect([...news]).toEqual([[1, 12]]);
    expect(news.lagMs).toBe(0);
    news.done(1, 12);
    expect([...news]).toEqual([]);
  });
});
