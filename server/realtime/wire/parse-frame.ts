/** From a client's text to a frame. */
import type { z } from 'zod';
import { isCid } from '../../../protocol/text.ts';
import type { ClientFrame, Refused } from './wire.ts';

const TYPES: ReadonlySet<string> = new Set<ClientFrame['type']>(['message', 'typing', 'ping']);

/** The frame, or the error and, where the text has one, the cid that the error frame repeats. */
export function parseFrame(schema: z.ZodType<ClientFrame>, text: string): ClientFrame | Refused {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { refused: 'invalid_json' };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { refused: 'invalid_json' };
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { type, cid } = raw as { type?: unknown; cid?: unknown };
  const ofMessage = typeof cid === 'string' && isCid(cid) ? { cid } : {};
  if (typeof type !== 'string' || !TYPES.has(type)) return { refused: 'unknown_type', ...ofMessage };
  const isContent = type === 'message' && parsed.error.issues.some((issue) => issue.path[0] === 'content');
  return { refused: isContent ? 'invalid_content' : 'invalid_frame', ...ofMessage };
}
