/** npm runs this before `npm start` and `npm run roomful`. A checkout is built where it must be; a package is built. */
import { existsSync } from 'node:fs';

const build = new URL('../scripts/build-if-needed.mjs', import.meta.url);
if (existsSync(build)) await import(build.href);
