/**
 * What pages have said, kept for a day. A row tells nothing to whoever does not know the address: its name is a hash of
 * it, and its content is encrypted with it. So a deletion of the message that had the link need not look for it (G16).
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { KeptLink, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEEP_MS = 24 * 3_600_000;
/** A site that was away may be back. */
export const KEEP_FAILURE_MS = 3_600_000;

const keptPage = z.object({
  until: z.number(),
  /** Null: it says nothing of itself, or could not be had. */
  page: z
    .object({
      title: z.string(),
      site: z.string().optional(),
      description: z.string().optional(),
      image: z.object({ url: z.string(), alt: z.string().optional() }).optional(),
    })
    .nullable(),
  /** A file with the picture, which is there as long as its message is. */
  picture: z.object({ key: z.string(), ownerId: z.number() }).optional(),
});

export type KeptPage = z.infer<typeof keptPage>;

export interface KeptPagesParts {
  store: Pick<Store, 'keepLinks' | 'keptLinks'>;
  /** Which hosts may be opened besides the public ones: with others, a page may be refused that was not, or appear. */
  allow: readonly string[];
  now: Now;
}

export class KeptPages {
  readonly #parts: KeptPagesParts;
  readonly #allowed: string;

  constructor(parts: KeptPagesParts) {
    this.#parts = parts;
    this.#allowed = [...parts.allow].sort().join();
  }

  /** What the page at this address has said; undefined: nothing is known now. */
  async find(address: string): Promise<KeptPage | undefined> {
    const { store, now } = this.#parts;
    const [row] = await store.keptLinks({ urlHashes: [this.#nameOf(address)], since: now() - KEEP_MS });
    const kept = row && open(address, row.data);
    return kept && kept.until > now() ? kept : undefined;
  }

  async keep(address: string, kept: KeptPage): Promise<void> {
    const { store, now } = this.#parts;
    const link: KeptLink = { urlHash: this.#nameOf(address), data: seal(address, kept), fetchedAt: now() };
    await store.keepLinks([link]);
  }

  #nameOf(address: string): string {
    const name = `roomful link name\0${this.#allowed}\0${address}`;
    return createHash('sha256').update(name).digest('base64url');
  }
}

function keyOf(address: string): Buffer {
  return createHash('sha256').update(`roomful link key\0${address}`).digest();
}

function seal(address: string, kept: KeptPage): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(address), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(kept), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined: it is of another version, or damaged. */
function open(address: string, data: string): KeptPage | undefined {
  try {
    const bytes = Buffer.from(data, 'base64url');
    const decipher = createDecipheriv(CIPHER, keyOf(address), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened =
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return keptPage.safeParse(JSON.parse(opened)).data;
  } catch {
    return undefined;
  }
}
