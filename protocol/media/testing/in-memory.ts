/** Strips and measures files that are in memory, and counts what is read of them. */
import { joined, type Read, readOf } from '../bytes.ts';
import type { FileKind } from '../kinds.ts';
import { stripPlan, strippedBytes } from '../strip.ts';

/** The whole new file; null when there is no plan. */
export async function stripped(kind: FileKind, bytes: Uint8Array): Promise<Uint8Array | null> {
  const read = readOf(bytes);
  const plan = await stripPlan(kind, read, bytes.length);
  if (plan === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of strippedBytes(plan, read)) parts.push(part);
  return joined(...parts);
}

interface Counted {
  readonly read: Read;
  /** Bytes of all reads, and of the largest. */
  total: number;
  largest: number;
}

/** Passes reads on, and counts their bytes. */
export function counted(read: Read): Counted {
  const counts: Counted = {
    total: 0,
    largest: 0,
    read: async (offset, length) => {
      const bytes = await read(offset, length);
      counts.total += bytes.length;
      counts.largest = Math.max(counts.largest, bytes.length);
      return bytes;
    },
  };
  return counts;
}
