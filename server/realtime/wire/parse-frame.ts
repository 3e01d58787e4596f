/** What a client says, judged by the schemas of its protocol version. */
import type { z } from 'zod';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { clientFrameV1 } from '../../../protocol/frames/v1.ts';
import { type ClientFrameV2, clientFrameV2 } from '../../../protocol/frames/v2.ts';
import { isCid } from '../../../protocol/text.ts';
import type { Version } from '../fanout/fanout.ts';

const SCHEMA = { 1: clientFrameV1, 2: clientFrameV2 } as const;

const FRAME_TYPES: ReadonlySet<string> = new Set(clientFrameV2.options.map(({ shape }) => shape.type.value));

type Refused = { refused: ErrorCode; cid?: string };

/** The frame, or why it is none, and the cid that the refusal answers. */
export function parseFrame(
  version: Version,
  text: string,
): z.infer<typeof clientFrameV1> | ClientFrameV2 | Refused {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { refused: 'invalid_json' };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { refused: 'invalid_json' };
  const parsed = SCHEMA[version].safeParse(raw);
  if (parsed.success) return parsed.data;
  const { type, cid } = raw as { type?: unknown; cid?: unknown };
  const answering = typeof cid === 'string' && isCid(cid) ? { cid } : {};
  if (typeof type !== 'string' || !FRAME_TYPES.has(type)) return { refused: 'unknown_type', ...answering };
  const isContent = type === 'message' && parsed.error.issues.some((issue) => issue.path[0] === 'content');
  return { refused: isContent ? 'invalid_content' : 'invalid_frame', ...answering };
}
