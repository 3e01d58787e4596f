import { describe, expect, it } from 'vitest';
import { joinTexts } from '../../entrypoints/metrics/scrape.ts';
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

describe('joinTexts', () => {
  it('has each metric once, with the lines of all workers, and says how many responded', () => {
    const text = (worker: number, name: string) =>
      `# HELP ${name} Help.\n# TYPE ${name} gauge\n${name}{worker="${worker}"} 1`;
    const joined = joinTexts([`${text(1, 'a')}\n\n${text(1, 'b')}\n`, `${text(2, 'a')}\n`], 1);
    expect(joined).toBe(
      [
        '# HELP a Help.\n# TYPE a gauge\na{worker="1"} 1\na{worker="2"} 1\n',
        '# HELP b Help.\n# TYPE b gauge\nb{worker="1"} 1\n',
        '# HELP roomful_workers Workers whose figures are in this scrape, and those that did not respond in time.',
        '# TYPE roomful_workers gauge\nroomful_workers{state="answered"} 2\nroomful_workers{state="silent"} 1\n',
      ].join('\n'),
    );
  });
});
