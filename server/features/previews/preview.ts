/** From a link to its preview: what is known of the page, or what it says now; and a picture for this message. */
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import { pageOf } from '../../../protocol/markdown/links.ts';
import type { PreviewTask } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { Fetched, Fetcher, Picture } from './fetcher.ts';
import { KEEP_FAILURE_MS, KEEP_MS, type KeptPage, type KeptPages } from './kept.ts';
import type { LinkPictures } from './pictures.ts';

export interface PreviewsParts {
  kept: KeptPages;
  fetcher: Pick<Fetcher, 'page' | 'picture'>;
  pictures: LinkPictures;
  now: Now;
}

/** What is known of a page, and its picture if that has just come. */
interface Known {
  kept: KeptPage;
  picture?: Picture;
}

export class Previews {
  readonly #parts: PreviewsParts;
  /** By address: several messages have one page fetched once. */
  readonly #running = new Map<string, Promise<Known>>();

  constructor(parts: PreviewsParts) {
    this.#parts = parts;
  }

  /** Undefined: the page says nothing of itself, or cannot be had. Rejects when there is no time for it now. */
  async of(url: string, task: PreviewTask): Promise<LinkPreview | undefined> {
    const address = pageOf(new URL(url).href);
    const known = await this.#know(address);
    const { page } = known.kept;
    if (page === null) return undefined;
    const { image, ...said } = page;
    const shown = image && (await this.#picture(address, image.url, known, task));
    if (!shown) return said.title === '' ? undefined : { url, ...said };
    return { url, ...said, image: { ...shown, ...(image.alt !== undefined && { alt: image.alt }) } };
  }

  async #know(address: string): Promise<Known> {
    const running = this.#running.get(address);
    if (running) return await running;
    const known = this.#find(address).finally(() => this.#running.delete(address));
    this.#running.set(address, known);
    return await known;
  }

  async #find(address: string): Promise<Known> {
    const { kept, fetcher, now } = this.#parts;
    const before = await kept.find(address);
    if (before) return { kept: before };
    const fetched = await fetcher.page(address);
    const until = now() + (fetched.outcome === 'away' ? KEEP_FAILURE_MS : KEEP_MS);
    const said = { until, page: saidBy(fetched, address) };
    await kept.keep(address, said);
    return { kept: said, ...(fetched.outcome === 'picture' && { picture: fetched.picture }) };
  }

  async #picture(address: string, imageUrl: string, known: Known, task: PreviewTask) {
    const { kept, fetcher, pictures } = this.#parts;
    const stored = known.kept.picture;
    const picture =
      known.picture ?? (stored && (await pictures.bytesOf(stored))) ?? (await fetcher.picture(imageUrl));
    const shown = picture ? await pictures.store(picture, task) : 'unfit';
    if (shown === 'refused') return undefined;
    const { page } = known.kept;
    if (shown === 'unfit') {
      if (page) await kept.keep(address, { ...known.kept, page: withoutImage(page) });
      return undefined;
    }
    // The next message with this link has a copy of it, and the site is not asked again.
    await kept.keep(address, { ...known.kept, picture: { key: shown.key, ownerId: task.userId } });
    return shown;
  }
}

function saidBy(fetched: Fetched, address: string): KeptPage['page'] {
  if (fetched.outcome === 'page') return fetched.page;
  return fetched.outcome === 'picture' ? { title: '', image: { url: address } } : null;
}

function withoutImage({ image: _, ...page }: NonNullable<KeptPage['page']>): NonNullable<KeptPage['page']> {
  return page;
}
