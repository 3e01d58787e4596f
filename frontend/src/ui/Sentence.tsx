import { splitAtNames } from '../i18n/isolate.ts';

/** A sentence of the catalogue. Each name that `isolate` marked has a text direction of its own. */
export function Sentence({ text }: { readonly text: string }) {
  return splitAtNames(text).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other key.
    index % 2 === 1 ? <bdi key={index}>{part}</bdi> : part,
  );
}
