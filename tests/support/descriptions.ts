/** Writes the descriptions of the interface to a file, for `conformance.ts` (Vitest's globalSetup). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from './http.ts';
import { ServerProcess } from './server-process.ts';

let folder: string | undefined;

export async function setup(): Promise<void> {
  await using server = await ServerProcess.start();
  const { json: openapi } = await send(server, '/api/v1/openapi.json');
  const { json: asyncapi } = await send(server, '/api/v1/asyncapi.json');
  folder = await mkdtemp(join(tmpdir(), 'roomful-descriptions-'));
  const file = join(folder, 'descriptions.json');
  await writeFile(file, JSON.stringify({ openapi, asyncapi }));
  // The processes that run the tests inherit it.
  process.env.API_DESCRIPTIONS = file;
}

export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
