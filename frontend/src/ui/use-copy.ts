import { useEffect, useState } from 'react';

const SHOWN_MS = 2000;

/** Copies a text. `copied` is true for a moment afterwards; `copy` resolves with whether the browser allowed it. */
export function useCopy(text: string): { readonly copied: boolean; copy(): Promise<boolean> } {
  const [copiedAt, setCopiedAt] = useState(0);

  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  return {
    copied: copiedAt !== 0,
    copy: async () => {
      // Other late code has loaded it by then.
      const done = await import('./copy-text.ts').then(
        ({ copyText }) => copyText(text),
        () => false,
      );
      if (done) setCopiedAt(Date.now());
      return done;
    },
  };
}
