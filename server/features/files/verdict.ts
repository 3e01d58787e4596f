/** What the check of a file has found, as its row has it. */
import { KINDS } from '../../../protocol/media/kinds.ts';
import type { Store } from '../../data/storage/store.ts';
import type { CheckReply } from './check-messages.ts';

export type Verdict = Parameters<Store['settleFile']>[0]['result'];
type Ready = Extract<CheckReply, { state: 'ready' }>;

/** `type`: what its sender says of it. */
export function readyVerdict(reply: Ready, type: string): Extract<Verdict, { state: 'ready' }> {
  const { size, sha256, kind, width, height, frames, durationMs: duration_ms } = reply;
  const info = JSON.stringify({ kind, width, height, frames, duration_ms });
  return { state: 'ready', size, sha256, type: reply.type ?? unknown(type), info };
}

/** The types of pictures, films and sounds are those of files whose bytes are that. */
function unknown(type: string): string {
  const isKnown = Object.values(KINDS).some((kind) => kind.type === type);
  return isKnown ? KINDS.other.type : type;
}
