import { useEffect, useState } from 'react';
import { useRooms } from './rooms.ts';

const SEARCH_DELAY_MS = 200;

/** Searches on the server, too, when it has more rooms than it listed. True while there is no response yet. */
export function useServerSearch(wanted: string): boolean {
  const isCut = useRooms((store) => store.isCut);
  const [answered, setAnswered] = useState('');

  useEffect(() => {
    if (!isCut || wanted === '') return;
    const timer = setTimeout(async () => {
      await useRooms.getState().search(wanted);
      setAnswered(wanted);
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isCut, wanted]);

  return isCut && wanted !== '' && answered !== wanted;
}
