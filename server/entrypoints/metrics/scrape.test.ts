import { describe, expect, it } from 'vitest';
import { joinTexts } from './scrape.ts';

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
