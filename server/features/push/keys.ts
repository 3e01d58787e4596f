/** The keys with which this installation identifies itself to push services (VAPID, RFC 8292). */
import { createECDH } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../../data/storage/store.ts';

/** A point and a number of the curve P-256, as base64url. */
const storedKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
export type VapidKeys = z.infer<typeof storedKeys>;

/**
 * Made once, when first needed, and kept in the database, so that all processes have the same. A browser subscribes for
 * one key: other keys would end all subscriptions.
 */
export class PushKeys {
  readonly #store: Store;
  #keys: Promise<VapidKeys> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(): Promise<VapidKeys> {
    this.#keys ??= this.#load();
    try {
      return await this.#keys;
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }

  async #load(): Promise<VapidKeys> {
    const stored = await this.#store.pushKeys();
    const keys = stored ?? (await this.#store.putPushKeys({ keys: JSON.stringify(newKeys()) }));
    return storedKeys.parse(JSON.parse(keys));
  }
}

function newKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A private key that begins with zeros is shorter otherwise.
  return {
    publicKey,
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  };
}
