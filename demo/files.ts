/** Sends the files of the demo, as people do: through the SDK. They are drawn and written by the demo itself. */
import { WebSocket } from 'ws';
import { ChatClient, filesApi } from '../client/index.ts';
import { ME } from './people.ts';
import { DUNES, drawLandscape, FOREST, type Landscape, PIER } from './picture.ts';
import { PASSWORD } from './seed.ts';
import type { World } from './world.ts';

interface Sent {
  readonly room: string;
  /** By default somebody else's, so that the room is unread. */
  readonly isMine?: true;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly alt?: string; readonly bytes: () => Blob }[];
}

const picture = (name: string, alt: string, landscape: Landscape) => ({
  ...{ name, alt },
  bytes: () => new Blob([drawLandscape(landscape)], { type: 'image/png' }),
});
const csv = (name: string, lines: readonly string[]) => ({
  name,
  bytes: () => new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }),
});

const SENT: readonly Sent[] = [
  {
    room: 'Weekend plans',
    isMine: true,
    text: 'Last Sunday, from the hut. Anyone up for the next one?',
    files: [picture('pier-at-dusk.png', 'Hills in the evening, with the sun above the lake', PIER)],
  },
  {
    room: 'Design',
    isMine: true,
    text: 'Three backgrounds for the launch page. Which one?',
    files: [
      picture('launch-a.png', 'Dunes at noon', DUNES),
      picture('launch-b.png', 'A forest by a lake', FOREST),
      picture('launch-c.png', 'A lake at dusk', PIER),
    ],
  },
  {
    room: 'Support',
    text: 'The tickets of this week, by topic.',
    files: [csv('tickets.csv', ['topic,open,closed', 'billing,4,31', 'sign-in,2,18', 'exports,7,12'])],
  },
];

/** Posts them where the world has their rooms. */
export async function sendFiles(
  url: string,
  { rooms }: World,
  roomIds: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { room, isMine, text, files } of SENT) {
    const roomId = roomIds.get(room);
    const members = rooms.find(({ name }) => name === room)?.members ?? [];
    const who = members.find((name) => (isMine ? name === ME : name !== ME));
    if (roomId === undefined || who === undefined) continue;
    const client = new ChatClient({ url, WebSocket });
    await client.signIn(who, PASSWORD);
    const { upload } = filesApi(client.api.requests);
    const uploaded = [];
    for (const { name, alt, bytes } of files)
      uploaded.push(await upload(roomId, { name, alt, bytes: bytes() }));
    await client.enter(roomId).send(text, { files: uploaded });
    client.close();
  }
}
