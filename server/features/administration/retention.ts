/**
 * Commands that delete what is older than the operator wants to keep. Each does a piece, so that others write in
 * between.
 */
import { z } from 'zod';
import { id } from '../../../protocol/fields.ts';
import { command } from './operator-command.ts';

/** A piece stops other writes of its room for about 20 ms. */
export const TEXTS_AT_ONCE = 200;
export const COUNTED_AT_ONCE = 5000;
export const AUDIT_AT_ONCE = 2000;
export const FILES_AT_ONCE = 50;

const time = z.int().nonnegative();

export const RETENTION_COMMANDS = {
  /** `count`: of this piece. `reached`: where the next one begins; null: there is none. */
  pruneTexts: command(
    z.object({
      room_id: id,
      after_seq: z.int().nonnegative(),
      before: time,
      dry: z.boolean(),
      /** What this run has deleted in the pieces before; `rooms` with this one. */
      run: z.object({ audit_id: id.nullable(), messages: time, rooms: time }),
    }),
    async ({ store, bus }, { room_id: roomId, after_seq: afterSeq, before, dry, run }) => {
      const limit = dry ? COUNTED_AT_ONCE : TEXTS_AT_ONCE;
      const now = Date.now();
      const query = { roomId, afterSeq, before, limit, now };
      const { messageIds, cidIds, reached = null } = await store.oldTexts(query);
      let { audit_id: auditId } = run;
      if (!dry && messageIds.length + cidIds.length > 0) {
        const piece = { messageIds: [...messageIds, ...cidIds], run: { ...run, auditId, before } };
        const done = await store.pruneTexts({ roomId, ...piece, now });
        for (const message of done.changed) bus.publish({ type: 'message', roomId, message });
        ({ auditId } = done);
      }
      return { count: messageIds.length, reached, audit_id: auditId };
    },
  ),
  /** A piece of one room. */
  pruneFiles: command(
    z.object({
      room_id: id,
      before: time,
      run: z.object({ audit_id: id.nullable(), files: time }),
    }),
    async ({ store, bus }, { room_id: roomId, before, run: { audit_id: auditId, files } }) => {
      const piece = { roomId, before, limit: FILES_AT_ONCE, run: { auditId, files }, now: Date.now() };
      const done = await store.pruneFiles(piece);
      for (const message of done.changed) bus.publish({ type: 'message', roomId, message });
      return { count: done.files, more: done.files === FILES_AT_ONCE, audit_id: done.auditId };
    },
  ),
  pruneAudit: command(
    z.object({ before: time, first: z.boolean() }),
    async ({ store }, { before, first }) => {
      const piece = { before, limit: AUDIT_AT_ONCE, isFirst: first, now: Date.now() };
      const count = await store.pruneAudit(piece);
      return { count, more: count === AUDIT_AT_ONCE };
    },
  ),
} as const;
