import type { CSSProperties } from 'react';
import { thumbHashToDataURL } from 'thumbhash';

/** What stands behind a picture until it is there. `blur` comes from the sender: what is no ThumbHash is nothing. */
export function blurStyle(blur: string | undefined): CSSProperties | undefined {
  if (blur === undefined) return undefined;
  try {
    const hash = Uint8Array.from(atob(blur), (letter) => letter.charCodeAt(0));
    return { background: `url("${thumbHashToDataURL(hash)}") center / 100% 100%` };
  } catch {
    return undefined;
  }
}
