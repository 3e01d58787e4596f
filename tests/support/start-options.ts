import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ scripts: z.object({ start: z.string() }) });

/** The options for Node with which `npm start` of this checkout starts its server. */
export function startOptions(root: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifestSchema
    .parse(manifest)
    .scripts.start.split(' ')
    .filter((word) => word.startsWith('--'));
}
