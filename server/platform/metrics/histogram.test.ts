import { describe, expect, it } from 'vitest';
import { Histogram } from './histogram.ts';

describe('Histogram', () => {
  it('counts in each bucket all figures up to its bound, the bound included', () => {
    const histogram = new Histogram([1, 10]);
    for (const value of [0, 1, 1.5, 10, 11]) histogram.observe(value);
    expect(histogram.values('x', { kind: 'a' })).toEqual([
      { metricName: 'x_bucket', labels: { kind: 'a', le: 1 }, value: 2 },
      { metricName: 'x_bucket', labels: { kind: 'a', le: 10 }, value: 4 },
      { metricName: 'x_bucket', labels: { kind: 'a', le: '+Inf' }, value: 5 },
      { metricName: 'x_sum', labels: { kind: 'a' }, value: 23.5 },
      { metricName: 'x_count', labels: { kind: 'a' }, value: 5 },
    ]);
  });
});
