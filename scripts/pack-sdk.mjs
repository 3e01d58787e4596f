/**
 * Makes the contents of the package roomful-client: its compiled code and the part of `protocol/` that it imports,
 * types without zod, its manual and its licence. npm runs it before it packs the workspace; with a folder as its
 * argument it writes the whole package there.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inRoot, TSC } from './paths.mjs';
import { main, run } from './run.mjs';
import { plainDeclarations, reachable } from './sdk-types.mjs';

const workspace = inRoot('client');
const target = resolve(process.argv[2] ?? workspace);

function write(file, text) {
  const path = join(target, 'dist', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
}

await main(async () => {
  await run('tsc', TSC, ['-b', 'protocol', 'client']);
  rmSync(join(target, 'dist'), { recursive: true, force: true });
  for (const file of reachable('client/index.js')) write(file, readFileSync(inRoot('dist', file), 'utf8'));
  for (const file of reachable('client/index.d.ts')) {
    // What only the schemas need is not reachable from the plain types, and does no harm.
    write(file, await plainDeclarations(file));
  }
  copyFileSync(inRoot('docs', 'SDK.md'), join(target, 'README.md'));
  copyFileSync(inRoot('docs', 'PROTOCOL.md'), join(target, 'PROTOCOL.md'));
  copyFileSync(inRoot('LICENSE'), join(target, 'LICENSE'));
  if (target !== workspace) copyFileSync(join(workspace, 'package.json'), join(target, 'package.json'));
});
