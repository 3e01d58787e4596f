/** Where uploads are kept on the device, so that they go on after a reload: IndexedDB, which all tabs share. */
import type { Cancel } from '../clock.ts';
import { IndexedDatabase } from '../outbox/indexed-database.ts';
import type { UploadRefusal } from './upload-steps.ts';

/** An upload as the device keeps it. Its bytes are kept beside it. */
export interface StoredUpload {
  readonly id: string;
  readonly roomId: number;
  /** Where it waits to be sent, such as the key of a draft; null once a message has it. */
  readonly place: string | null;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly alt?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly duration_ms?: number | undefined;
  /** A ThumbHash in base64. */
  readonly blur?: string | undefined;
  /** The key of its small picture on the server. */
  readonly preview?: string | undefined;
  readonly key: string | null;
  /** Bytes that are safe on the server. */
  readonly offset: number;
  readonly isComplete: boolean;
  /** Why it has failed. `choose_again`: its bytes were too many to be kept, and the page was left. */
  readonly refusal: UploadRefusal | 'choose_again' | null;
}

/** The bytes of an upload. `preview`: the small picture that is sent with it. */
export interface UploadBytes {
  readonly file: Blob;
  readonly preview: Blob | null;
}

/** Operations take effect in the order of the calls. When the promise of a `put` has resolved, it survives a reload. */
export interface UploadsStore {
  load(): Promise<readonly StoredUpload[]>;
  put(upload: StoredUpload): Promise<void>;
  putBytes(id: string, bytes: UploadBytes): Promise<void>;
  bytes(id: string): Promise<UploadBytes | null>;
  /** The upload and its bytes. */
  delete(id: string): Promise<void>;
  clear(): Promise<void>;
  /** Calls `listener` after another tab has changed something, until cancelled. */
  watch(listener: () => void): Cancel;
  close(): void;
}

const DATABASE = 'roomful-uploads';
const UPLOADS = 'uploads';
const BYTES = 'bytes';

export function indexedDbUploads(userId: number): UploadsStore {
  const channel = new BroadcastChannel(`roomful-uploads-${userId}`);
  const own = IDBKeyRange.bound([userId], [userId, []]);
  const database = new IndexedDatabase(DATABASE, 1, (db) => {
    for (const name of [UPLOADS, BYTES]) db.createObjectStore(name, { keyPath: ['userId', 'id'] });
  });
  let closed = false;

  const tell = () => {
    if (!closed) channel.postMessage('changed');
  };

  async function change<T>(name: string, request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    await database.run(name, 'readwrite', request);
    tell();
  }

  /** In one transaction: no bytes stay whose upload is gone, wherever the page ends. */
  async function both<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<void> {
    await database.run([UPLOADS, BYTES], 'readwrite', request, (transaction) => {
      request(transaction.objectStore(BYTES));
    });
    tell();
  }

  return {
    load: async () => {
      const rows = await database.run<(StoredUpload & { userId: number })[]>(UPLOADS, 'readonly', (store) =>
        store.getAll(own),
      );
      return rows.map(({ userId: _, ...upload }) => upload);
    },
    put: (upload) => change(UPLOADS, (store) => store.put({ ...upload, userId })),
    putBytes: (id, bytes) => change(BYTES, (store) => store.put({ ...bytes, id, userId })),
    bytes: async (id) =>
      (await database.run<UploadBytes | undefined>(BYTES, 'readonly', (store) => store.get([userId, id]))) ??
      null,
    delete: (id) => both((store) => store.delete([userId, id])),
    clear: () => both((store) => store.delete(own)),
    watch: (listener) => {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
    close: () => {
      closed = true;
      channel.close();
      database.close();
    },
  };
}

/** What a memory store holds; it outlives the page that a test closes. */
export interface UploadsInMemory {
  readonly uploads: Map<string, StoredUpload>;
  readonly bytes: Map<string, UploadBytes>;
}

/** In memory, which lives as long as `held`: for Node, for tests, and for browsers without storage. */
export function memoryUploads(
  { uploads, bytes }: UploadsInMemory = { uploads: new Map(), bytes: new Map() },
): UploadsStore {
  return {
    load: async () => [...uploads.values()],
    put: async (upload) => void uploads.set(upload.id, upload),
    putBytes: async (id, kept) => void bytes.set(id, kept),
    bytes: async (id) => bytes.get(id) ?? null,
    delete: async (id) => {
      uploads.delete(id);
      bytes.delete(id);
    },
    clear: async () => {
      uploads.clear();
      bytes.clear();
    },
    watch: () => () => {},
    close: () => {},
  };
}
