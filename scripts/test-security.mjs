/** Runs every test file that docs/SECURITY.md names, the slow ones and those with a browser, too. */
import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { main, run } from './run.mjs';

const VITEST = inRoot('node_modules', 'vitest', 'vitest.mjs');

await main(async () => {
  const page = readFileSync(inRoot('docs', 'SECURITY.md'), 'utf8');
  const files = new Set([...page.matchAll(/^- `([\w./-]+\.test\.tsx?)`/gm)].map(([, file]) => file));
  // The tests of the web client run from their sources, all others compiled.
  const args = [...files].map((file) =>
    file.startsWith('frontend/') ? file : `dist/${file.replace(/ts$/, 'js')}`,
  );
  await run('the tests of docs/SECURITY.md', VITEST, ['run', ...args, ...process.argv.slice(2)]);
});
