/** Writes a planned world into a fresh data folder, through the store that the server itself uses. */
import { nameKey } from '../protocol/text.ts';
import { openSqliteStore } from '../server/data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../server/data/storage/store.ts';
import { Passwords } from '../server/features/identity/passwords.ts';
import { looksOf } from '../server/rules/names/looks.ts';
import type { World } from './world.ts';

/** The password of every account in the demo. */
export const PASSWORD = 'roomful-demo';
/** Messages that are passed to the store at once; it commits them in shared transactions. */
const BATCH = 1000;

export interface SeededWorld {
  readonly userIds: ReadonlyMap<string, number>;
  readonly roomIds: ReadonlyMap<string, number>;
}

/** `finish` may write more before the store is closed. */
export async function seedWorld(
  dataDir: string,
  world: World,
  onProgress: (messages: number) => void = () => {},
  finish: (store: Store, seeded: SeededWorld) => Promise<void> = async () => {},
): Promise<SeededWorld> {
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const { store } = await openSqliteStore({ dataDir, onFatal: (error) => fail(error) });
  try {
    const written = write(store, world, onProgress).then(async (seeded) => {
      await finish(store, seeded);
      return seeded;
    });
    return await Promise.race([written, failed]);
  } finally {
    await store.close();
  }
}

async function write(
  store: Store,
  world: World,
  onProgress: (messages: number) => void,
): Promise<SeededWorld> {
  // One hash for all: forty hashes would take seconds.
  const passwordHash = await new Passwords().hash(PASSWORD, 'demo');
  const now = world.since;
  const userIds = new Map<string, number>();
  const roomIds = new Map<string, number>();
  for (const username of world.people) {
    const key = nameKey(username);
    const created = await store.createUser({ username, key, ...looksOf(username), passwordHash, now });
    if (created.outcome !== 'created') throw new Error(`${username} is there twice`);
    userIds.set(username, created.user.id);
  }
  for (const { name, members, line = '', emoji = null, hue = null } of world.rooms) {
    const ownerId = idOf(userIds, members[0] ?? '');
    const created = await store.createRoom({
      name,
      key: nameKey(name),
      ...looksOf(name),
      kind: 'public',
      topic: line,
      emoji,
      hue,
      ownerId,
      now,
      maxPerDay: 0,
    });
    if (created.outcome !== 'created')
      throw new Error(`the room ${name} could not be made: ${created.outcome}`);
    roomIds.set(name, created.room.id);
  }
  for (let from = 0; from < world.messages.length; from += BATCH) {
    const batch = world.messages.slice(from, from + BATCH).map(({ room, who, content, at }) =>
      store.append({
        roomId: idOf(roomIds, room),
        userId: idOf(userIds, who),
        cid: null,
        content,
        now: at,
      }),
    );
    for (const { outcome } of await Promise.all(batch)) {
      if (outcome !== 'stored') throw new Error(`a message was not stored: ${outcome}`);
    }
    onProgress(Math.min(from + BATCH, world.messages.length));
  }
  return { userIds, roomIds };
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`nobody and nothing is called ${name}`);
  return id;
}
