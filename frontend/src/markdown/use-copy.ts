import { type RefObject, useEffect, useState } from 'react';

const SHOWN_MS = 2000;

/** Copies a text, and says for a moment that it did. */
export function useCopy(
  element: RefObject<HTMLElement | null>,
  text: string,
): { readonly copied: boolean; copy(): Promise<void> } {
  const [copiedAt, setCopiedAt] = useState(0);

  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  return {
    copied: copiedAt !== 0,
    copy: async () => {
      if (await copyText(element.current, text)) setCopiedAt(Date.now());
    },
  };
}

async function copyText(element: HTMLElement | null, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http there is no clipboard to write to. What is selected can be copied, by this or by hand.
    if (element === null) return false;
    getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
