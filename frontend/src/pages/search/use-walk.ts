import { type RefObject, useEffect, useRef } from 'react';
import type { Message } from '../../../../client/index.ts';
import { navigate } from '../../stores/route.ts';
import { timelinePath } from './hit-path.ts';
import { type ReaderAt, readerAt, returnTo } from './reader-at.ts';

/** A key that is held walks on, and the timeline follows once it rests. */
const REST_MS = 120;

/** Has the timeline jump to each hit that one walks to, and leads back to where one was. */
export function useWalk(box: RefObject<HTMLElement | null>) {
  const begun = useRef<{ readonly at: ReaderAt; path: string } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Null: one has not walked, or has gone somewhere since. */
  function origin(): ReaderAt | null {
    const { current } = begun;
    return current !== null && current.path === window.location.pathname ? current.at : null;
  }

  return {
    to(message: Message): void {
      // The jump leaves the focus on the hit.
      box.current?.setAttribute('data-walks', '');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const at = origin();
        const path = timelinePath(message);
        begun.current = { at: at ?? readerAt(), path };
        // Back leads to where one was, however many hits there were on the way.
        navigate(path, at === null ? 'push' : 'replace');
      }, REST_MS);
    },
    /** One stays where the walk has led. */
    end(): void {
      clearTimeout(timer.current);
      begun.current = null;
      box.current?.removeAttribute('data-walks');
    },
    /** Leads back to where one was. Resolves once that is shown. */
    async back(): Promise<void> {
      const at = origin();
      this.end();
      if (at !== null) await returnTo(at);
    },
  };
}
