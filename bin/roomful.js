#!/usr/bin/env node
// The command `roomful`. What it runs is compiled: `npm run build` makes it in a checkout, and the package contains it.
import { existsSync } from 'node:fs';

const main = new URL('../dist/server/process/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('Roomful is not built yet. Run `npm run build` first.\n');
  process.exitCode = 1;
}
