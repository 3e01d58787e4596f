/** Changes of messages: which commands of the store they are, and how one is carried out, announced or not. */
import type { Bus } from '../../server/data/bus/bus.ts';
import type { MessageChange, MessageRow, Store } from '../../server/data/storage/store.ts';
import { Changes } from '../../server/features/messages/changes.ts';

/** What is done to a message, by the number of the action: the same plan does the same. */
const WAYS = ['edit', 'edit', 'delete', 'react', 'pin', 'take back', 'unpin'] as const;

export type Way = (typeof WAYS)[number];

/** `by`: its author, or for reactions anybody. */
export interface Revision {
  message: MessageRow;
  by: number;
  way: Way;
  content: string;
}

const COMMANDS: ReadonlySet<string> = new Set(['editMessage', 'deleteMessage', 'react', 'pin']);

export function isRevision(name: string): boolean {
  return COMMANDS.has(name);
}

/** The message as the command left it; undefined when it changed nothing. */
export function revisedBy(result: unknown): MessageRow | undefined {
  const change = result as MessageChange | undefined;
  return change?.outcome === 'changed' ? change.message : undefined;
}

export function wayOf(nth: number, index: number): Way {
  return WAYS[(Math.floor(nth * 1009) + index) % WAYS.length] ?? 'edit';
}

/** Makes the change as the user's request does. Rejects when it is refused. `isUnheard`: the bus loses it. */
export async function revise(
  { store, bus }: { store: Store; bus: Bus },
  { message, by, way, content }: Revision,
  { isUnheard }: { isUnheard: boolean },
): Promise<void> {
  const changes = new Changes({ store, bus: isUnheard ? { ...bus, publish: () => {} } : bus });
  const of = { roomId: message.roomId, messageId: message.id, userId: by };
  switch (way) {
    case 'edit':
      await changes.edit({ ...of, content, baseRevision: message.facts?.revision ?? 0 });
      return;
    case 'delete':
      await changes.delete(of);
      return;
    case 'react':
    case 'take back':
      await changes.react(of, '👍', way === 'react');
      return;
    case 'pin':
    case 'unpin':
      await changes.pin(of, way === 'pin');
  }
}
