/** Gives people of the demo pictures, and its server an icon and emoji, which they react with: through the SDK. */
import { WebSocket } from 'ws';
import { adminApi, ChatClient, emojiApi, messagesApi, peopleApi } from '../client/index.ts';
import { drawIcon, EMOJI, portraits } from './looks.ts';
import { ME } from './people.ts';
import { PASSWORD } from './seed.ts';

/** A reaction that needs an emoji of the server, which a server that does not run cannot have. */
export interface LateReaction {
  readonly roomId: number;
  readonly messageId: number;
  readonly emoji: string;
  readonly people: readonly string[];
}

const blob = (bytes: Buffer<ArrayBuffer>) => new Blob([bytes], { type: 'image/png' });

/** `people`: those of the world. */
export async function decorate(
  url: string,
  people: readonly string[],
  reactions: readonly LateReaction[],
): Promise<void> {
  for (const [name, draw] of portraits()) {
    if (!people.includes(name)) continue;
    const client = new ChatClient({ url, WebSocket });
    await client.signIn(name, PASSWORD);
    await peopleApi(client.api.requests).setAvatar(blob(draw()));
    // The first account is an admin.
    if (name === ME) await decorateServer(client);
    const { setReaction } = messagesApi(client.api.requests);
    for (const { roomId, messageId, emoji, people: who } of reactions)
      if (who.includes(name)) await setReaction(roomId, messageId, emoji, true);
    client.close();
  }
}

async function decorateServer({ api }: ChatClient): Promise<void> {
  await adminApi(api.requests).setServerIcon(blob(drawIcon()));
  for (const [name, draw] of EMOJI) await emojiApi(api.requests).add(name, blob(draw()));
}
