import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FROM = /^(?:import|export)\s[^'"]*?from '([^']+)'|^import '([^']+)'/gm;

/** The packages that a compiled file imports, itself or through the files that it imports. */
function packagesOf(url: URL, seen = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (seen.has(url.href)) return packages;
  seen.add(url.href);
  for (const [, from, bare] of readFileSync(fileURLToPath(url), 'utf8').matchAll(FROM)) {
    const name = from ?? bare ?? '';
    if (name.startsWith('.')) packagesOf(new URL(name, url), seen, packages);
    else if (!name.startsWith('node:')) packages.add(name);
  }
  return packages;
}

describe('a thread of the database', () => {
  it.each(['reader.js', 'writer.js'])('loads no package that it does not need: %s', (file) => {
    // Each package takes memory once for each thread: the schemas alone took 3 MiB.
    expect([...packagesOf(new URL(file, import.meta.url))]).toEqual([]);
  });
});
