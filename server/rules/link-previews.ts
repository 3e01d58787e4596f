/** The previews in what is stored with a text. */
import type { MessageExtra } from '../../protocol/events.ts';
import {
  LINK_DESCRIPTION_MAX,
  LINK_IMAGE_ALT_MAX,
  LINK_SITE_MAX,
  LINK_TITLE_MAX,
} from '../../protocol/limits.ts';
import type { LinkPreview } from '../../protocol/link-previews.ts';
import { linksOf } from '../../protocol/markdown/links.ts';
import { shownText } from './shown-text.ts';

/** Those whose links a text still has. Undefined: none. None that were removed for good stay so. */
export function stillLinked({ previews }: MessageExtra, content: string): LinkPreview[] | undefined {
  if (!previews || previews.length === 0) return previews;
  const links = linksOf(content);
  const left = previews.filter(({ url }) => links.includes(url));
  return left.length === 0 ? undefined : left;
}

/** Somebody has removed them, and the message gets none again. */
export function areRemoved({ previews }: MessageExtra): boolean {
  return previews?.length === 0;
}

/** The keys of the pictures that they show. */
export function picturesIn(previews: readonly LinkPreview[] = []): string[] {
  return previews.flatMap(({ image }) => (image ? [image.key] : []));
}

/** Whether a text may have these previews, whoever has written them. */
export function arePreviews(previews: readonly LinkPreview[], content: string): boolean {
  const links = linksOf(content);
  const urls = new Set(previews.map(({ url }) => url));
  return (
    urls.size === previews.length &&
    previews.every(
      ({ url, title, site, description, image }) =>
        links.includes(url) &&
        (title !== '' || image !== undefined) &&
        isShown(title, LINK_TITLE_MAX) &&
        isShown(site, LINK_SITE_MAX) &&
        isShown(description, LINK_DESCRIPTION_MAX) &&
        isShown(image?.alt, LINK_IMAGE_ALT_MAX),
    )
  );
}

function isShown(text: string | undefined, max: number): boolean {
  return text === undefined || shownText(text, max) === text;
}
