/** The messages of the storage fault runs: author, room and content all follow from the cid. */
import type { NewMessage, Store } from '../../server/data/storage/store.ts';

const ROOMS = 4;
const LONGEST_PADDING = 1500;
const USERNAME = 'appender';

export interface Scene {
  userId: number;
  roomIds: number[];
}

/** The user and the rooms; made by the first life, found by the later ones. */
export async function setScene(store: Store): Promise<Scene> {
  const now = Date.now();
  const plain = (name: string) => ({ key: name, looks: [name], isDisguised: false });
  await store.createUser({ username: USERNAME, ...plain(USERNAME), passwordHash: '', now });
  const user = await store.findUser(USERNAME);
  if (!user) throw new Error('the user that was made is not there');
  for (let index = 0; index < ROOMS; index++) {
    const name = `room ${index}`;
    const kind = { kind: 'public', topic: '', emoji: null, maxPerDay: 0 } as const;
    await store.createRoom({ ...kind, name, ...plain(name), ownerId: user.id, now });
  }
  const rooms = await store.listRooms({ limit: ROOMS, userId: user.id });
  return { userId: user.id, roomIds: rooms.map(({ id }) => id) };
}

export function cidOf(life: number, count: number): string {
  return `${life}.${count}`;
}

/** The message that belongs to a cid: nothing else may ever be stored under it. */
export function messageOf(cid: string, { userId, roomIds }: Scene): NewMessage {
  const roomId = roomIds[hashOf(cid) % roomIds.length] ?? 0;
  return { roomId, userId, cid, content: contentOf(cid), now: Date.now() };
}

export function contentOf(cid: string): string {
  return `${cid} ${'x'.repeat(hashOf(cid) % LONGEST_PADDING)}`;
}

function hashOf(cid: string): number {
  let hash = 0;
  for (const character of cid) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
