import { useEffect, useState } from 'react';

const SHOWN_MS = 2000;

/**
 * Copies a text, or another one that is known only then. `copied` is true for a moment afterwards; `copy` resolves with
 * whether the browser allowed it.
 */
export function useCopy(text = ''): { readonly copied: boolean; copy(other?: string): Promise<boolean> } {
  const [copiedAt, setCopiedAt] = useState(0);

  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  return {
    copied: copiedAt !== 0,
    copy: async (other = text) => {
      // Other late code has loaded it by then.
      const done = await import('./copy-text.ts').then(
        ({ copyText }) => copyText(other),
        () => false,
      );
      if (done) setCopiedAt(Date.now());
      return done;
    },
  };
}
