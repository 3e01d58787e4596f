/** Notices: changes of a room or of its members, at their place among the messages. Each has the state after it. */
import { z } from 'zod';
import { id } from './fields.ts';
import { roomFacts, roomRole } from './rooms.ts';

const person = z.object({ user_id: id, username: z.string() });

/** `by`: the person who made the change. */
export const noticeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'renamed',
      'topic',
      'description',
      'emoji',
      'hue',
      'made_private',
      'archived',
      'restored',
      'deleted',
      'settings',
    ]),
    by: person,
    room: roomFacts,
  }),
  z.object({
    kind: z.enum(['joined', 'left', 'added', 'removed', 'role']),
    by: person,
    /** `role`: null when the person is no longer a member. */
    member: person.extend({ role: roomRole.nullable() }),
  }),
]);

export type Notice = z.infer<typeof noticeSchema>;
