/** Files on their way to the server, and where files can be put. `app/sync-files.ts` writes the uploads. */
import { create } from 'zustand';
import type { Upload, Uploads } from '../../../client/index.ts';

/** A composer that takes files. */
export interface FilePlace {
  readonly flow: 'room' | 'thread';
  readonly roomId: number;
  /** The key of its draft. */
  readonly place: string;
}

interface FilesStore {
  /** Null until its code has loaded. */
  readonly uploads: Uploads | null;
  readonly all: readonly Upload[];
  readonly places: readonly FilePlace[];
}

export const useFiles = create<FilesStore>(() => ({ uploads: null, all: [], places: [] }));

/** Takes files for a composer until the returned function is called. */
export function offerPlace(place: FilePlace): () => void {
  useFiles.setState(({ places }) => ({ places: [...places, place] }));
  return () => useFiles.setState(({ places }) => ({ places: places.filter((one) => one !== place) }));
}

/** The composer of this flow, if it is on the screen. */
export function placeOf(flow: FilePlace['flow']): FilePlace | undefined {
  return useFiles.getState().places.findLast((place) => place.flow === flow);
}

/** Of the size of a file, in whole percent. */
export function percentOf({ offset, size }: Upload): number {
  return size === 0 ? 100 : Math.floor((100 * offset) / size);
}
