import { useEffect, useState } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { useFiles } from '../../stores/files.ts';

/** Addresses of bytes on this device, by the id of their upload and by their key, the earliest first. */
const urls = new Map<string, string>();
const MAX_URLS = 60;

function remember(name: string, url: string): void {
  urls.set(name, url);
  const [oldest] = urls.entries();
  if (urls.size <= MAX_URLS || oldest === undefined) return;
  urls.delete(oldest[0]);
  if (![...urls.values()].includes(oldest[1])) URL.revokeObjectURL(oldest[1]);
}

/** The address of what this device has of a file of its own, also after it was sent; null: nothing. */
export function useLocalUrl({
  upload,
  key,
  type,
}: Pick<OutboxFile, 'upload' | 'key' | 'type'>): string | null {
  const known = urls.get(upload ?? '') ?? urls.get(key ?? '') ?? null;
  const [, setLoaded] = useState(0);
  const uploads = useFiles((store) => store.uploads);
  // The preview comes a moment after the file.
  const isLooked = useFiles(({ all }) => all.find(({ id }) => id === upload)?.width !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the preview is there.
  useEffect(() => {
    if (upload === undefined || urls.has(upload) || uploads === null) return;
    let isStale = false;
    void uploads.bytesOf(upload).then((bytes) => {
      if (isStale || bytes === null || urls.has(upload)) return;
      // The small picture of a film is no film.
      const isPicture = type.startsWith('image/');
      remember(upload, URL.createObjectURL((isPicture ? bytes.preview : undefined) ?? bytes.file));
      setLoaded((count) => count + 1);
    });
    return () => {
      isStale = true;
    };
  }, [upload, uploads, isLooked, type]);

  useEffect(() => {
    if (known !== null && upload !== undefined && key !== null && !urls.has(key)) remember(key, known);
  }, [known, upload, key]);

  return known;
}
