/** What a page says of itself in its head: for other sites to show where somebody links to it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Parser } from 'htmlparser2';
import {
  LINK_DESCRIPTION_MAX,
  LINK_IMAGE_ALT_MAX,
  LINK_MAX,
  LINK_SITE_MAX,
  LINK_TITLE_MAX,
} from '../../../protocol/limits.ts';
import { shownText } from '../../rules/shown-text.ts';
import { textOf } from './charset.ts';

/** A page with more of them before the end of its head is not read further: the parser's time grows with their number. */
const TAGS_MAX = 1000;
/** Of a title that never ends. */
const TITLE_PARTS_MAX = 200;
/** Characters of one value; more is no text of a preview. */
const VALUE_MAX = 4096;

/** In the order in which they are believed. */
const TITLES = ['og:title', 'twitter:title'];
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description'];
const SITES = ['og:site_name', 'application-name'];
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'];
const ALTS = ['og:image:alt', 'twitter:image:alt'];
const KNOWN = new Set([...TITLES, ...DESCRIPTIONS, ...SITES, ...IMAGES, ...ALTS]);

export interface Page {
  title: string;
  site?: string;
  description?: string;
  /** An address of http or https. */
  image?: { url: string; alt?: string };
}

export interface Source {
  /** The beginning of the page. */
  bytes: Uint8Array;
  contentType: string;
  /** Where it came from, after all redirects. */
  url: string;
}

/** Undefined: the page says no title. Others have their turn after every few kilobytes. */
export async function readPage({ bytes, contentType, url }: Source): Promise<Page | undefined> {
  // Loaded with the first page: where nobody wants previews, it takes no memory.
  const { Parser } = await import('htmlparser2');
  const head = new Head();
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => head.open(name, attributes),
      ontext: (text) => head.text(text),
      onclosetag: (name) => head.close(name),
    },
    { decodeEntities: true },
  );
  for (const text of textOf(bytes, contentType)) {
    parser.write(text);
    if (head.isOver) break;
    await turn();
  }
  if (!head.isOver) parser.end();
  return head.page(url);
}

class Head {
  isOver = false;
  readonly #values = new Map<string, string>();
  readonly #title: string[] = [];
  #isInTitle = false;
  #hasTitle = false;
  #base: string | undefined;
  #tags = 0;

  open(name: string, attributes: Record<string, string>): void {
    if (this.isOver) return;
    if (++this.#tags > TAGS_MAX || name === 'body') this.isOver = true;
    else if (name === 'title') this.#isInTitle = !this.#hasTitle;
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'base') this.#base ??= attribute(attributes, 'href');
  }

  text(text: string): void {
    if (this.#isInTitle && this.#title.length < TITLE_PARTS_MAX) this.#title.push(text.slice(0, VALUE_MAX));
  }

  close(name: string): void {
    if (name === 'title' && this.#isInTitle) {
      this.#isInTitle = false;
      this.#hasTitle = true;
    }
    if (name === 'head') this.isOver = true;
  }

  page(url: string): Page | undefined {
    const title = this.#first(TITLES, LINK_TITLE_MAX) || shownText(this.#title.join(''), LINK_TITLE_MAX);
    if (title === '') return undefined;
    const site = this.#first(SITES, LINK_SITE_MAX);
    const description = this.#first(DESCRIPTIONS, LINK_DESCRIPTION_MAX);
    const image = this.#image(url);
    const isRepeated = description === title;
    return {
      title,
      ...(site !== '' && { site }),
      ...(description !== '' && !isRepeated && { description }),
      ...(image !== undefined && { image }),
    };
  }

  /** The first value of a name counts. */
  #meta(attributes: Record<string, string>): void {
    const content = attribute(attributes, 'content') ?? '';
    if (content.trim() === '') return;
    for (const key of ['property', 'name', 'itemprop']) {
      const name = attribute(attributes, key)?.trim().toLowerCase();
      if (name !== undefined && KNOWN.has(name) && !this.#values.has(name)) this.#values.set(name, content);
    }
  }

  #first(names: readonly string[], max: number): string {
    for (const name of names) {
      const text = shownText(this.#values.get(name) ?? '', max);
      if (text !== '') return text;
    }
    return '';
  }

  #image(url: string): Page['image'] {
    const base = webAddress(this.#base, url) ?? url;
    for (const name of IMAGES) {
      const image = webAddress(this.#values.get(name), base);
      if (image === undefined) continue;
      const alt = this.#first(ALTS, LINK_IMAGE_ALT_MAX);
      return { url: image, ...(alt !== '' && { alt }) };
    }
    return undefined;
  }
}

function attribute(attributes: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name]?.slice(0, VALUE_MAX) : undefined;
}

function webAddress(raw: string | undefined, base: string): string | undefined {
  if (raw === undefined || raw.trim() === '' || !URL.canParse(raw.trim(), base)) return undefined;
  const { href, protocol } = new URL(raw.trim(), base);
  return (protocol === 'https:' || protocol === 'http:') && href.length <= LINK_MAX ? href : undefined;
}
