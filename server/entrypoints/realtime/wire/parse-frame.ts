/** From a client's text to a frame. */
import type { z } from 'zod';
import { id } from '../../../../protocol/fields.ts';
import { isCid } from '../../../../protocol/text.ts';
import type { Refused } from './wire.ts';

/** A union of frames by `type`. */
type FrameSchema<Frame> = z.ZodType<Frame> & {
  readonly options: readonly { readonly shape: { readonly type: { readonly value: string } } }[];
};

/**
 * The frame, or the error and, where the text has them, the room and the `cid` or `ref` that the error frame repeats.
 */
export function parseFrame<Frame>(schema: FrameSchema<Frame>, text: string): Frame | Refused {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { refused: 'invalid_json' };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { refused: 'invalid_json' };
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { type, cid, ref, room_id: roomId } = raw as Readonly<Record<string, unknown>>;
  const room = id.safeParse(roomId);
  const about = {
    ...(typeof cid === 'string' && isCid(cid) ? { cid } : {}),
    ...(typeof ref === 'string' && isCid(ref) ? { ref } : {}),
    ...(room.success ? { roomId: room.data } : {}),
  };
  if (!schema.options.some((option) => option.shape.type.value === type))
    return { refused: 'unknown_type', ...about };
  const isText = type === 'message' || type === 'edit';
  const isContent = isText && parsed.error.issues.some((issue) => issue.path[0] === 'content');
  return { refused: isContent ? 'invalid_content' : 'invalid_frame', ...about };
}
