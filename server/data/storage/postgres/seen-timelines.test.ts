import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeenTimelines } from './seen-timelines.ts';

describe('the timelines that were seen', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'roomful-timelines-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('the highest of each cluster is there after a restart, and for other processes of the folder', async () => {
    const [one, other] = [new SeenTimelines(dir), new SeenTimelines(dir)];
    expect(one.highestOf('71')).toBe(0);
    expect([one.note('71', 2), one.note('71', 11), one.note('71', 3), one.note('72', 1)]).toEqual([
      ...[true, true, false, true],
    ]);
    // It is read from the disk when it is asked to, and never by the way: the event loop does not wait for a disk.
    expect(other.highestOf('71')).toBe(0);
    await other.refresh();
    for (const seen of [other, new SeenTimelines(dir)])
      expect([seen.highestOf('71'), seen.highestOf('72')]).toEqual([11, 1]);
    expect(readdirSync(join(dir, 'timelines')).sort()).toEqual(['71-11', '72-1']);
  });

  it('without a folder, or with one that takes no files, they are remembered until the end', () => {
    const file = join(dir, 'a file');
    writeFileSync(file, '');
    let failures = 0;
    for (const seen of [new SeenTimelines(), new SeenTimelines(file, () => failures++)]) {
      expect(seen.note('71', 2)).toBe(true);
      expect(seen.highestOf('71')).toBe(2);
    }
    expect(failures).toBe(1);
  });

  it('other files of the folder mean nothing', () => {
    const seen = new SeenTimelines(dir);
    writeFileSync(join(dir, 'timelines', 'notes.txt'), '');
    expect(seen.highestOf('71')).toBe(11);
  });
});
