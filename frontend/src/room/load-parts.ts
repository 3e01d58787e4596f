/** Loads the parts of a room that its first paint does without: `lazyPart(async () => (await roomParts()).NotSent)`. */
export function roomParts(): Promise<typeof import('./parts.ts')> {
  return import('./parts.ts');
}
