import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

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
      const done = await copyText(text);
      if (done) setCopiedAt(Date.now());
      return done;
    },
  };
}
