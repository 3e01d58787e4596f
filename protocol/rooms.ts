/** A room, as REST describes it. */
import { z } from 'zod';
import { count, id } from './fields.ts';

/** `online`: users in the room now. `seq`: the number of the room's last event. */
export const roomSchema = z.object({ id, name: z.string(), online: count, seq: count });

export type Room = z.infer<typeof roomSchema>;
