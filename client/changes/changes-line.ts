/** One change of a message over the line: a frame with a `ref`, and the answer that repeats it. */
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { ApiError } from '../api/api-error.ts';
import { LONGEST_PAUSE_MS } from '../api/http.ts';
import type { Cancel, Clock } from '../clock.ts';
import type { Frame } from '../connection/frames.ts';
import { newCid } from '../outbox/cid.ts';
import type { Change } from './change.ts';

/** A line that is silent for longer may be dead, and a request is asked: the same change twice is harmless. */
const ANSWER_WITHIN_MS = 5000;

/** A frame that changes a message. */
export type ChangeFrame = Extract<ClientFrameV2, { type: 'edit' | 'delete' | 'react' }>;

/** What the line of a user reports to `Changes`. */
export interface ChangesLineEvents {
  /** True: the line has opened. False: it is not open, or not any more, and no answer comes. */
  open: boolean;
  /** The response to a change, which names its `ref`. */
  answer: Frame<'changed'> | Frame<'error'>;
}

/** What `Changes` needs of the line: `ChatClient.line`. */
export interface ChangesLine {
  /** Who is signed in, and in whose name frames and requests go; null: nobody. */
  readonly userId: number | null;
  /** Sends at once, or returns false when the line is not open. */
  send(frame: ChangeFrame): boolean;
  /** Calls `listener` on each event of that name, until cancelled. */
  on<Name extends keyof ChangesLineEvents>(
    name: Name,
    listener: (event: ChangesLineEvents[Name]) => void,
  ): Cancel;
}

interface SendOptions {
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** No answer came in time. */
  readonly onSilent: () => void;
}

/**
 * Resolves with the number in the room's log from which on the message has the change; with null when the line cannot
 * say, and a request has to. Rejects with an `ApiError`, as the request does.
 */
export function sendOverLine(
  line: ChangesLine,
  change: Change,
  { clock, signal, onSilent }: SendOptions,
): Promise<number | null> {
  const ref = newCid(clock.now());
  const frame = frameOf(change, ref);
  if (frame === null || !line.send(frame)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const end = () => {
      for (const cancel of cancels) cancel();
      signal.removeEventListener('abort', unknown);
    };
    const unknown = () => {
      end();
      resolve(null);
    };
    const cancels = [
      line.on('answer', (answer) => {
        if (answer.ref !== ref) return;
        end();
        if (answer.type === 'changed') resolve(answer.changed_seq);
        else if (isToldByRequest(answer)) resolve(null);
        else reject(refusalOf(answer));
      }),
      line.on('open', unknown),
      clock.after(ANSWER_WITHIN_MS, () => {
        onSilent();
        unknown();
      }),
    ];
    signal.addEventListener('abort', unknown);
  });
}

function frameOf({ roomId: room_id, messageId: id, wanted }: Change, ref: string): ChangeFrame | null {
  switch (wanted.kind) {
    case 'edit':
      return { type: 'edit', room_id, id, content: wanted.content, base_revision: wanted.base, ref };
    case 'delete':
      return { type: 'delete', room_id, id, ref };
    case 'reaction':
      return { type: 'react', room_id, id, emoji: wanted.emoji, on: wanted.on, ref };
    case 'pin':
    case 'saved':
      return null;
  }
}

/** A request has its own words for what is wrong with a frame, and it renews a session that has ended. */
function isToldByRequest({ code }: Frame<'error'>): boolean {
  return /^(invalid|unknown)_/.test(code);
}

function refusalOf({ code, content, retryable, retry_after_ms }: Frame<'error'>): ApiError {
  const retryAfterMs = retry_after_ms && Math.min(retry_after_ms, LONGEST_PAUSE_MS);
  // 503 is tried again, 409 leads to a choice between two texts, and any other status is final.
  const status = retryable ? 503 : code === 'message_changed' ? 409 : 403;
  return new ApiError(status, content, { retryAfterMs });
}
