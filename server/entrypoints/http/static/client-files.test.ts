import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findClientDir } from './client-files.ts';
import { ClientFolder, INDEX } from './testing/client-folder.ts';

let folder: ClientFolder;
beforeAll(() => {
  folder = new ClientFolder();
});
afterAll(() => folder.remove());

describe('the client folder', () => {
  it('an explicit folder without an entry page is refused, and the error names it', () => {
    expect(findClientDir(folder.client)).toBe(folder.client);
    expect(() => findClientDir(join(folder.dir, 'outside'))).toThrow(/CLIENT_DIR.*outside/);
    expect(() => findClientDir(join(folder.dir, 'nowhere'))).toThrow(/CLIENT_DIR/);
  });

  it('it is frontend/dist in the working directory, else web', () => {
    const before = process.cwd();
    try {
      process.chdir(folder.dir);
      folder.write('web/index.html', INDEX);
      expect(findClientDir()).toBe(join(process.cwd(), 'web'));
      folder.write('frontend/dist/index.html', INDEX);
      expect(findClientDir()).toBe(join(process.cwd(), 'frontend', 'dist'));
    } finally {
      process.chdir(before);
    }
  });
});
