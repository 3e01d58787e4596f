import { useEffect, useState } from 'react';
import type { CodePiece } from './highlighter.ts';

type Pieces = readonly CodePiece[];

/** A few screens of code: what is scrolled away and back is not highlighted again. */
const CACHE_SIZE = 200;
const cache = new Map<string, Pieces>();

/** The code in coloured pieces. It is plain, and of the same size, until they are there. */
export function useHighlighted(code: string, language: string | null): Pieces {
  const key = language === null ? null : `${language}\n${code}`;
  const [found, setFound] = useState<{ readonly key: string; readonly pieces: Pieces } | null>(null);

  useEffect(() => {
    if (key === null || language === null || cache.has(key)) return;
    let isGone = false;
    import('./start-highlighting.ts')
      .then(({ highlightQueue }) => highlightQueue.highlight({ code, language }))
      .then(
        (pieces) => {
          if (pieces === null) return;
          keep(key, pieces);
          if (!isGone) setFound({ key, pieces });
        },
        // Without a server, say. Code without colours is still code.
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [key, code, language]);

  if (key === null) return [code];
  return (found?.key === key ? found.pieces : cache.get(key)) ?? [code];
}

function keep(key: string, pieces: Pieces): void {
  const [oldest] = cache.keys();
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(key, pieces);
}
