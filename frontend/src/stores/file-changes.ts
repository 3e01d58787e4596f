/** What the user has changed of sent files, for pages that are not told of changes, such as the list of a room's files. */
import { create } from 'zustand';

interface FileChanges {
  /** The keys of those that were deleted. */
  readonly gone: ReadonlySet<string>;
  /** Descriptions, by key. */
  readonly alts: ReadonlyMap<string, string>;
}

export const useFileChanges = create<FileChanges>(() => ({ gone: new Set(), alts: new Map() }));

export function noteDeletedFile(key: string): void {
  useFileChanges.setState(({ gone }) => ({ gone: new Set([...gone, key]) }));
}

export function noteDescribedFile(key: string, alt: string): void {
  useFileChanges.setState(({ alts }) => ({ alts: new Map([...alts, [key, alt]]) }));
}

/** The files that are left, as they are described now. */
export function changedFiles<F extends { readonly key: string | null; readonly alt?: string | undefined }>(
  files: readonly F[],
  { gone, alts }: FileChanges,
): readonly F[] {
  if (gone.size === 0 && alts.size === 0) return files;
  return files.flatMap((file) => {
    const key = file.key ?? '';
    if (gone.has(key)) return [];
    const alt = alts.get(key);
    return [alt === undefined ? file : { ...file, alt }];
  });
}
