/** The amount of JavaScript that is fetched before anything is shown. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ClientBench, Finding } from './measure.ts';
import { BIG_ROOM } from './world.ts';

const BUILT = new URL('../../../frontend/dist/', import.meta.url);
const TARGET_KB = 120;

export async function measureScript({ stage }: ClientBench): Promise<Finding[]> {
  const page = await readFile(fileURLToPath(new URL('index.html', BUILT)), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const initialKb = await gzipKb(named);
  const fetched = new Set<string>();
  const { person, close } = await stage.seat();
  person.page.on('request', (request) => {
    if (request.resourceType() === 'script') fetched.add(new URL(request.url()).pathname);
  });
  await person.page.reload();
  await person.signIn(stage.me.username, stage.me.password);
  await person.openRoom(BIG_ROOM);
  await person.messages.last().waitFor();
  await close();
  return [
    {
      what: 'initial JavaScript, gzip',
      figure: `${initialKb.toFixed(1)} kB`,
      target: `≤ ${TARGET_KB} kB`,
      isMet: initialKb <= TARGET_KB,
    },
    {
      what: 'everything fetched until a room is shown, gzip',
      figure: `${(await gzipKb([...fetched])).toFixed(1)} kB in ${fetched.size} files`,
      target: '',
      isMet: true,
    },
  ];
}

async function gzipKb(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    bytes += gzipSync(await readFile(fileURLToPath(new URL(`.${path}`, BUILT))), { level: 9 }).length;
  }
  return bytes / 1000;
}
