import { useEffect, useMemo, useState } from 'react';
import type { CodePiece } from './highlighter.ts';

type Highlighter = typeof import('./highlighter.ts');

let highlighter: Highlighter | null = null;

/** The code in coloured pieces, or plain until the colours are there; its size is the same. */
export function useHighlighted(code: string, language: string | null): readonly CodePiece[] {
  const [ready, setReady] = useState(highlighter);

  useEffect(() => {
    if (language === null || ready !== null) return;
    let gone = false;
    import('./highlighter.ts').then(
      (loaded) => {
        highlighter = loaded;
        if (!gone) setReady(loaded);
      },
      // Offline, say: code without colours is still code.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [language, ready]);

  return useMemo(
    () => (language === null || ready === null ? [code] : ready.highlight(code, language)),
    [code, language, ready],
  );
}
